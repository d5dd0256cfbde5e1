package templates_test

import (
	"strings"
	"testing"

	"github.com/forgemind/forgemind/templates"
)

func TestAgentNotesHaveTheSameSections(t *testing.T) {
	facilitator, err := templates.MemoryNote("facilitator-notes.md")
	if err != nil {
		t.Fatal(err)
	}
	for name, title := range map[string]string{"qa-engineer-notes.md": "# Qa engineer notes\n", "ärztin-2-notes.md": "# Ärztin 2 notes\n"} {
		got, err := templates.MemoryNote(name)
		want := strings.Replace(string(facilitator), "# Facilitator notes\n", title, 1)
		if err != nil || string(got) != want {
			t.Errorf("%s: %v\n%s", name, err, got)
		}
	}
	for _, name := range []string{"-notes.md", "../x-notes.md", "a\n# b-notes.md", "notes.md"} {
		if text, err := templates.MemoryNote(name); err == nil {
			t.Errorf("%q gives %q", name, text)
		}
	}
}
