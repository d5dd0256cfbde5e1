package git

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestHistoryTellsWhichNamesEachCommitTouched(t *testing.T) {
	dir := repository(t, map[string]string{"src/a.go": "1", "b.md": "1"})
	write(t, dir, "src/a.go", "2")
	git(t, dir, "commit", "--quiet", "--all", "--message=Second\n\nIt carries out DEC-001\x1b[2J")
	git(t, dir, "mv", "b.md", "c.md")
	git(t, dir, "commit", "--quiet", "--message=Third")
	git(t, dir, "commit", "--quiet", "--allow-empty", "--message=Nothing")
	told := func(root string, span Span) (lines []string) {
		t.Helper()
		all, err := History(t.Context(), root, span)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range all {
			subject, _, _ := strings.Cut(c.Message, "\n")
			line := subject + ":"
			for _, touch := range c.Touched {
				line += " " + touch.Name
				if touch.Gone {
					line += "(gone)"
				}
				if touch.Other != "" {
					line += "(" + touch.Other + ")"
				}
			}
			if len(c.ID) != 40 || time.Since(c.At) > time.Hour {
				t.Errorf("%+v", c)
			}
			lines = append(lines, line)
		}
		return lines
	}
	same(t, "all", told(dir, Span{Most: 9}), []string{"Nothing:", "Third: b.md(gone)(c.md) c.md(b.md)", "Second: src/a.go", "step: b.md src/a.go"})
	same(t, "below a folder", told(filepath.Join(dir, "src"), Span{Most: 9}), []string{"Nothing:", "Third:", "Second: a.go", "step: a.go"})
	same(t, "two", told(dir, Span{Most: 2}), []string{"Nothing:", "Third: b.md(gone)(c.md) c.md(b.md)"})
	same(t, "a part", told(dir, Span{To: "HEAD~1", Not: "HEAD~2", Most: 9}), []string{"Third: b.md(gone)(c.md) c.md(b.md)"})
	same(t, "later than all", told(dir, Span{After: time.Now().Add(time.Hour), Most: 9}), nil)

	tracked, err := Tracked(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "tracked", tracked, []string{"c.md", "src/a.go"})
}

func TestHistoryThatIsNotThere(t *testing.T) {
	dir := t.TempDir()
	if _, err := History(t.Context(), dir, Span{Most: 9}); !errors.Is(err, ErrNoRepository) {
		t.Errorf("%v", err)
	}
	git(t, dir, "init", "--quiet")
	if all, err := History(t.Context(), dir, Span{Most: 9}); err != nil || all != nil {
		t.Errorf("%v, %v", all, err)
	}
	commit(t, dir, map[string]string{"a": "1"})
	for _, rev := range []string{"--output=x", "nobody", ""} {
		_, err := History(t.Context(), dir, Span{To: rev, Not: "-x", Most: 9})
		if err == nil {
			t.Errorf("%q: it is read", rev)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "x")); err == nil {
		t.Error("git was given an option")
	}
}

func TestHistoryRunsNothingOfTheRepository(t *testing.T) {
	needsUnix(t)
	dir := repository(t, map[string]string{"a.txt": "1"})
	trap := filepath.Join(t.TempDir(), "sprung")
	script := filepath.Join(t.TempDir(), "trap")
	if err := os.WriteFile(script, []byte("#!/bin/sh\ntouch "+trap+"\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"diff.external", "core.fsmonitor", "core.pager", "gpg.program", "diff.trap.textconv", "diff.trap.command", "filter.trap.smudge"} {
		git(t, dir, "config", key, script)
	}
	git(t, dir, "config", "log.showSignature", "true")
	commit(t, dir, map[string]string{".gitattributes": "* diff=trap\n", "a.txt": "2"})
	os.Remove(trap)
	if all, err := History(t.Context(), dir, Span{Most: 9}); err != nil || len(all) != 2 {
		t.Errorf("%v, %v", all, err)
	}
	if _, err := Tracked(t.Context(), dir); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(trap); err == nil {
		t.Error("a program that the repository names was run")
	}
}

// The output of git is parsed the same in pieces of any size, and long fields are cut.
func FuzzHistorian(f *testing.F) {
	id := strings.Repeat("a", 40)
	f.Add([]byte(fmt.Sprintf("%s 5\nfirst\n\x00\nM\x00a\x00D\x00b\x00R100\x00c\x00d\x00%s 4\nroot\n\x00", id, id)), 3)
	f.Add([]byte("\nM\x00"), 1)
	f.Add([]byte(id+" 5\n"+strings.Repeat("long ", 10_000)+"\x00\nR100\x00a\x00"), 7)
	f.Add([]byte(id+" 5\n"+strings.Repeat("\xff.", 3_000)+"\x00"), 85) // each invalid byte becomes three bytes
	f.Fuzz(func(t *testing.T, out []byte, size int) {
		var whole, pieces logParser
		whole.Write(out)
		for piece := range slices.Chunk(out, max(1, size)) {
			pieces.Write(piece)
		}
		if fmt.Sprint(whole.all) != fmt.Sprint(pieces.all) || (whole.err == nil) != (pieces.err == nil) {
			t.Errorf("in pieces it is %v, %v, not %v, %v", pieces.all, pieces.err, whole.all, whole.err)
		}
		for _, c := range whole.all {
			if len(c.Message) > maxMessage {
				t.Errorf("%d bytes of a message", len(c.Message))
			}
		}
	})
}
