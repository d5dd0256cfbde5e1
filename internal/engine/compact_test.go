package engine_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/cold"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/schema"
)

// talk is a conversation of n messages, one of which is a decision.
func talk(n int) []schema.Message {
	var all []schema.Message
	for i := range n {
		m := schema.Message{
			ID: fmt.Sprintf("msg-%03d", i), Timestamp: fmt.Sprintf("2026-03-02T08:%02d:00Z", i%60), Agent: "Facilitator Agent", Role: "assistant",
			Content: fmt.Sprintf("Step %d: the orchard's wall needs mortar, stones and a dry week before the frost comes.", i),
		}
		switch {
		case i == 4:
			m.Agent, m.Role, m.Content = "Boss", "user", "Decision: pears along the south wall."
		case i%3 == 0:
			m.Agent, m.Role, m.Kind, m.ToolName = "Read", "tool", "tool_output", "Read"
			m.Content = strings.Repeat("stone mortar lime sand ", 20)
		}
		all = append(all, m)
	}
	return all
}

// narrow gives the State a window of so many tokens.
func (h *house) narrow(tokens int) {
	h.t.Helper()
	h.save(fs.State, `"total_tokens": 200000`, fmt.Sprintf(`"total_tokens": %d`, tokens))
	h.save(fs.State, `"available_tokens": 200000`, fmt.Sprintf(`"available_tokens": %d`, tokens))
	h.look()
}

func (h *house) say(messages ...schema.Message) engine.Outcome {
	h.t.Helper()
	_, out, err := h.Say(context.Background(), messages)
	if err != nil {
		h.t.Fatal(err)
	}
	return out
}

func TestAFullWindowIsCompacted(t *testing.T) {
	h := build(t)
	h.narrow(2500)
	all := talk(50)
	out := h.say(all...)
	if got := fired(out); got != "context_window_threshold" {
		t.Fatalf("fired %q", got)
	}
	for _, a := range out.Fired[0].Actions {
		if a.Err != nil || !a.Built {
			t.Errorf("%s: %v", a.Action, a.Err)
		}
	}
	conversation := h.read(fs.Messages)
	if !strings.Contains(conversation, `"kind":"summary"`) || !strings.Contains(conversation, all[4].Content) {
		t.Errorf("no summary, or no decision, in\n%s", conversation)
	}
	for _, m := range all[len(all)-10:] {
		if !strings.Contains(conversation, m.ID) {
			t.Errorf("%s, one of the last ten, is gone", m.ID)
		}
	}
	state := h.read(fs.State)
	for _, figure := range []string{`"compressions_this_session": 1`, `"last_compaction": "2026-03-02T09:`, `"messages": `} {
		if !strings.Contains(state, figure) {
			t.Errorf("the State lacks %s\n%s", figure, state)
		}
	}
	chunks, faults, err := cold.List(h.Tree.Tree)
	if err != nil || len(faults) > 0 || len(chunks) == 0 {
		t.Fatalf("%d chunks, %v, %v", len(chunks), faults, err)
	}
	for _, m := range all { // nothing is nowhere
		inCold := false
		for _, c := range chunks {
			inCold = inCold || strings.Contains(string(c.Message), `"`+m.ID+`"`)
		}
		if live := strings.Contains(conversation, `"`+m.ID+`"`); live == inCold {
			t.Errorf("%s: in the conversation %v, in cold storage %v", m.ID, live, inCold)
		}
	}
	before := h.files()
	done, again, err := h.Compact(context.Background(), engine.Compaction{})
	if err != nil || !done.Empty() || len(again.Changes) > 0 || !maps.Equal(before, h.files()) {
		t.Errorf("a second compaction did %v, %v", again.Changes, err)
	}
	if out := h.say(schema.Message{Content: "One more word."}); fired(out) != "" {
		t.Errorf("one more word fired %q", fired(out))
	}
}

func TestUncompactRestoresTheConversation(t *testing.T) {
	h := build(t)
	h.say(talk(40)...)
	before := h.read(fs.Messages)
	done, _, err := h.Compact(context.Background(), engine.Compaction{Strategy: "psd", Now: true})
	if err != nil || done.ID == "" {
		t.Fatalf("%+v, %v", done, err)
	}
	h.say(schema.Message{ID: "msg-late", Content: "Said since."})
	id, n, _, err := h.Uncompact(context.Background())
	if err != nil || id != done.ID || n == 0 {
		t.Fatalf("%s, %d, %v", id, n, err)
	}
	after := h.read(fs.Messages)
	rest, ok := strings.CutPrefix(after, before)
	if !ok || !strings.Contains(rest, "msg-late") || strings.Count(rest, "\n") != 1 {
		t.Errorf("what stood there does not stand there again; after it:\n%s", rest)
	}
	if _, _, _, err := h.Uncompact(context.Background()); !errors.Is(err, engine.ErrNotCompacted) {
		t.Errorf("a second time: %v", err)
	}
}

// A fault that a conversation had is no reason to keep from people what they
// ask back: a line that stands there twice, one that holds no message, a torn
// one.
func TestUncompactRestoresFaultsAsWell(t *testing.T) {
	t.Parallel()
	h := build(t)
	h.say(talk(40)...)
	src := h.read(fs.Messages)
	first, _, _ := strings.Cut(src, "\n")
	before := src + first + "\nnothing of ours\n" + `{"msg_id": "msg-torn`
	write(t, h.root, fs.Messages, before)
	if _, _, err := h.Compact(context.Background(), engine.Compaction{Strategy: "psd", Now: true}); err != nil {
		t.Fatal(err)
	}
	if _, _, _, err := h.Uncompact(context.Background()); err != nil {
		t.Fatal(err)
	}
	if after := h.read(fs.Messages); after != before {
		t.Errorf("what stood there does not stand there again:\n%s", after)
	}
}

// What comes back may fill the window; whoever asked for it does not want it
// compacted at once. When it is compacted again, nothing is there twice.
func TestUncompactInAFullWindowStays(t *testing.T) {
	h := build(t)
	h.say(talk(50)...)
	before := h.read(fs.Messages)
	h.narrow(2500)
	if h.read(fs.Messages) == before {
		t.Fatal("a narrow window compacted nothing")
	}
	if _, _, _, err := h.Uncompact(context.Background()); err != nil {
		t.Fatal(err)
	}
	if h.read(fs.Messages) != before {
		t.Error("what came back was compacted at once")
	}
	if h.look(); h.read(fs.Messages) != before {
		t.Error("what came back was compacted at the next look")
	}
	if _, _, err := h.Compact(context.Background(), engine.Compaction{}); err != nil {
		t.Fatal(err)
	}
	chunks, _, err := cold.List(h.Tree.Tree)
	seen := map[string]bool{}
	for _, c := range chunks {
		if seen[string(c.Message)] {
			t.Errorf("twice in cold storage: %s", c.Message)
		}
		seen[string(c.Message)] = true
	}
	if err != nil || len(chunks) == 0 {
		t.Errorf("%d chunks, %v", len(chunks), err)
	}
}

func TestWhatIsImportedTwiceIsThereOnce(t *testing.T) {
	h := build(t)
	h.say(talk(40)...)
	before := h.read(fs.Messages)
	h.say(talk(40)...)
	if h.read(fs.Messages) != before {
		t.Error("the same messages were added again")
	}
	if _, _, err := h.Compact(context.Background(), engine.Compaction{Strategy: "psd", Now: true}); err != nil {
		t.Fatal(err)
	}
	compacted := h.read(fs.Messages)
	h.say(talk(40)...)
	if h.read(fs.Messages) != compacted {
		t.Error("what is in cold storage was added again")
	}
}

func TestAMajorDecisionThatIsSaidIsRecorded(t *testing.T) {
	h := build(t)
	said := schema.Message{ID: "msg-1", Timestamp: "2026-03-02T08:00:00Z", Agent: "Boss", Content: "Decision: no apples.", Priority: "high"}
	if got := fired(h.say(said)); got != "boss_major_decision" {
		t.Fatalf("fired %q", got)
	}
	id := schema.DerivedID("DEC-", []byte("msg-1\nDecision: no apples."))
	decision := h.read(fs.Forgemind + "/" + fs.DecisionsDir + "/" + id + ".json")
	if !strings.Contains(decision, `"origin": "detected"`) || !strings.Contains(decision, `"confidence": 0.8`) {
		t.Errorf("the Ledger has\n%s", decision)
	}
	if note := h.read(fs.Forgemind + "/memory/facilitator-notes.md"); strings.Count(note, "no apples") != 1 {
		t.Errorf("the notes have\n%s", note)
	}
	if got := fired(h.say(schema.Message{Agent: "Boss", Content: "Decision: and no plums."})); got != "" {
		t.Errorf("a decision of normal priority fired %q", got)
	}
}

// A trigger of one's own may ask for less than a major decision; what is said
// after a decision does not hide it.
func TestADecisionThatIsSaidIsRecordedWhereATriggerAsksForIt(t *testing.T) {
	h := build(t)
	write(t, h.root, fs.Config, `{"refresh_triggers": [
		{"name": "decided", "condition": "is_boss_decision(message)", "actions": ["add_to_immutable_decisions"]}]}`)
	out := h.say(
		schema.Message{ID: "msg-1", Timestamp: "2026-03-02T08:00:00Z", Agent: "Boss", Content: "Decision: no apples."},
		schema.Message{ID: "msg-2", Timestamp: "2026-03-02T08:01:00Z", Agent: "BA Agent", Content: "As you say."},
	)
	if got := fired(out); got != "decided" {
		t.Fatalf("fired %q", got)
	}
	h.read(fs.Forgemind + "/" + fs.DecisionsDir + "/" + schema.DerivedID("DEC-", []byte("msg-1\nDecision: no apples.")) + ".json")
}
