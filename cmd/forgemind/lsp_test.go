package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// runLSP gives messages to a forgemind lsp in a directory, and returns what it wrote and its exit
// code.
func runLSP(t *testing.T, dir string, messages ...string) (out string, code int) {
	t.Helper()
	var in bytes.Buffer
	for _, m := range messages {
		fmt.Fprintf(&in, "Content-Length: %d\r\n\r\n%s", len(m), m)
	}
	command := exec.Command("forgemind", "lsp")
	command.Dir, command.Stdin = dir, &in
	src, err := command.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(src), command.ProcessState.ExitCode()
}

// TestLSPFraming: an editor reads headers and bodies byte for byte, and the exit code tells whether
// it asked to shut down.
func TestLSPFraming(t *testing.T) {
	t.Parallel()
	const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`
	const shutdown, exit = `{"jsonrpc":"2.0","id":2,"method":"shutdown"}`, `{"jsonrpc":"2.0","method":"exit"}`
	out, code := runLSP(t, t.TempDir(), initialize, shutdown, exit)
	if code != exitDone || !strings.HasPrefix(out, "Content-") || strings.Count(out, "\r\n\r\n{") != 2 || !strings.Contains(out, `"id":2,"result":null`) {
		t.Errorf("exit code %d and %q", code, out)
	}
	if _, code := runLSP(t, t.TempDir(), initialize, exit); code != exitFindings {
		t.Errorf("exit without shutdown: exit code %d, want %d", code, exitFindings)
	}
	if _, code := runLSP(t, t.TempDir(), initialize); code != exitDone {
		t.Errorf("the end of the input: exit code %d, want %d", code, exitDone)
	}
}

// TestLSPInNeovim opens a wrong decision in a real editor, mends it there, and asks what a member
// means.
func TestLSPInNeovim(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("nvim"); err != nil {
		t.Skip("nvim is not installed, so no real editor speaks to forgemind lsp: apt-get install neovim")
	}
	dir, home := t.TempDir(), t.TempDir()
	ran(t, dir, "init")
	const name = ".forgemind/decisions/DEC-A.json"
	text := "{\n  \"id\": \"DEC-A\",\n  \"timestamp\": \"2026-11-02T10:00:00Z\",\n  \"decision\": 7\n}\n"
	if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	script, err := filepath.Abs("testdata/lsp/nvim.lua")
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), "nvim", "--headless", "-u", "NONE", "-n", "-c", "luafile "+script)
	command.Dir = dir
	command.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_STATE_HOME="+home, "XDG_CACHE_HOME="+home, "XDG_DATA_HOME="+home)
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"4:15: decision must be a string, found 7", "[schema]", "left: 0", "Why."} {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

// TestEditorsAreDocumented holds docs/editors.md to what init --editor prints.
func TestEditorsAreDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/editors.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range editorSettings() {
		dir := t.TempDir()
		if got := ran(t, dir, "init", "--editor", e.Editor); got != e.Text || !strings.Contains(string(page), "\n"+e.Text+"```") {
			t.Errorf("%s: printed %q, and docs/editors.md has another text", e.Editor, got)
		}
		if made, _ := os.ReadDir(dir); len(made) > 0 {
			t.Errorf("%s: init --editor created %v", e.Editor, made)
		}
	}
}
