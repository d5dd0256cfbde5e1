package templates_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/templates"
)

func TestMemoryNotesHaveATitleAndSections(t *testing.T) {
	for _, name := range templates.MemoryNotes() {
		text, err := templates.MemoryNote(name)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(text), "\n")
		if !strings.HasPrefix(lines[0], "# ") || bytes.Count(text, []byte("\n## ")) < 5 {
			t.Errorf("%s: want a title and at least five sections, got:\n%s", name, text)
		}
		if !bytes.HasSuffix(text, []byte("\n")) || bytes.Contains(text, []byte("\r")) {
			t.Errorf("%s: want LF and a final newline", name)
		}
	}
}

func TestUnknownMemoryNote(t *testing.T) {
	for _, name := range []string{"", "x.md", "../git.go", "memory"} {
		if text, err := templates.MemoryNote(name); err == nil {
			t.Errorf("%q: got %q", name, text)
		}
	}
}

func TestGitAttributesKeepLineEndings(t *testing.T) {
	for _, folder := range []string{".forgemind", ".quaid"} {
		if text := templates.GitAttributes(folder); !bytes.Contains(text, []byte("\n* -text\n")) {
			t.Errorf("%s: line endings may be converted:\n%s", folder, text)
		}
	}
}

// Git merges append-only files line by line, in both folders.
func TestGitAttributesMergeByUnion(t *testing.T) {
	for _, folder := range []string{".forgemind", ".quaid"} {
		for _, name := range []string{"channels/*/messages.jsonl", "threads/*/*.jsonl", "context/clarifications.jsonl"} {
			if text := templates.GitAttributes(folder); !bytes.Contains(text, []byte("\n"+name+" merge=union\n")) {
				t.Errorf("%s: %s is not merged by union:\n%s", folder, name, text)
			}
		}
	}
}
