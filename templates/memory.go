package templates

import (
	"embed"
	"fmt"
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
// sections that entries go to. Every agent's own notes have the same sections.
func MemoryNote(name string) ([]byte, error) {
	text, err := memory.ReadFile("memory/" + name)
	if err != nil {
		return nil, fmt.Errorf("memory note %q: there is none of that name", name)
	}
	return text, nil
}
