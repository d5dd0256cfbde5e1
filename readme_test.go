package forgemind_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The program that docs/api.md shows is one of another module: it compiles with what
// can be named there, and runs.
func TestTheDocumentedProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("it is linked")
	}
	readme, err := os.ReadFile("docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	_, program, ok := strings.Cut(string(readme), "```go\n")
	program, _, closed := strings.Cut(program, "```\n")
	if !ok || !closed || !strings.HasPrefix(program, "package main\n") {
		t.Fatal("docs/api.md shows no program")
	}
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile("go.sum")
	if err != nil {
		t.Fatal(err)
	}
	// The same versions, so that nothing has to be asked for.
	text := regexp.MustCompile(`(?m)^module .*$`).ReplaceAllString(string(mod), "module example.org/agent")
	text += "\nrequire " + module + " v0.0.0\nreplace " + module + " => " + here + "\n"
	dir := t.TempDir()
	write := func(name, text string) error { return os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644) }
	if err := errors.Join(write("go.mod", text), write("go.sum", string(sums)), write("main.go", program)); err != nil {
		t.Fatal(err)
	}
	run := func(in, what string, args ...string) string {
		t.Helper()
		command := exec.CommandContext(t.Context(), what, args...)
		command.Dir = in
		command.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", "GOPROXY=off")
		out, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", what, err, out)
		}
		return string(out)
	}
	binary := filepath.Join(dir, "agent.exe")
	run(dir, "go", "build", "-o", binary, ".")
	if said := run(newProject(t), binary); !strings.Contains(said, "of 100000 tokens") || !strings.Contains(said, "ended session-") {
		t.Errorf("it says %s", said)
	}
}
