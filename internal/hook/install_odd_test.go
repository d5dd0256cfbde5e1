package hook

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// oddTrees are the names of those trees.
func oddTrees(t *testing.T) (names []string) {
	entries, err := os.ReadDir(filepath.Join("testdata", "odd"))
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	if err != nil || len(names) < 20 {
		t.Fatal(names, err)
	}
	return names
}

// copyOdd puts a tree of testdata/odd on the machine.
func (p *machine) copyOdd(name string) {
	if err := os.CopyFS(filepath.Join(p.dir), os.DirFS(filepath.Join("testdata", "odd", name))); err != nil {
		p.t.Fatal(err)
	}
}

// everything installs all there is of a scope.
func everything(scope Scope) Wish {
	return Wish{Agents: AgentIDs(), Scope: scope, Servers: true, Status: true}
}

// story is what a plan did, but for files that it made.
func (p *machine) story(made *Plan) string {
	var out strings.Builder
	for _, err := range made.Faults {
		out.WriteString("fault: " + err.Error() + "\n")
	}
	for _, n := range made.Notes {
		if n.File != "" {
			n.Text = n.File + ": " + n.Text
		}
		out.WriteString("note: " + n.Text + "\n")
	}
	for _, e := range made.Edits {
		if e.Before != nil {
			name, _ := filepath.Rel(p.dir, e.File)
			out.WriteString(Diff(filepath.ToSlash(name), e.Before, e.After))
		}
	}
	return strings.ReplaceAll(out.String(), p.dir+string(filepath.Separator), "")
}

// TestOdd: over trees of settings of every oddity, shown in NAME.diff is what an
// installation makes of them. Twice is once; taking it out restores every byte; and
// where there is a file that cannot be edited, nothing changes at all.
func TestOdd(t *testing.T) {
	t.Parallel() // it waits
	if runtime.GOOS == "windows" {
		t.Skip("links need rights there")
	}
	for _, name := range oddTrees(t) {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			p.copyOdd(name)
			before := p.all()
			story := ""
			for _, scope := range []Scope{Project, User} {
				story += "# " + string(scope) + "\n" + p.story(p.do(Install, everything(scope)))
			}
			golden := filepath.Join("testdata", "odd", name+".diff")
			if *update {
				if err := os.WriteFile(golden, []byte(story), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if want, err := os.ReadFile(golden); err != nil || string(want) != story {
				t.Errorf("run with -update and look at the difference (%v):\n%s", err, Diff(golden, want, []byte(story)))
			}
			installed := p.all()
			refused := strings.HasPrefix(name, "refused-")
			if refused != strings.Contains(story, "fault: ") || refused == strings.Contains(installed, "project/.codex/agents") {
				t.Errorf("refused: %v\n%s", refused, story)
			}
			for _, scope := range []Scope{Project, User} {
				if again := p.do(Install, everything(scope)); len(again.Edits) > 0 && !refused {
					t.Errorf("twice is not once:\n%s", p.story(again))
				}
			}
			p.do(Uninstall, everything(User))
			p.do(Uninstall, everything(Project))
			if after := p.all(); after != before {
				t.Errorf("it is not as it was:\n%s", Diff("all", []byte(before), []byte(after)))
			}
		})
	}
}

// TestOddWithoutReceipts: in another clone, and after a person has changed every file
// that was there, what was put in is taken out all the same, and nothing else. Of
// white space only that in brackets with nothing else may differ, and a file that
// held nothing may go.
func TestOddWithoutReceipts(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("links need rights there")
	}
	for _, name := range oddTrees(t) {
		for _, edited := range []bool{false, true} {
			p := newPlace(t)
			p.copyOdd(name)
			there := slices.Collect(maps.Keys(p.texts(t)))
			if edited {
				p.edit(t, there)
			}
			want := p.texts(t)
			p = newPlace(t)
			p.copyOdd(name)
			p.do(Install, everything(Project))
			p.do(Install, everything(User))
			if edited {
				p.edit(t, there)
			} else if err := os.RemoveAll(filepath.Join(p.dir, "home/.local")); err != nil {
				t.Fatal(err)
			}
			p.do(Uninstall, everything(Project))
			p.do(Uninstall, everything(User))
			got := p.texts(t)
			for _, file := range there {
				left := squeeze(got[file])
				if edited && hollow.Match(want[file]) { // what the person added stands in a file that we made
					left = bytes.Replace(left, []byte(`{"added":1}`), nil, 1)
				}
				if !bytes.Equal(left, squeeze(want[file])) && !(len(bytes.TrimPrefix(left, []byte(byteOrderMark))) == 0 && hollow.Match(want[file])) {
					t.Errorf("%s, edited %v: %s:\n%s", name, edited, file, Diff(file, want[file], got[file]))
				}
				delete(got, file)
			}
			for file, text := range got {
				t.Errorf("%s, edited %v: %s is left: %q", name, edited, file, text)
			}
		}
	}
}

// hollow is a text without a value of anybody's.
var hollow = regexp.MustCompile(`^(?:\x{FEFF}|[ \t\r\n{}\[\]]|"(?:hooks|Stop|mcpServers)":)*$`)

// edit has a person add something to files.
func (p *machine) edit(t *testing.T, files []string) {
	all := p.texts(t)
	for _, file := range files {
		text := all[file]
		switch {
		case strings.HasSuffix(file, ".json") && bytes.Contains(text, []byte("{")):
			at, added := bytes.IndexByte(text, '{')+1, `"added": 1,`
			if s, err := readSettings(text); err == nil && s.doc.Nodes[0].Len == 0 {
				added = `"added": 1`
			}
			text = slices.Concat(text[:at], []byte(added), text[at:])
		case strings.HasSuffix(file, ".md") || strings.HasSuffix(file, "config.toml"):
			text = append([]byte("# added\n"), text...)
		}
		if err := os.WriteFile(filepath.Join(p.dir, file), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// texts are the files that stand there, links left out.
func (p *machine) texts(t *testing.T) map[string][]byte {
	all := map[string][]byte{}
	err := filepath.WalkDir(p.dir, func(name string, entry os.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() && !strings.Contains(name, "/.local/") {
			rel, _ := filepath.Rel(p.dir, name)
			all[filepath.ToSlash(rel)], err = os.ReadFile(name)
		}
		return err
	})
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return all
}
