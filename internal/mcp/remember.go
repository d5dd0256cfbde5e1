package mcp

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/memory"
	"github.com/forgemind/forgemind/internal/operation"
	"github.com/forgemind/forgemind/internal/secret"
	"github.com/forgemind/forgemind/schema"
)

// lasting returns the types of entries that outlive a session, except decisions, which have their
// own tool.
func lasting() []string {
	return slices.DeleteFunc(slices.Clone(memory.Types()), func(t string) bool { return t == memory.BossDecision })
}

func rememberTool() tool {
	return tool{
		name: "remember", title: "Keep something in mind",
		about: "Note something for every prompt of the active session; with type, note it in the project's memory, which outlives the session.",
		members: []member{
			{name: "text", kind: text, must: true, most: longText, about: "what to keep in mind"},
			{name: "type", kind: text, words: lasting(), about: "the type, if it should outlive the session"},
		},
		writes: true, again: true,
		run: (*call).remember,
	}
}

// A remembered is the result of the tool remember.
type remembered struct {
	Version int    `json:"version"`
	ID      string `json:"id"`
	Text    string `json:"text"`
	Type    string `json:"type,omitempty"`
	Note    string `json:"note,omitempty"` // file of the entry
}

func (c *call) remember() (answer, error) {
	return c.change(func(tree *engine.Tree) (string, any, engine.Outcome, error) {
		if kind := c.text("type"); kind != "" {
			e := memory.Entry{Type: kind, Text: c.text("text")}
			name, out, err := tree.Remember(c.ctx, e)
			e.Text, _ = secret.Mask(e.Text) // as it was written
			id := entryID(entriesOf(tree.Read, name), name, e.Text)
			return fmt.Sprintf("remembered %s in %s: %s", id, path.Base(name), inline(e.Text, 400)), remembered{1, id, clip(e.Text, 1000), kind, name}, out, err
		}
		n, out, err := operation.AddNote(c.ctx, tree, schema.Note{Note: c.text("text"), Agent: c.agent})
		id := cmp.Or(n.ID, n.Note)
		return fmt.Sprintf("remembered %s: %s", clip(id, 200), inline(n.Note, 400)), remembered{1, id, clip(n.Note, 1000), "", ""}, out, err
	})
}

// entryID returns the id of the last entry of a note with the given text, without regard to
// markdown.
func entryID(entries []string, name, text string) string {
	letters := func(s string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				return r
			}
			return -1
		}, s)
	}
	for _, entry := range slices.Backward(entries) {
		if strings.Contains(letters(entry), letters(text)) {
			return memory.EntryID(name, entry)
		}
	}
	return memory.EntryID(name, text)
}

// entriesOf returns the entries of a note.
func entriesOf(load func(name string) ([]byte, error), name string) (entries []string) {
	src, err := load(name)
	if err != nil {
		return nil
	}
	sections, _ := memory.Read(src)
	for _, s := range sections {
		entries = append(entries, s.Entries...)
	}
	return entries
}
