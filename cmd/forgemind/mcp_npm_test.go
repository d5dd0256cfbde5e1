//go:build npm

// This test has the clients of others speak to forgemind: `go test -tags npm -run
// TestMCPSecondClient ./cmd/forgemind`. It needs node and npm on the PATH, and a
// registry that npm reaches.
package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// The TypeScript SDKs of both eras, at fixed versions, list, call, err, read and
// prompt.
func TestMCPSecondClient(t *testing.T) {
	for _, tool := range []string{"node", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("there is no %s: the second client is not asked", tool)
		}
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/mcpclient")); err != nil {
		t.Fatal(err)
	}
	in := func(name string, arguments ...string) string {
		t.Helper()
		command := exec.Command(name, arguments...)
		command.Dir = dir
		out, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
		return string(out)
	}
	in("npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline")
	program, err := exec.LookPath("forgemind")
	if err != nil {
		t.Fatal(err)
	}
	out := in("node", "client.mjs", program, aTree(t))
	if strings.Count(out, ": ok\n") != 6 {
		t.Errorf("%s", out)
	}
	t.Log(out)
}
