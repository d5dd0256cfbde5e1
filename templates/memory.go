package templates

import (
	"bytes"
	"embed"
	"fmt"
	"strings"
	"unicode"
)

//go:embed memory/*.md
var noteFiles embed.FS

// MemoryNotes returns the file names of the notes in the memory folder of a new tree.
func MemoryNotes() []string {
	return []string{
		"facilitator-notes.md",
		"ba-agent-notes.md",
		"domain-expert-notes.md",
		"boss-preferences.md",
		"project-knowledge.md",
	}
}

// MemoryNote returns the empty note with the given file name: a title and the
// sections for entries. name is one of MemoryNotes or `<agent>-notes.md`; the notes
// of all agents have the same sections.
func MemoryNote(name string) ([]byte, error) {
	if text, err := noteFiles.ReadFile("memory/" + name); err == nil {
		return text, nil
	}
	agent, ok := strings.CutSuffix(name, "-notes.md")
	if !ok || agent == "" || strings.ContainsFunc(agent, func(r rune) bool { return r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		return nil, fmt.Errorf("unknown memory note %q", name)
	}
	text, err := noteFiles.ReadFile("memory/facilitator-notes.md")
	if err != nil {
		return nil, fmt.Errorf("memory note %q: %w", name, err)
	}
	_, sections, _ := bytes.Cut(text, []byte("\n"))
	title := []rune(strings.ReplaceAll(agent, "-", " "))
	title[0] = unicode.ToUpper(title[0])
	return append([]byte("# "+string(title)+" notes\n"), sections...), nil
}
