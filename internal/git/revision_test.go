package git

import (
	"context"
	"errors"
	"fmt"
	iofs "io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func TestARevisionIsReadAsItWas(t *testing.T) {
	dir := repository(t, map[string]string{
		state: "one\n", ledger: "", quaid: "q", "main.go": "package main",
		".forgemind/decisions.md": "beside the folder", ".forgemind/.local/lock": "never",
	})
	git(t, dir, "tag", "--annotate", "--message=x", "v1")
	commit(t, dir, map[string]string{state: "two\n", ".quaid/new.txt": "n"})
	write(t, dir, state, "not committed")

	for _, rev := range []string{"HEAD~1", "v1", "v1^{tree}", git(t, dir, "rev-parse", "--short", "v1^{commit}"), "main@{1}"} {
		r := open(t, dir, rev)
		same(t, rev, namesOf(t, r, "."), []string{state, ".forgemind/decisions.md", ledger, quaid})
		same(t, rev+" below a folder", namesOf(t, r, ".forgemind/decisions"), []string{ledger})
		same(t, rev+" of a file", namesOf(t, r, quaid), []string{quaid})
		same(t, rev+" of nothing", namesOf(t, r, ".forgemind/none"), nil)
		for name, want := range map[string]string{state: "one\n", ledger: "", quaid: "q"} {
			if got := contentOf(t, r, name); got != want {
				t.Errorf("%s: %s is %q, want %q", rev, name, got, want)
			}
		}
		for _, name := range []string{".quaid/new.txt", ".forgemind/.local/lock", "main.go", "", ".forgemind", "../x"} {
			if _, err := r.Read(name); !errors.Is(err, iofs.ErrNotExist) {
				t.Errorf("%s: reading %q: %v, want not exist", rev, name, err)
			}
		}
	}
	if got := contentOf(t, open(t, dir, "main"), state); got != "two\n" {
		t.Errorf("main holds %q", got)
	}
}

func TestATreeInASubdirectory(t *testing.T) {
	dir := repository(t, map[string]string{state: "outer", "a b/project/" + state: "inner"})
	inner := filepath.Join(dir, "a b", "project")
	r := open(t, inner, "HEAD")
	same(t, "names", namesOf(t, r, "."), []string{state})
	if got := contentOf(t, r, state); got != "inner" {
		t.Errorf("got %q", got)
	}
	same(t, "changed", changed(t, inner), nil)
	write(t, inner, state, "changed")
	write(t, inner, quaid, "new")
	same(t, "changed", changed(t, inner), []string{state, quaid})
	same(t, "changed outside", changed(t, dir), nil)
}

func TestAWorktree(t *testing.T) {
	dir := repository(t, map[string]string{state: "one"})
	other := filepath.Join(t.TempDir(), "other")
	git(t, dir, "worktree", "add", "--quiet", "-b", "side", other)
	commit(t, other, map[string]string{state: "side"})
	if got := contentOf(t, open(t, other, "HEAD"), state); got != "side" {
		t.Errorf("HEAD of the worktree holds %q", got)
	}
	same(t, "changed", changed(t, other), nil)
}

func TestSHA256(t *testing.T) {
	dir := repository(t, map[string]string{state: "one", quaid: "q"}, "--object-format=sha256")
	if got := contentOf(t, open(t, dir, "HEAD"), state); got != "one" {
		t.Errorf("got %q", got)
	}
	same(t, "changed", changed(t, dir), nil)
	write(t, dir, quaid, "r")
	same(t, "changed", changed(t, dir), []string{quaid})
}

func TestNamesOfAllBytes(t *testing.T) {
	needsUnix(t)
	names := []string{ // sorted
		".forgemind/ leading", ".forgemind/\"quoted\"", ".forgemind/a\tb", ".forgemind/a\nb", ".forgemind/a b.json",
		".forgemind/b*[x]?", ".forgemind/b\\c", ".forgemind/ö.json", ".forgemind/日本",
	}
	files := map[string]string{}
	for _, name := range names {
		files[name] = "content of " + name
	}
	dir := repository(t, files)
	r := open(t, dir, "HEAD")
	same(t, "names", namesOf(t, r, "."), names)
	for _, name := range names {
		if got := contentOf(t, r, name); got != files[name] {
			t.Errorf("%q holds %q", name, got)
		}
	}
	same(t, "changed", changed(t, dir), nil)
	write(t, dir, ".gitignore", "[x]\nignored*\n")
	write(t, dir, ".forgemind/ignored\nname", "")
	write(t, dir, ".forgemind/new\nname", "")
	write(t, dir, ".forgemind/a\nb", "changed")
	same(t, "changed", changed(t, dir), []string{".forgemind/a\nb", ".forgemind/new\nname"})
}

func TestLinksAreListedAndRefused(t *testing.T) {
	needsUnix(t)
	dir := repository(t, map[string]string{state: "one"})
	secret := filepath.Join(t.TempDir(), "secret")
	write(t, filepath.Dir(secret), "secret", "outside")
	if err := os.Symlink(secret, filepath.Join(dir, ".forgemind", "link.json")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(".forgemind", filepath.Join(dir, ".quaid")); err != nil {
		t.Fatal(err)
	}
	commit(t, dir, nil)
	git(t, dir, "update-index", "--add", "--cacheinfo", "160000,"+git(t, dir, "rev-parse", "HEAD")+",.forgemind/module")
	git(t, dir, "commit", "--quiet", "--message=module")
	r := open(t, dir, "HEAD")
	same(t, "names", namesOf(t, r, "."), []string{state, ".forgemind/link.json", ".forgemind/module", ".quaid"})
	for _, name := range []string{".forgemind/link.json", ".forgemind/module", ".quaid"} {
		if src, err := r.Read(name); err == nil || errors.Is(err, iofs.ErrNotExist) {
			t.Errorf("reading %s: %q, %v", name, src, err)
		}
	}
	if got := contentOf(t, r, state); got != "one" {
		t.Errorf("after refusals, %s holds %q", state, got)
	}
}

func TestTooLargeIsRefusedAndTheNextIsRead(t *testing.T) {
	dir := repository(t, map[string]string{
		".forgemind/big.json": strings.Repeat("x", maxFile+1), ".forgemind/full.json": strings.Repeat("x", maxFile),
		".forgemind/big.jsonl": strings.Repeat("x", maxFile+1), state: "one",
	})
	r := open(t, dir, "HEAD")
	if _, err := r.Read(".forgemind/big.json"); !errors.Is(err, ErrTooLarge) {
		t.Errorf("got %v", err)
	}
	if got := contentOf(t, r, state); got != "one" {
		t.Errorf("got %q", got)
	}
	if got := len(contentOf(t, r, ".forgemind/full.json")); got != maxFile {
		t.Errorf("got %d bytes", got)
	}
	if got := len(contentOf(t, r, ".forgemind/big.jsonl")); got != maxFile+1 {
		t.Errorf("got %d bytes", got)
	}
}

func TestManyReadAtOnce(t *testing.T) {
	files := map[string]string{}
	for i := range 500 {
		files[fmt.Sprintf(".forgemind/decisions/%03d.json", i)] = strings.Repeat(fmt.Sprint(i), i)
	}
	r := open(t, repository(t, files), "HEAD")
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for name := range r.Names(".") {
				if src, err := r.Read(name); err != nil || string(src) != files[name] {
					t.Errorf("%s: %q, %v", name, src, err)
				}
			}
		})
	}
	wg.Wait()
}

func TestRevisionsThatAreNone(t *testing.T) {
	dir := repository(t, map[string]string{state: "one"})
	for _, rev := range []string{
		"", "nobody", "HEAD~1", "--output=x", "-h", "--", "--batch-all-objects", "HEAD\nHEAD", "HEAD\x00", "\x1b[31mred", "a b", "HEAD missing",
		"HEAD:" + state, "HEAD:none", "^HEAD", "HEAD..HEAD", strings.Repeat("0", 40), strings.Repeat("x", 10<<10), "HEAD^{blob}",
	} {
		r, err := At(t.Context(), dir, rev)
		if !errors.Is(err, ErrUnknown) || errors.Is(err, ErrShallow) {
			t.Errorf("%.40q: %v, %v", rev, r, err)
		}
		if strings.HasPrefix(rev, "-") && !strings.Contains(fmt.Sprint(err), "none begins with '-'") {
			t.Errorf("%.40q: its message does not say why: %v", rev, err)
		}
		if err != nil && (strings.ContainsAny(err.Error(), "\n\x00\x1b") || len(err.Error()) > 500) {
			t.Errorf("%.40q: its message is not fit for a terminal: %.600q", rev, err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "x")); err == nil {
		t.Error("--output=x was an option")
	}
}

func TestAShallowCloneIsNamed(t *testing.T) {
	origin := repository(t, map[string]string{state: "one"})
	commit(t, origin, map[string]string{state: "two"})
	dir := filepath.Join(t.TempDir(), "clone")
	git(t, origin, "clone", "--quiet", "--depth=1", "file://"+filepath.ToSlash(origin), dir)
	if got := contentOf(t, open(t, dir, "HEAD"), state); got != "two" {
		t.Errorf("got %q", got)
	}
	same(t, "changed", changed(t, dir), nil)
	if _, err := At(t.Context(), dir, "HEAD~1"); !errors.Is(err, ErrUnknown) || !errors.Is(err, ErrShallow) {
		t.Errorf("got %v", err)
	}
}

func TestNoRepositoryAndNoGit(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(dir))
	for range 20 { // git may be gone before or after it is asked
		if _, err := At(t.Context(), dir, "HEAD"); !errors.Is(err, ErrNoRepository) {
			t.Fatalf("At: %v", err)
		}
	}
	if _, err := Changed(t.Context(), dir, "", disk(dir)); !errors.Is(err, ErrNoRepository) {
		t.Errorf("Changed: %v", err)
	}
	if v, err := Version(t.Context()); err != nil || v == "" || v[0] < '0' || v[0] > '9' {
		t.Errorf("Version: %q, %v", v, err)
	}
	t.Setenv("PATH", dir)
	if _, err := At(t.Context(), dir, "HEAD"); !errors.Is(err, ErrNotInstalled) {
		t.Errorf("At: %v", err)
	}
	if _, err := Changed(t.Context(), dir, "", disk(dir)); !errors.Is(err, ErrNotInstalled) {
		t.Errorf("Changed: %v", err)
	}
	if _, err := Version(t.Context()); !errors.Is(err, ErrNotInstalled) {
		t.Errorf("Version: %v", err)
	}
}

func TestARevisionEnds(t *testing.T) {
	dir := repository(t, map[string]string{state: "one"})
	r := open(t, dir, "HEAD")
	for range 2 {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := r.Read(state); err == nil {
		t.Error("a closed revision was read")
	}

	ctx, cancel := context.WithCancel(t.Context())
	r, err := At(ctx, dir, "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	for err == nil { // the process is ended in its own time
		_, err = r.Read(state)
	}
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	r.Close()
	if _, err := At(ctx, dir, "HEAD"); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
