//go:build linux

package faults_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// inHouse is a command of somebody who lives beside the project directory dir: home
// and state are folders there, and no agent's folder is elsewhere.
func inHouse(dir string, args ...string) *exec.Cmd {
	cmd := command(dir, args...)
	home := filepath.Join(filepath.Dir(dir), "home")
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home+"/.config", "XDG_STATE_HOME="+home+"/.local/state", "XDG_CACHE_HOME="+home+"/.cache",
		"CLAUDE_CONFIG_DIR=", "CODEX_HOME=", "GEMINI_CLI_HOME=", "COPILOT_HOME=")
	return cmd
}

// copyHouse copies the project directory dir and the home beside it.
func copyHouse(t *testing.T, dir string) string {
	t.Helper()
	to := copyTree(t, dir)
	home := filepath.Join(filepath.Dir(dir), "home")
	if _, err := os.Stat(home); err != nil {
		return to
	}
	there := filepath.Join(filepath.Dir(to), "home")
	if err := os.Mkdir(there, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := copyInto(home, there); err != nil {
		t.Fatal(err)
	}
	return to
}

// copyTree copies dir, with modes, to a fresh directory.
func copyTree(t *testing.T, dir string) string {
	t.Helper()
	to := newDir(t)
	if err := copyInto(dir, to); err != nil {
		t.Fatal(err)
	}
	return to
}

func copyInto(from, to string) error {
	return filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(from, path)
		info, err := entry.Info()
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		if entry.IsDir() {
			if rel == "." {
				return nil
			}
			return os.Mkdir(target, info.Mode().Perm())
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(target, text, info.Mode().Perm())
	})
}
