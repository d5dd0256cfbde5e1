package git

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// script makes a program that leaves a canary file and then runs the commands of then.
func script(t *testing.T, canary, then string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "evil")
	if err := os.WriteFile(file, []byte("#!/bin/sh\n: >'"+canary+"'\n"+then+"\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	return file
}

// sings reports whether the canary file exists, and removes it.
func sings(t *testing.T, canary string) bool {
	t.Helper()
	return os.Remove(canary) == nil
}

func TestNothingOfARepositoryIsRun(t *testing.T) {
	needsUnix(t)
	dir := repository(t, map[string]string{
		state: "one", ledger: "one",
		".gitattributes": "* filter=evil diff=evil merge=evil text eol=crlf\n",
	})
	canary := filepath.Join(t.TempDir(), "canary")
	evil := script(t, canary, "cat")
	for _, hook := range []string{"post-index-change", "post-checkout", "pre-commit", "reference-transaction", "fsmonitor-watchman", "pre-auto-gc"} {
		if err := os.Symlink(evil, filepath.Join(dir, ".git", "hooks", hook)); err != nil {
			t.Fatal(err)
		}
	}
	for _, knob := range []string{
		"core.fsmonitor", "core.pager", "core.editor", "core.sshCommand", "core.askPass", "core.alternateRefsCommand",
		"diff.external", "diff.evil.command", "diff.evil.textconv", "merge.evil.driver", "filter.evil.clean", "filter.evil.smudge",
		"filter.evil.process", "credential.helper", "gpg.program", "pager.ls-tree", "pager.cat-file", "pager.rev-parse",
		"pager.check-ignore", "alias.ls-tree", "alias.cat-file", "uploadpack.packObjectsHook", "interactive.diffFilter",
	} {
		git(t, dir, "config", knob, evil)
	}
	git(t, dir, "config", "filter.evil.required", "true")
	write(t, dir, state, "two") // git status must read it through the filter
	write(t, dir, quaid, "new")
	git(t, dir, "config", "--unset", "filter.evil.process")
	if gitAs(t, dir, "status"); !sings(t, canary) {
		t.Fatal("git status left no canary: the trap is not set")
	}
	git(t, dir, "config", "filter.evil.process", evil)
	sings(t, canary)

	before := contents(t, dir)
	r := open(t, dir, "HEAD")
	if got := contentOf(t, r, state); got != "one" {
		t.Errorf("got %q, want what is stored", got)
	}
	same(t, "names", namesOf(t, r, "."), []string{state, ledger})
	same(t, "changed", changed(t, dir), []string{state, quaid})
	if _, err := At(t.Context(), dir, "nobody"); err == nil {
		t.Error("nobody is a revision")
	}
	if busy := Find(dir).Busy(); busy != "" {
		t.Errorf("busy with %s", busy)
	}
	if sings(t, canary) {
		t.Error("something that the repository names was run")
	}
	untouched(t, dir, before)
}

func TestNothingIsFetched(t *testing.T) {
	needsUnix(t)
	origin := repository(t, map[string]string{state: "one", ledger: "two"})
	git(t, origin, "config", "uploadpack.allowFilter", "true")
	dir := filepath.Join(t.TempDir(), "clone")
	git(t, origin, "clone", "--quiet", "--filter=blob:none", "--no-checkout", "file://"+origin, dir)
	canary := filepath.Join(t.TempDir(), "canary")
	git(t, dir, "config", "remote.origin.uploadpack", script(t, canary, `exec git-upload-pack "$@"`))

	r := open(t, dir, "HEAD")
	same(t, "names", namesOf(t, r, "."), []string{state, ledger})
	if src, err := r.Read(state); err == nil {
		t.Errorf("read %q, which is not here", src)
	} else if !strings.Contains(err.Error(), state) {
		t.Errorf("the error does not name it: %v", err)
	}
	if sings(t, canary) {
		t.Error("a command of the remote was run")
	}
	if gitAs(t, dir, "cat-file", "-p", "HEAD:"+state); !sings(t, canary) {
		t.Fatal("git cat-file left no canary: the trap is not set")
	}
}

func TestVariablesOfAnotherRepository(t *testing.T) {
	dir := repository(t, map[string]string{state: "mine"})
	other := repository(t, map[string]string{state: "other", quaid: "other"})
	for name, value := range map[string]string{
		"GIT_DIR": filepath.Join(other, ".git"), "GIT_WORK_TREE": other, "GIT_INDEX_FILE": filepath.Join(other, ".git", "index"),
		"GIT_OBJECT_DIRECTORY": filepath.Join(other, ".git", "objects"), "GIT_PREFIX": "x/", "GIT_LITERAL_PATHSPECS": "1",
	} {
		t.Setenv(name, value)
	}
	r := open(t, dir, "HEAD")
	same(t, "names", namesOf(t, r, "."), []string{state})
	if got := contentOf(t, r, state); got != "mine" {
		t.Errorf("got %q", got)
	}
	write(t, dir, quaid, "new")
	same(t, "changed", changed(t, dir), []string{quaid})
}
