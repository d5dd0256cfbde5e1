package templates

import (
	"bytes"
	"embed"
	"fmt"
	"strings"
	"unicode"
)

//go:embed memory/*.md
var memory embed.FS

// MemoryNotes lists the file names of the notes that a new tree's memory
// begins with.
func MemoryNotes() []string {
	return []string{
		"facilitator-notes.md",
		"ba-agent-notes.md",
		"domain-expert-notes.md",
		"boss-preferences.md",
		"project-knowledge.md",
	}
}

// MemoryNote returns the empty note of that file name: a title and the
// sections that entries go to. Every agent's own notes, `<agent>-notes.md`, have
// the same sections.
func MemoryNote(name string) ([]byte, error) {
	if text, err := memory.ReadFile("memory/" + name); err == nil {
		return text, nil
	}
	agent, ok := strings.CutSuffix(name, "-notes.md")
	if !ok || agent == "" || strings.ContainsFunc(agent, func(r rune) bool { return r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		return nil, fmt.Errorf("memory note %q: there is none of that name", name)
	}
	text, err := memory.ReadFile("memory/facilitator-notes.md")
	if err != nil {
		return nil, fmt.Errorf("memory note %q: %w", name, err)
	}
	_, sections, _ := bytes.Cut(text, []byte("\n"))
	title := []rune(strings.ReplaceAll(agent, "-", " "))
	title[0] = unicode.ToUpper(title[0])
	return append([]byte("# "+string(title)+" notes\n"), sections...), nil
}
