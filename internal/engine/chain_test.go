package engine_test

import (
	"context"
	"strings"
	"testing"

	names "github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

// configure gives a tree its own triggers, given as JSON objects.
func (h *house) configure(list ...string) {
	h.t.Helper()
	write(h.t, h.root, names.Config, `{"refresh_triggers": [`+strings.Join(list, ",\n")+`]}`)
}

// An effect may fire another trigger in the same transaction, once.
func TestEffectsFireFurtherTriggersOnce(t *testing.T) {
	t.Parallel()
	h := build(t)
	h.configure(
		`{"name": "moved", "condition": "current_layer != previous_layer", "actions": ["update_project_state"]}`,
		`{"name": "begun", "condition": "status == 'In Progress'", "actions": ["refresh_clarity_tracking", "update_project_state"]}`,
	)
	out := h.layer(1)
	if got := fired(out); got != "moved begun" {
		t.Fatalf("fired %q", got)
	}
	if !strings.Contains(h.read(names.State), `"status": "In Progress"`) || !strings.Contains(h.read(names.State), `"progress"`) {
		t.Errorf("the effects of both are wanted:\n%s", h.read(names.State))
	}
	if got := fired(h.look()); got != "" {
		t.Errorf("a second look fired %q", got)
	}
	if got := fired(h.layer(2)); got != "moved" {
		t.Errorf("the next change fired %q: the status had not changed", got)
	}
}

// A trigger whose own effect makes its condition true again comes to rest: the
// effects lead to a State that they leave alone.
func TestTriggerThatItsOwnEffectFiresComesToRest(t *testing.T) {
	t.Parallel()
	h := build(t)
	h.configure(`{"name": "usage", "condition": "context_usage_percent != previous_usage_percent", "actions": ["update_project_state"]}`)
	h.look()
	h.save(names.State, `"usage_percent": 0`, `"usage_percent": 40`) // a figure that contradicts the others
	out := h.look()
	if len(out.Fired) < 1 || len(out.Fired) > 2 {
		t.Fatalf("fired %q", fired(out))
	}
	if !strings.Contains(h.read(names.State), `"usage_percent": 0`) {
		t.Errorf("the figure was not mended:\n%s", h.read(names.State))
	}
	for range 3 {
		if again := h.look(); fired(again) != "" || len(again.Changes) > 0 {
			t.Fatalf("fired %q again and changed %v", fired(again), again.Changes)
		}
	}
	if standings, err := engine.Triggers(h.Tree); err != nil || standings[0].Off != nil {
		t.Errorf("%+v, %v", standings, err)
	}
}

// The loop breaker's switch stays off until a person asks for the trigger. No
// action of this version goes round in circles, so the switch is thrown by hand.
func TestTriggerThatWasSwitchedOffFiresAgainWhenAPersonAsks(t *testing.T) {
	t.Parallel()
	h := build(t)
	h.look()
	acted := names.LocalName(names.Forgemind, names.ActedFile)
	text, err := jsonedit.Set([]byte(h.read(acted)), "/triggers/0/off", []byte(`{"since": "2026-03-02T09:00:00Z", "why": "went round"}`))
	if err != nil {
		t.Fatal(err)
	}
	write(t, h.root, acted, string(text))
	off := func() bool {
		t.Helper()
		standings, err := engine.Triggers(h.Tree)
		if err != nil || standings[0].Name != "layer_transition" {
			t.Fatalf("%+v, %v", standings, err)
		}
		return standings[0].Off != nil && standings[0].Off.Why == "went round"
	}
	if !off() {
		t.Fatal("it is not off")
	}
	if got := fired(h.layer(1)); got != "" || !off() {
		t.Errorf("off, it fired %q", got)
	}
	if out, err := h.Trigger(context.Background(), "layer_transition"); err != nil || fired(out) != "layer_transition" || off() {
		t.Errorf("asked for: fired %q, %v", fired(out), err)
	}
	if got := fired(h.layer(2)); got != "layer_transition" {
		t.Errorf("on again, it fired %q", got)
	}
}
