package engine_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/schema"
)

func TestBacktrackReturnsToTheLayerAsItWasLeft(t *testing.T) {
	h := build(t)
	write(t, h.root, "docs/idea.md", "# Orchard\n\nPears along the south wall.\n")
	if _, _, err := h.Load(context.Background(), "docs/idea.md"); err != nil {
		t.Fatal(err)
	}
	h.clarity(85)
	h.layer(1)
	if _, err := h.Unload(context.Background(), "docs/idea.md"); err != nil {
		t.Fatal(err)
	}
	decided, _, err := h.Decide(context.Background(), schema.Decision{Decision: "No apples", Priority: schema.HighPriority})
	if err != nil {
		t.Fatal(err)
	}
	h.clarity(95)

	went, out, err := h.Backtrack(context.Background())
	if err != nil || went.From != 1 || went.To != 0 || !strings.Contains(went.Snapshot, "-left-0-") {
		t.Fatalf("%+v, %v", went, err)
	}
	if got := fired(out); !strings.Contains(got, "backtrack_initiated") || !strings.Contains(got, "layer_transition") {
		t.Errorf("fired %q", got)
	}
	for _, f := range out.Fired {
		for _, a := range f.Actions {
			if a.Err != nil || !a.Built {
				t.Errorf("%s: %v", a.Action, a.Err)
			}
		}
	}
	state := h.read(fs.State)
	for _, member := range []string{`"current_layer": 0`, `"layer_name": "IDEA"`, `"clarity": 85`, `"invalidated": true`, decided.ID, `"loaded": true`} {
		if !strings.Contains(state, member) {
			t.Errorf("the State lacks %s\n%s", member, state)
		}
	}
	if _, _, err := h.Backtrack(context.Background()); !errors.Is(err, engine.ErrFirstLayer) {
		t.Errorf("from layer 0: %v", err)
	}
	if again := h.look(); fired(again) != "" || len(again.Changes) > 0 {
		t.Errorf("a second look fired %q and changed %v", fired(again), again.Changes)
	}
}

func TestASessionEndsAndTheNextBegins(t *testing.T) {
	h := build(t)
	h.clarity(40)
	h.say(talk(5)...)
	next, out, err := h.EndSession(context.Background())
	if err != nil || fired(out) != "session_end" {
		t.Fatalf("%q fired %q, %v", next, fired(out), err)
	}
	state := h.read(fs.State)
	if !strings.Contains(state, `"session_id": "`+next+`"`) || strings.Contains(state, "session-2026-03-02-01") {
		t.Errorf("the next session is not %s:\n%s", next, state)
	}
	ended := false
	for name, text := range h.files() {
		if strings.HasPrefix(name, fs.History+"/session-2026-03-02-01-session_end-") {
			ended = strings.Contains(text, `"messages_exchanged": 5`) && strings.Contains(text, `"session_id": "session-2026-03-02-01"`)
		}
	}
	if !ended {
		t.Error("no snapshot holds the session that ended, with its figures")
	}
	if id, out, err := h.StartSession(context.Background()); err != nil || id != next || len(out.Changes) > 0 {
		t.Errorf("a session that has just begun: %s, %v, %v", id, out.Changes, err)
	}
}

func TestAnAnswerFreesWhatWaitedForIt(t *testing.T) {
	h := build(t)
	ctx := context.Background()
	action, _, err := h.AddAction(ctx, schema.Action{Action: "Plant"})
	if err != nil {
		t.Fatal(err)
	}
	question, _, err := h.Ask(ctx, schema.Question{Question: "Which pears?", Blocking: []string{action.ID}})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := h.FinishAction(ctx, action.ID, "", false); err == nil {
		t.Error("a blocked action was finished")
	}
	c, _, err := h.Answer(ctx, question.ID, "Conference", "Boss")
	if err != nil || c.Question != "Which pears?" {
		t.Fatalf("%+v, %v", c, err)
	}
	var records []string
	for name := range h.Names(fs.Forgemind + "/" + fs.ClarificationsDir) {
		records = append(records, h.read(name))
	}
	if len(records) != 1 || !strings.Contains(records[0], `"answer": "Conference"`) {
		t.Errorf("clarifications hold\n%s", records)
	}
	if _, _, err := h.FinishAction(ctx, action.ID, "", false); err != nil {
		t.Error(err)
	}
	if state := h.read(fs.State); strings.Contains(state, action.ID) || strings.Contains(state, question.ID) {
		t.Errorf("they still stand in the State:\n%s", state)
	}
}
