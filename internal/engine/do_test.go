package engine_test

import (
	"context"
	"errors"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	names "github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/validate"
)

func TestChangeOfLayerFiresOnceAndLeavesItsEffects(t *testing.T) {
	h := build(t)
	out := h.layer(1)
	if got := fired(out); got != "layer_transition" {
		t.Fatalf("fired %q", got)
	}
	src := h.read(names.State)
	for _, effect := range []string{
		`"layer_name": "MODULE"`,
		`"facilitator backtrack"`, // available above layer 0
		`"progress"`,
		`"timestamp": "2026-03-02T09:01:00.000Z"`, // the transition's checkpoint
	} {
		if !strings.Contains(src, effect) {
			t.Errorf("the State lacks %s:\n%s", effect, src)
		}
	}
	snapshot := names.History + "/session-2026-03-02-01-layer-1-20260302T090100.000Z.json"
	if h.read(snapshot) != src {
		t.Errorf("the snapshot is not the State")
	}
	before := h.files()
	if again := h.look(); fired(again) != "" || len(again.Changes) > 0 {
		t.Errorf("a second look fired %q and changed %v", fired(again), again.Changes)
	}
	if again := h.layer(1); fired(again) != "" || len(again.Changes) > 0 {
		t.Errorf("the same command again fired %q and changed %v", fired(again), again.Changes)
	}
	if !maps.Equal(before, h.files()) {
		t.Error("a second look changed a file")
	}
}

func TestUnknownActionsAreReportedAndDoNothing(t *testing.T) {
	h := build(t)
	write(t, h.root, names.Config, `{"refresh_triggers": [{"name": "entered", "condition": "current_layer != previous_layer", "actions": ["mow_the_lawn", "update_project_state"]}]}`)
	h.look()
	out := h.layer(1)
	var unbuilt []string
	for _, a := range out.Fired[0].Actions {
		if !a.Built {
			unbuilt = append(unbuilt, a.Action)
			if len(a.Wrote) > 0 {
				t.Errorf("%s is not built, yet it wrote %v", a.Action, a.Wrote)
			}
		}
	}
	if got := strings.Join(unbuilt, " "); got != "mow_the_lawn" {
		t.Errorf("not built: %q", got)
	}
}

func TestEditorsChangeFiresAtTheNextLook(t *testing.T) {
	h := build(t)
	h.look() // layer 0 was seen
	h.save(names.State, `"current_layer": 0`, `"current_layer": 2`)
	if got := fired(h.look()); got != "layer_transition" {
		t.Fatalf("fired %q", got)
	}
	if got := fired(h.look()); got != "" {
		t.Fatalf("fired again: %q", got)
	}
}

func TestEditorsChangeFiresWithTheNextCommandWhereNobodyWatched(t *testing.T) {
	h := build(t)
	h.look()
	h.save(names.State, `"current_layer": 0`, `"current_layer": 2`)
	if got := fired(h.clarity(3)); got != "layer_transition" {
		t.Fatalf("fired %q", got)
	}
}

// A small change writes what changed and what follows from it, and nothing else.
func TestSmallChangeFiresNothing(t *testing.T) {
	h := build(t)
	before := h.read(names.State)
	out := h.clarity(5)
	var changed []string
	for _, c := range out.Changes {
		changed = append(changed, path.Dir(c.Name))
	}
	if want := []string{path.Dir(names.State), names.Progress, names.Forgemind}; fired(out) != "" || !slices.Equal(changed, want) {
		t.Fatalf("fired %q, changed %v", fired(out), changed)
	}
	want := strings.Replace(before, `"clarity": 0,
    "status": "Not Started"`, `"clarity": 5,
    "status": "In Progress",
    "progress": {
      "0": {
        "clarity": 5,
        "best": 5,
        "invalidated": false
      }
    }`, 1)
	if got := h.read(names.State); got != want {
		t.Errorf("more changed:\n%s", got)
	}
}

func TestBrokenStateKeepsTheLastGoodOneAndFiresWhenMended(t *testing.T) {
	h := build(t)
	h.look()
	good := h.read(names.State)
	write(t, h.root, names.State, strings.Replace(good, `"current_layer": 0,`, `"current_layer": 3`, 1))
	old := morning.AddDate(-1, 0, 0)
	if err := os.Chtimes(filepath.Join(h.root, names.State), old, old); err != nil {
		t.Fatal(err)
	}
	if got := fired(h.look()); got != "" {
		t.Fatalf("a State that does not parse fired %q", got)
	}
	write(t, h.root, names.State, strings.Replace(good, `"current_layer": 0`, `"current_layer": 3`, 1))
	if got := fired(h.look()); got != "layer_transition" {
		t.Fatalf("the mended State fired %q", got)
	}
}

// A colleague's transition arrives with its effects: the clone's own watcher
// acts on it and finds nothing to write.
func TestTransitionThatArrivesWithItsEffectsWritesNothing(t *testing.T) {
	colleague, clone := build(t), build(t)
	clone.look()
	colleague.layer(1)
	colleague.clarity(4)
	for name, text := range colleague.files() {
		write(t, clone.root, name, text)
	}
	before := clone.files()
	out := clone.look()
	if got := fired(out); got != "layer_transition" {
		t.Fatalf("fired %q", got)
	}
	if len(out.Changes) > 0 || !maps.Equal(before, clone.files()) {
		t.Errorf("the clone wrote %v", out.Changes)
	}
}

func TestMajorDecisionIsRecordedFirstAndShownInTheViews(t *testing.T) {
	h := build(t)
	d, out, err := h.Decide(context.Background(), schema.Decision{Decision: "Use pears", Priority: schema.HighPriority})
	if err != nil {
		t.Fatal(err)
	}
	if got := fired(out); got != "boss_major_decision" {
		t.Errorf("fired %q", got)
	}
	if d.DecisionMaker != "user" || d.RecordedBy != "user" || d.Timestamp == "" || !strings.HasPrefix(d.ID, "DEC-") {
		t.Errorf("recorded %+v", d)
	}
	if text := h.read(names.Forgemind + "/decisions/" + d.ID + ".json"); !strings.Contains(text, `"decision": "Use pears"`) {
		t.Errorf("the Ledger says %s", text)
	}
	if !strings.Contains(h.read(names.State), d.ID) {
		t.Error("recent_decisions does not show it")
	}
}

func TestDecisionOfAnotherOrOfNormalWeightIsNoMajorOne(t *testing.T) {
	h := build(t)
	for _, c := range []struct {
		maker              string
		priority, recorded schema.Word
		boss               schema.Flag
	}{{"Boss", "normal", "", true}, {"BA Agent", schema.HighPriority, schema.HighPriority, false}} {
		d, out, err := h.Decide(context.Background(), schema.Decision{Decision: "Water at noon", DecisionMaker: c.maker, Priority: c.priority})
		if err != nil {
			t.Fatal(err)
		}
		if fired(out) != "" {
			t.Errorf("%s, %s: fired %q", c.maker, c.priority, fired(out))
		}
		if d.Priority != c.recorded || d.Boss != c.boss {
			t.Errorf("%s, %s: recorded %+v", c.maker, c.priority, d)
		}
	}
}

func TestSupersessionNeedsADecisionThatStillHolds(t *testing.T) {
	h := build(t)
	add := func(text string, supersedes ...string) (string, error) {
		d, _, err := h.Decide(context.Background(), schema.Decision{Decision: text, Supersedes: supersedes})
		return d.ID, err
	}
	first, err := add("Use pears")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := add("Use plums", first); err != nil {
		t.Fatal(err)
	}
	before := h.files()
	if _, err := add("Use figs", first); err == nil || !strings.Contains(err.Error(), "superseded already") {
		t.Errorf("superseded twice: %v", err)
	}
	var unknown *engine.UnknownDecision
	if _, err := add("Use figs", "DEC-NONE"); !errors.As(err, &unknown) {
		t.Errorf("superseding nothing: %v", err)
	}
	if !maps.Equal(before, h.files()) {
		t.Error("a refused decision left something behind")
	}
}

func TestNoChangeLosesADecision(t *testing.T) {
	h := build(t)
	d, _, err := h.Decide(context.Background(), schema.Decision{Decision: "Use pears"})
	if err != nil {
		t.Fatal(err)
	}
	before := h.files()
	at := names.Forgemind + "/decisions/" + d.ID + ".json"
	for what, edit := range map[string]func(*names.Tx) error{
		"removed": func(tx *names.Tx) error { tx.Remove(at); return nil },
		"reworded": func(tx *names.Tx) error {
			tx.Write(at, []byte(strings.Replace(before[at], "pears", "plums", 1)))
			return nil
		},
	} {
		_, err := h.Do(context.Background(), engine.Event{}, edit)
		var refused *validate.Refused
		if !errors.As(err, &refused) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if !maps.Equal(before, h.files()) {
		t.Error("the Ledger was changed")
	}
}

func TestDecisionThatStandsOnlyInAViewIsTakenIntoTheLedger(t *testing.T) {
	h := build(t)
	h.save(names.State, `"recent_decisions": []`, `"recent_decisions": [{"id": "DEC-001", "timestamp": "2026-03-01T10:00:00Z", "decision": "Plant in rows", "weather": 1.50}]`)
	if out := h.look(); len(out.Changes) > 0 {
		t.Fatalf("a look alone wrote %v", out.Changes)
	}
	out := h.clarity(2)
	if strings.Join(out.Adopted, " ") != "DEC-001" {
		t.Fatalf("adopted %v", out.Adopted)
	}
	want := `{
  "id": "DEC-001",
  "timestamp": "2026-03-01T10:00:00Z",
  "decision": "Plant in rows",
  "weather": 1.50,
  "origin": "imported"
}
`
	if got := h.read(names.Forgemind + "/decisions/DEC-001.json"); got != want {
		t.Errorf("the Ledger holds\n%s", got)
	}
}

func TestSessionEndByHandTwiceChangesNothingTheSecondTime(t *testing.T) {
	h := build(t)
	h.clarity(3)
	if _, err := h.Trigger(context.Background(), "session_end"); err != nil {
		t.Fatal(err)
	}
	before := h.files()
	if !strings.Contains(before[names.Summaries+"/2026-03-02-session-01-summary.md"], "## Session") {
		t.Error("no summary was written")
	}
	if !strings.Contains(before[names.State], `"commands_executed": 2`) {
		t.Errorf("the counters did not reach the State:\n%s", before[names.State])
	}
	out, err := h.Trigger(context.Background(), "session_end")
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Changes) > 0 || !maps.Equal(before, h.files()) {
		t.Errorf("the second time wrote %v", out.Changes)
	}
}

// What was said since the last snapshot is the ending session's, not the next
// one's; a State that no command changed since may still lack figures.
func TestSessionEndTakesInWhatWasSaidSinceTheLastSnapshot(t *testing.T) {
	h := build(t)
	h.layer(1) // with a snapshot
	h.say(talk(3)...)
	if _, _, err := h.EndSession(context.Background()); err != nil {
		t.Fatal(err)
	}
	var last string
	for name, text := range h.files() {
		if strings.HasPrefix(name, names.History) && strings.Contains(name, "session_end") {
			last = text
		}
	}
	if !strings.Contains(last, `"messages_exchanged": 3`) {
		t.Errorf("the session's last snapshot is\n%s", last)
	}
	h.layer(2)
	if strings.Contains(h.read(names.State), `"messages_exchanged": 3`) {
		t.Errorf("the next session has what the last one said:\n%s", h.read(names.State))
	}
}

func TestFullSyncTwiceWritesOnce(t *testing.T) {
	h := build(t)
	write(t, h.root, names.Config, `{"refresh_triggers": [{"name": "sync", "condition": "command == 'x'", "actions": ["full_sync_all_files"]}]}`)
	h.say(talk(3)...)
	for _, want := range []int{1, 0} {
		out, err := h.Trigger(context.Background(), "sync")
		if err != nil || len(out.Changes) != want {
			t.Fatalf("%v changed, %v; %d documents are to", out.Changes, err, want)
		}
	}
	if !strings.Contains(h.read(names.State), `"messages_exchanged": 3`) {
		t.Errorf("the figures did not reach the State:\n%s", h.read(names.State))
	}
}

func TestTreeWithoutAStateSaysSo(t *testing.T) {
	root := t.TempDir()
	write(t, root, names.Config, "{}\n")
	_, err := enter(t, root).SetProject(context.Background(), map[string]any{"clarity": 1})
	if !errors.Is(err, state.ErrNoState) {
		t.Errorf("%v", err)
	}
}
