package git

import (
	"errors"
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"testing"
)

func TestAuthor(t *testing.T) {
	t.Setenv("HOME", t.TempDir()) // no configuration of the user
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	dir := repository(t, map[string]string{state: "one"})
	name := func(env map[string]string) string {
		t.Helper()
		name, err := Author(t.Context(), dir, func(name string) string { return env[name] })
		if err != nil {
			t.Error(err)
		}
		return name
	}
	git(t, dir, "config", "user.name", "Ada  Lovelace")
	same(t, "of the repository", []string{name(nil)}, []string{"Ada Lovelace"})
	git(t, dir, "config", "author.name", "Ada the author")
	same(t, "of authors", []string{name(nil)}, []string{"Ada the author"})
	same(t, "of the environment", []string{name(map[string]string{"GIT_AUTHOR_NAME": "Grace\nHopper", "USER": "g"})}, []string{"Grace Hopper"})

	git(t, dir, "config", "--unset-all", "author.name")
	git(t, dir, "config", "--unset-all", "user.name")
	same(t, "of the login", []string{name(map[string]string{"USER": "grace"})}, []string{"grace"})
	t.Setenv("PATH", t.TempDir())
	same(t, "without git", []string{name(map[string]string{"USER": "grace"})}, []string{"grace"})
	if who, err := user.Current(); err == nil {
		same(t, "of the system", []string{name(nil)}, []string{who.Username})
	}
}

// If git cannot run or fails, it is unknown whether it has a name, and Author returns
// ErrAuthor.
func TestAuthorWithoutAnAnswerOfGit(t *testing.T) {
	needsUnix(t)
	for _, test := range []struct{ git, wants string }{
		{"no program", "git config: fork/exec"},
		{"#!/bin/sh\necho \"fatal: unable to access '/home/ada/.gitconfig': Too many open files\" >&2; exit 128\n", "/home/ada/.gitconfig': Too many open files"},
		{"#!/bin/sh\nkill -9 $$\n", "git config: signal: killed"},
	} {
		bin := t.TempDir()
		if err := os.WriteFile(filepath.Join(bin, "git"), []byte(test.git), 0o755); err != nil {
			t.Fatal(err)
		}
		t.Setenv("PATH", bin)
		login := func(name string) string { return map[string]string{"USER": "grace"}[name] }
		name, err := Author(t.Context(), t.TempDir(), login)
		if name != "" || !errors.Is(err, ErrAuthor) || !strings.Contains(err.Error(), test.wants) {
			t.Errorf("%q: %q, %v; want the error %q", test.git, name, err, test.wants)
		}
		if name, err := Author(t.Context(), t.TempDir(), func(string) string { return "Ada" }); name != "Ada" || err != nil {
			t.Errorf("%q, with a name in the environment: %q, %v", test.git, name, err)
		}
	}
}
