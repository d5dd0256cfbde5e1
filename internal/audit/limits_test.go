package audit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// What nobody can read is cut, and the report says so.
func TestTooMuchIsLeftOutAndSaid(t *testing.T) {
	without := func(g *garden, want ...string) Report {
		t.Helper()
		g.finish()
		report := look(t, shelf(g.files), Options{})
		for _, w := range want {
			if said := fmt.Sprint(report.NotChecked); !strings.Contains(said, w) {
				t.Errorf("it says %q, not %q", said, w)
			}
		}
		return report
	}

	g := newGarden(t, 7)
	var text strings.Builder
	for range 150 {
		old, _ := g.pair(schema.Decision{})
		fmt.Fprintf(&text, "- %s\n", old.ID)
	}
	g.note(text.String())
	if report := without(g, "beyond the first 100 of a text"); len(report.Findings) != mostMentions {
		t.Errorf("%d mentions", len(report.Findings))
	}

	g = newGarden(t, 7)
	for i := range mostFindings + 7 {
		g.state.PendingActions = append(g.state.PendingActions, schema.Action{ID: fmt.Sprintf("ACT-%d", i), Action: "Mend it", Created: ago(9), Due: ago(5)})
	}
	report := without(g, "7 findings of the lowest scores")
	last := report.Findings[mostFindings-1]
	if n := len(report.Findings); n != mostFindings || g.line(seed{file: fs.State, marks: []string{`"id": "` + last.About + `"`, `"due"`}}) != last.Line {
		t.Errorf("%d findings, the last is %+v", n, last)
	}

	g = newGarden(t, 7)
	for range maxTexts/maxText + 1 {
		g.note(strings.Repeat("A dry wall holds.\n", maxText/17))
	}
	without(g, "beyond the first MiB of a file", "beyond the first 16 MiB")

	// Decisions that are alike in all but a letter or two, in as many notes: after so
	// many comparisons it stops.
	g = newGarden(t, 7)
	text.Reset()
	for i := range 1500 {
		a, b := string(rune('a'+i%26)), string(rune('a'+i/26%26))
		old := g.decide(schema.Decision{Decision: fmt.Sprintf("Keep the lists of %s%s %s%s in the cellar behind the gate", a, b, b, a), Timestamp: ago(60)})
		g.decide(schema.Decision{Decision: "Burn them", Supersedes: schema.IDs{old.ID}, Timestamp: ago(50)})
		fmt.Fprintf(&text, "- Keep no list of %s%s in the cellar behind the gate %d\n", b, a, i)
	}
	g.note(text.String())
	without(g)
}

// A place is the same however it is looked up.
func TestPlacesInLongDocuments(t *testing.T) {
	var text strings.Builder
	text.WriteString(`{"a": [`)
	for i := range 3000 {
		if i > 0 {
			text.WriteString(", ")
		}
		fmt.Fprintf(&text, `{"é": "ü", "b": ["%d"]}`, i)
		if i%7 == 0 {
			text.WriteString("\n")
		}
	}
	text.WriteString("]}")
	s := &survey{reader: shelf{"x.json": text.String()}, position: map[string]*tape{}}
	for _, pointer := range []string{"/a/2999/b/0", "/a/0/b", "/a/1500", "/a/1500/é", "", "/a/2999"} {
		at := s.spot("x.json", pointer)
		tape := s.position["x.json"]
		i := tape.doc.Find(pointer)
		line, column, _ := jsonedit.Position(tape.src, int(tape.doc.Nodes[i].Start))
		if at != (spot{"x.json", line, column}) {
			t.Errorf("%s: %+v, want %d:%d", pointer, at, line, column)
		}
	}
	for _, pointer := range []string{"/a/3000", "/a/-1", "/a/x", "/b", "/a/0/é/0"} {
		if at := s.spot("x.json", pointer); at != (spot{"x.json", 1, 1}) {
			t.Errorf("%s: %+v", pointer, at)
		}
	}
}

// Files that change as was decided, or that no decision is about, are no alarm.
func TestFilesThatChangeAsDecided(t *testing.T) {
	g := newGarden(t, 8)
	dir := t.TempDir()
	gitAt(t, dir, ago(50), "init", "--quiet")
	for _, name := range []string{"src/old.go", "src/kept.go", "src/done.go", "templates/page.md", "docs/a.md"} {
		write(t, dir, name, name)
	}
	commit(t, dir, ago(50), "All")
	write(t, dir, "src/kept.go", "before it was decided")
	commit(t, dir, ago(41), "Before")
	decide := func(id string, files ...string) {
		g.decide(schema.Decision{ID: id, Decision: "About " + strings.Join(files, " and "), Files: files, Timestamp: ago(40)})
	}
	decide("DEC-RENAMED", "src/new.go")
	decide("DEC-DONE", "src/done.go")
	decide("DEC-PATTERN", "templates/*.md")
	decide("DEC-OUTSIDE", "../elsewhere.go", "/etc/passwd", "")
	decide("DEC-KEPT", "src/kept.go", "src/not-yet.go")
	decide("DEC-OLD", "docs/a.md")
	g.decide(schema.Decision{ID: "DEC-NEW", Decision: "Not so", Supersedes: schema.IDs{"DEC-OLD"}, Timestamp: ago(35)})
	g.finish()
	g.onDisk(dir)
	commit(t, dir, ago(39), "Decide")
	gitAt(t, dir, ago(30), "mv", "src/old.go", "src/new.go")
	commit(t, dir, ago(30), "Move it")
	write(t, dir, "src/done.go", "done")
	commit(t, dir, ago(29), "Do it\n\nAs DEC-DONE says.")
	write(t, dir, "templates/page.md", "another page")
	write(t, dir, "docs/a.md", "superseded")
	write(t, dir, "docs/b.md", "nobody's")
	commit(t, dir, ago(28), "Other things")
	report := look(t, shelf(g.files), Options{Root: dir})
	same(t, "as decided", report, nil)
	if report.Commits < 4 {
		t.Errorf("%d commits", report.Commits)
	}
	write(t, dir, "src/new.go", "another")
	commit(t, dir, ago(20), "Change it")
	same(t, "changed", look(t, shelf(g.files), Options{Root: dir}), []string{"moved-file " + ledgerName("DEC-RENAMED")})
}
