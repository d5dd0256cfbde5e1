package engine_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
)

// told makes a tree whose user configured a summarizer, with a conversation.
func told(t *testing.T, overview string, err error) *house {
	t.Helper()
	h := build(t)
	now := morning.Add(time.Hour)
	tree, fault := engine.Open(h.root, engine.Edge{
		Now: func() time.Time { now = now.Add(time.Minute); return now }, Random: rand.NewChaCha8([32]byte{7}),
		Summarise: func(_ context.Context, text string) (string, string, error) {
			if !strings.Contains(text, "Note 3 of bees") {
				t.Errorf("the summarizer was given\n%s", text)
			}
			return overview, "m-1 (openai), sha256 8b1480f1fac1 of what it read", err
		},
	})
	if fault != nil {
		t.Fatal(fault)
	}
	t.Cleanup(func() { tree.Close() })
	h.Tree = tree
	h.say(append(chat("bees", 30, 80, bees), prompt("msg-ask", "How long must mortar set?"))...)
	return h
}

// The user's summarizer retells what left: in the conversation, if there is room,
// and among the summaries, with the label of who did. Taking it back is as ever.
func TestACompactionIsRetold(t *testing.T) {
	t.Parallel()
	const label = "_By m-1 (openai), sha256 8b1480f1fac1 of what it read._"
	for _, c := range []struct {
		what, overview string
		err            error
		budget         int
		here, kept     bool
	}{
		{what: "short", overview: "Nine hives were marked.", here: true, kept: true},
		{what: "longer than SUMMARY_TARGET_TOKENS", overview: strings.Repeat("Nine hives were marked. ", 200), kept: true},
		{what: "longer than the budget leaves", overview: strings.Repeat("Nine hives were marked. ", 60), budget: 220, kept: true},
		{what: "none", overview: ""},
		{what: "failed", overview: "Nine hives were marked.", err: errors.New("no answer")},
	} {
		t.Run(c.what, func(t *testing.T) {
			h := told(t, c.overview, c.err)
			before := h.read(fs.Messages)
			done, out, err := h.Compact(context.Background(), engine.Compaction{Now: true, Strategy: "relevance", Budget: c.budget, Prompt: "mortar"})
			if err != nil || done.Empty() {
				t.Fatal(err, done.Notes)
			}
			head, _, _ := strings.Cut(h.read(fs.Messages), "\n")
			if here := strings.Contains(head, label) && strings.Contains(head, "Nine hives were marked."); here != c.here {
				t.Errorf("in the conversation: %v\n%s", here, head)
			}
			if kept := strings.Contains(h.read(done.Summary), "## Overview of compaction "+done.ID) && strings.Contains(h.read(done.Summary), label); kept != c.kept {
				t.Errorf("among the summaries: %v", kept)
			}
			if noted := strings.Contains(strings.Join(out.Notes, "\n"), "was not rewritten: no answer"); noted != (c.err != nil) {
				t.Errorf("notes: %q", out.Notes)
			}
			if _, _, _, err := h.Uncompact(context.Background()); err != nil || h.read(fs.Messages) != before {
				t.Errorf("taken back it is other than before: %v", err)
			}
		})
	}
}
