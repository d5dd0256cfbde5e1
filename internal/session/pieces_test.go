package session_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/internal/compact"
	"github.com/forgemind/forgemind/internal/relevance"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// report returns a message of many paragraphs.
func report(paragraphs int) string {
	var b strings.Builder
	for i := range paragraphs {
		fmt.Fprintf(&b, "Row %d was pruned in the week of the frost. It bore %d baskets of pears, and the ladder stayed where it was.\n\n", i, 3*i)
	}
	return b.String()
}

func TestALongMessageLeavesInPieces(t *testing.T) {
	text := report(100)
	said := schema.Message{ID: "m-9", Timestamp: "2026-03-02T09:03:00Z", Agent: "BA Agent", Role: "assistant", Content: text, Tokens: 2001, Counter: "o200k"}
	line, err := session.Encode(said)
	if err != nil {
		t.Fatal(err)
	}
	src := append([]byte(talk), append(line, '\n')...)
	plan := only(src, 2)
	for i := range plan.Steps {
		if s := &plan.Steps[i]; s.Verdict != compact.Kept {
			s.Parts = &relevance.Parts{Similarity: 0.31254, Hours: 2.5, Important: true, Score: 250}
			if s.Index == 3 {
				s.Tokens = 2001
			}
		}
	}
	out, chunks, err := session.Apply(src, session.Read(src), plan, session.Compaction{
		Session: "conv-1", Counter: "o200k", Prompt: "pears", RecoverableUntil: "2026-04-01T09:00:00Z",
	})
	if err != nil {
		t.Fatal(err)
	}
	long := slices.DeleteFunc(slices.Clone(chunks), func(c schema.Chunk) bool { return c.MessageID != "m-9" })
	together, tokens, ids := "", 0, map[string]bool{}
	for i, c := range long {
		together, tokens, ids[c.ChunkID] = together+c.Content, tokens+int(c.Tokens), true
		if int(c.Part) != i+1 || int(c.Parts) != len(long) || c.Line != 3 || (i == 0) != (len(c.Message) > 0) || len(c.Content) > 4<<10 || c.Tokens == 0 {
			t.Errorf("piece %d: %d bytes, %d tokens, part %d of %d, line %d", i, len(c.Content), c.Tokens, c.Part, c.Parts, c.Line)
		}
		if m, ok := session.MessageOfChunk(c); ok != (i == 0) || ok && m.Content != text {
			t.Errorf("piece %d is the message: %v", i, ok)
		}
	}
	if len(long) < 4 || together != text || tokens != 2001 || len(ids) != len(long) {
		t.Errorf("%d pieces with %d ids, of %d of %d bytes and %d tokens", len(long), len(ids), len(together), len(text), tokens)
	}
	for _, c := range chunks {
		if c.MessageID == "" || c.Similarity == nil || *c.Similarity != 0.313 || c.Hours == nil || *c.Hours != 2.5 || !c.Important ||
			c.PromptAtDrop != "pears" || c.RecoverableUntil != "2026-04-01T09:00:00Z" || c.DropReason != "low relevance" {
			t.Errorf("%+v", c)
		}
		if c.MessageID != "m-9" && (c.Part != 0 || c.Parts != 0) {
			t.Errorf("a short message is part %d of %d", c.Part, c.Parts)
		}
	}
	// Only the first is needed to take it back.
	first := slices.DeleteFunc(slices.Clone(chunks), func(c schema.Chunk) bool { return c.Part > 1 })
	for _, c := range [][]schema.Chunk{chunks, first} {
		before, n, err := undo(out, shelved(t, c))
		if err != nil || n != 3 || !bytes.Equal(before, src) {
			t.Errorf("%d came back, %v", n, err)
		}
	}
	if _, _, err := undo(out, long[1:]); err == nil {
		t.Error("the later pieces alone are taken for the conversation")
	}
}
