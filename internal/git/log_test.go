package git

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestLog(t *testing.T) {
	const idea = "docs/*dea.md" // a name, not a pattern
	needsUnix(t)
	dir := repository(t, map[string]string{"docs/idea.md": "another"})
	for i := range 5 {
		write(t, dir, idea, fmt.Sprint(i))
		git(t, dir, "add", "--all")
		git(t, dir, "commit", "--quiet", fmt.Sprintf("--message=Idea %d\x1b[2J\n\nbody", i))
	}
	before := contents(t, filepath.Join(dir, ".git"))
	lines, err := Log(t.Context(), dir, idea, 3)
	if err != nil {
		t.Fatal(err)
	}
	shape := regexp.MustCompile(`^\d{4}-\d\d-\d\d [0-9a-f]{7,} Idea (\d) \[2J$`)
	for i, line := range lines {
		if m := shape.FindStringSubmatch(line); m == nil || m[1] != fmt.Sprint(4-i) {
			t.Errorf("line %d: %q", i, line)
		}
	}
	if len(lines) != 3 {
		t.Errorf("%d lines", len(lines))
	}
	below, err := Log(t.Context(), filepath.Join(dir, "docs"), "*dea.md", 100)
	if err != nil || len(below) != 5 {
		t.Errorf("from a folder of the repository: %q, %v", below, err)
	}
	untouched(t, filepath.Join(dir, ".git"), before)
	for _, path := range []string{"nobody.md", "--all", "docs/[i]dea.md"} {
		if lines, err := Log(t.Context(), dir, path, 3); err != nil || len(lines) > 0 {
			t.Errorf("%s: %q, %v", path, lines, err)
		}
	}
	for _, path := range []string{"", "a\x00b"} {
		if lines, err := Log(t.Context(), dir, path, 3); err == nil {
			t.Errorf("%q: %q", path, lines)
		}
	}
}

func TestLogWithoutCommitsAndWithoutARepository(t *testing.T) {
	dir := t.TempDir()
	if _, err := Log(t.Context(), dir, "a.md", 3); !errors.Is(err, ErrNoRepository) {
		t.Errorf("%v", err)
	}
	git(t, dir, "init", "--quiet")
	if lines, err := Log(t.Context(), dir, "a.md", 3); err != nil || lines != nil {
		t.Errorf("%q, %v", lines, err)
	}
}

func TestLogRunsNothing(t *testing.T) {
	needsUnix(t)
	dir := repository(t, map[string]string{state: "one", ".gitattributes": "* diff=evil\n"})
	canary := filepath.Join(t.TempDir(), "canary")
	evil := script(t, canary, "cat")
	git(t, dir, "config", "gpg.program", evil)
	for _, knob := range []string{"diff.external", "diff.evil.command", "diff.evil.textconv", "core.pager", "pager.log", "alias.log"} {
		git(t, dir, "config", knob, evil)
	}
	git(t, dir, "config", "log.showSignature", "true")
	git(t, dir, "config", "log.follow", "true")
	signed := git(t, dir, "cat-file", "commit", "HEAD")
	head, message, _ := strings.Cut(signed, "\n\n")
	write(t, dir, "commit", head+"\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n"+message+"\n")
	git(t, dir, "update-ref", "HEAD", git(t, dir, "hash-object", "-t", "commit", "-w", "commit"))
	if gitAs(t, dir, "--no-pager", "log"); !sings(t, canary) {
		t.Fatal("git log left no canary: the trap is not set")
	}
	if lines, err := Log(t.Context(), dir, state, 3); err != nil || len(lines) != 1 {
		t.Errorf("%q, %v", lines, err)
	}
	if sings(t, canary) {
		t.Error("something that the repository names was run")
	}
}
