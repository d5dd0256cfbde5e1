package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/internal/text"
	"github.com/rogpeppe/go-internal/testscript"
)

const readme = "../../README.md"

// TestReadme runs every sh block of README, as one story in a fresh directory.
// What README runs from a clone with `go run`, the built program runs here;
// `go test` is what runs this.
func TestReadme(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	var story strings.Builder
	for _, line := range shellLines(string(text)) {
		line = strings.Replace(line, "go run ./cmd/forgemind", "forgemind", 1)
		if !strings.HasPrefix(line, "go test") {
			story.WriteString(line + "\n")
		}
	}
	if strings.Count(story.String(), "forgemind") < 5 {
		t.Fatalf("this is no tour:\n%s", story.String())
	}
	dir := t.TempDir()
	script := "exec bash -eux tour.sh\n-- tour.sh --\n" + story.String()
	if err := os.WriteFile(filepath.Join(dir, "readme.txtar"), []byte(script), 0o666); err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, scripts(dir))
}

// shellLines returns the lines of the ```sh blocks of a markdown text.
func shellLines(markdown string) []string {
	var lines []string
	inside := false
	for line := range strings.Lines(markdown) {
		switch line = strings.TrimSuffix(line, "\n"); {
		case line == "```sh":
			inside = true
		case line == "```":
			inside = false
		case inside:
			lines = append(lines, line)
		}
	}
	return lines
}

// TestReadmeNamesCommandsThatExist: every command that README names exists.
func TestReadmeNamesCommandsThatExist(t *testing.T) {
	t.Parallel()
	src, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	known := names(started(testProgram(t)).app().Commands)
	for _, after := range strings.Split(string(src), "`forgemind ")[1:] {
		word, _, _ := strings.Cut(after, "`")
		word, _, _ = strings.Cut(word, " ")
		if word != "help" && text.Nearest(word, known) != word {
			t.Errorf("README tells of 'forgemind %s', which does not exist", word)
		}
	}
}
