package npm_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestMCPSecondClient lets the TypeScript SDKs of both eras, at fixed versions,
// list, call, err, read and prompt.
func TestMCPSecondClient(t *testing.T) {
	for _, tool := range []string{"node", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("there is no %s: the second client is not asked", tool)
		}
	}
	program := filepath.Join(t.TempDir(), "forgemind")
	run(t, "..", "go", "build", "-o", program, "./cmd/forgemind") // in the module of the program
	client := t.TempDir()
	if err := os.CopyFS(client, os.DirFS("testdata/mcpclient")); err != nil {
		t.Fatal(err)
	}
	run(t, client, "npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline")
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	out := run(t, client, "node", "client.mjs", program, newTree(t, program))
	if strings.Count(out, ": ok\n") != 6 {
		t.Errorf("%s", out)
	}
	t.Log(out)
}

// newTree returns a tree that has a record of some kinds.
func newTree(t *testing.T, program string) string {
	t.Helper()
	tree := t.TempDir()
	for _, arguments := range [][]string{
		{"init", "--layout", "both"},
		{"goal", "add", "Plant the south wall", "--priority", "high"},
		{"constraint", "add", "No pear that needs a warm winter, says walls/south.md"},
		{"decision", "add", "Plant Conference", "--rationale", "it pollinates itself", "--alternative", "Williams", "--file", "walls/south.md"},
		{"question", "ask", "Which mortar?"},
		{"message", "add", "The hives stand at the river since April", "--agent", "user"},
	} {
		run(t, tree, program, arguments...)
	}
	return tree
}

// run runs a program in dir to its end, and returns what it prints.
func run(t *testing.T, dir, program string, arguments ...string) string {
	t.Helper()
	command := exec.Command(program, arguments...)
	command.Dir = dir
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", program, arguments, err, out)
	}
	return string(out)
}
