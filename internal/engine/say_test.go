package engine_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/tokens"
	"github.com/forgemind/forgemind/schema"
)

// A message that a compaction removed is not added again, whatever wrote its line, in
// whatever form, and in however many parts.
func TestWhatLeftIsNotSaidAgain(t *testing.T) {
	t.Parallel()
	h := build(t)
	var lines strings.Builder
	said := []schema.Message{{
		ID: "msg-long", Timestamp: "2026-03-02T07:00:00Z", Agent: "Facilitator Agent", Role: "assistant",
		Content: strings.Repeat("a wall of stone ", 70<<10), // in two parts
	}}
	for i := range 30 {
		id, at, text := fmt.Sprintf("msg-%02d", i), fmt.Sprintf("2026-03-02T08:%02d:00Z", i), fmt.Sprintf("Step %d: mortar, stones, a dry week.", i)
		// A line with spaces, as other programs write it.
		fmt.Fprintf(&lines, `{"msg_id": %q, "timestamp": %q, "agent": "Facilitator Agent", "role": "assistant", "content": %q}`+"\n", id, at, text)
		said = append(said, schema.Message{ID: id, Timestamp: at, Agent: "Facilitator Agent", Role: "assistant", Content: text})
	}
	write(t, h.root, fs.Messages, lines.String())
	h.say(said[0])
	if _, _, err := h.Compact(context.Background(), engine.Compaction{Now: true}); err != nil {
		t.Fatal(err)
	}
	after := h.read(fs.Messages)
	if strings.Contains(after, "msg-03") || strings.Contains(after, "a wall of stone a wall") {
		t.Fatal("nothing left the conversation")
	}
	h.say(said...)
	if again := h.read(fs.Messages); again != after {
		t.Errorf("%d lines became %d", strings.Count(after, "\n"), strings.Count(again, "\n"))
	}
}

// However a conversation grew, its figures are those of counting all of it.
func TestTheFiguresFollowWhatIsSaid(t *testing.T) {
	t.Parallel()
	h := build(t)
	agree := func(when string) {
		t.Helper()
		kept, ok := session.ReadTally(h.Tree.Tree)
		counter, err := tokens.New(tokens.Default)
		if err != nil {
			t.Fatal(err)
		}
		if counted := session.Count(fs.Messages, []byte(h.read(fs.Messages)), counter.Count, counter.Name()); !ok || kept != counted {
			t.Errorf("%s: %+v is kept, %+v is counted", when, kept, counted)
		}
	}
	for _, m := range talk(5) {
		h.say(m)
		agree("after " + m.ID)
	}
	write(t, h.root, fs.Messages, strings.TrimSuffix(h.read(fs.Messages), "\n"))
	h.say(schema.Message{Content: "after a line without an end"})
	agree("after a line without an end")
	write(t, h.root, fs.Messages, h.read(fs.Messages)+`{"content": "somebody else's"}`+"\n")
	h.say(schema.Message{Content: "after somebody else"})
	agree("after somebody else")
}
