package condense

import (
	"context"
	"errors"
	iofs "io/fs"
	"iter"
	"path"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// projectTree is an empty tree on the disk.
func projectTree(t *testing.T) *fs.Tree {
	t.Helper()
	tree, err := fs.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tree.Close() })
	if err := tree.Create(fs.Forgemind); err != nil {
		t.Fatal(err)
	}
	return tree
}

func TestNoTwoProjectsShareAFolder(t *testing.T) {
	tree := projectTree(t)
	folder := regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,79}$`)
	folders := map[string]string{}
	for _, name := range []string{
		"Star Spec", "star-spec", "star/spec", "../star spec", "果园", "花园", "🍐", "!", "CON", "com1", strings.Repeat("long ", 60), strings.Repeat("long ", 61), "Müller", "-x", ".git",
	} {
		var p Project
		var added bool
		_, err := tree.Transaction(context.Background(), func(tx *fs.Tx) (err error) {
			p, added, err = NewProject(tx, fs.Forgemind, schema.ProjectRecord{Name: name, Channels: []string{"#lab"}}, "ann", time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC))
			return err
		})
		if err != nil || !added {
			t.Fatalf("%.20q: %v, %v", name, added, err)
		}
		if !folder.MatchString(p.Slug()) || p.ID != p.Slug() {
			t.Errorf("%.20q is called %q", name, p.Slug())
		}
		if other, twice := folders[p.Slug()]; twice {
			t.Errorf("%.20q and %.20q share %q", name, other, p.Slug())
		}
		folders[p.Slug()] = name
		if len(p.Channels) != 2 || !strings.HasPrefix(p.Channels[0], "proj-") || p.Channels[1] != "lab" {
			t.Errorf("%.20q has the channels %q", name, p.Channels)
		}
	}
	all, faults, err := Projects(tree)
	if err != nil || len(faults) > 0 || len(all) != len(folders) {
		t.Errorf("%d of %d projects, %v, %v", len(all), len(folders), faults, err)
	}
	for which, want := range map[string]string{"star-spec": "star-spec", "STAR SPEC": "star-spec", "müller": "mueller"} {
		if p, err := FindProject(all, which); err != nil || p.Slug() != want {
			t.Errorf("%q: %q, %v", which, p.Slug(), err)
		}
	}
	if _, err := FindProject(all, "nobody"); !errors.As(err, new(*session.Unknown)) {
		t.Error(err)
	}
}

// What commands change of a project stands beside its project.json, which stays as people have it; what people
// write there holds over what was changed before.
func TestSettingsOfAProject(t *testing.T) {
	tree := projectTree(t)
	const file = ".forgemind/projects/orchard/project.json"
	by := func(text string) *string { return &text }
	change := func(c ProjectChange) func(*fs.Tx, Project) error {
		return func(tx *fs.Tx, p Project) error {
			_, err := p.Change(tx, c, records.Change{What: "updated", At: "2026-02-03T04:05:06Z", By: "ann"})
			return err
		}
	}
	write := func(text string) func(*fs.Tx, Project) error {
		return func(tx *fs.Tx, _ Project) error { tx.Write(file, []byte(text)); return nil }
	}
	other := func(name, text string) func(*fs.Tx, Project) error {
		return func(tx *fs.Tx, _ Project) error { tx.Write(path.Dir(file)+"/"+name, []byte(text)); return nil }
	}
	const begun = `{"name": "Orchard", "weather": 1.50, "phase": "Winter", "constraints": ["No frost", "No \u0062ees"]}`
	for _, step := range []struct {
		name string
		do   func(*fs.Tx, Project) error
		want string // phase, active, blocked: constraints
	}{
		{"a file by hand", write(begun), "Winter,,: No frost, No bees"},
		{"what is so already", change(ProjectChange{Phase: by("Winter"), Constraints: []string{"No bees"}}), "Winter,,: No frost, No bees"},
		{"a command", change(ProjectChange{Phase: by("Spring"), Active: by("Pruning")}), "Spring,Pruning,: No frost, No bees"},
		{"constraints in their order", change(ProjectChange{Lifted: []string{"No bees"}, Constraints: []string{"No wasps", "No birds"}}), "Spring,Pruning,: No frost, No wasps, No birds"},
		{"by hand over a command", write(strings.Replace(begun, "Winter", "Summer", 1)), "Summer,Pruning,: No frost, No wasps, No birds"},
		{"a command over that", change(ProjectChange{Phase: by("Autumn"), Active: by("")}), "Autumn,,: No frost, No wasps, No birds"},
		{"by hand as it was at first, so that what was changed then holds", write(begun), "Spring,,: No frost, No wasps, No birds"},
		{"a constraint that a command lifted", change(ProjectChange{Lifted: []string{"No wasps"}}), "Spring,,: No frost, No birds"},
		{"and that is written again", write(strings.Replace(begun, `"No frost"`, `"No wasps", "No frost"`, 1)), "Spring,,: No wasps, No frost, No birds"},
		{"a constraint that the file has is lifted there", write(`{"name": "Orchard", "blocked": "Rain"}`), ",,Rain: No birds"},
		{"lifted and added at once", change(ProjectChange{Lifted: []string{"No birds"}, Constraints: []string{"No birds"}}), ",,Rain: No birds"},
		{"added", change(ProjectChange{Constraints: []string{"No cats", "No dogs"}}), ",,Rain: No birds, No cats, No dogs"},
		{"lifted", change(ProjectChange{Lifted: []string{"No cats"}}), ",,Rain: No birds, No dogs"},
		{"added again, as the last one", change(ProjectChange{Constraints: []string{"No cats"}}), ",,Rain: No birds, No dogs, No cats"},
		{"what no change is", other("project.updated-1.json", `{`), ",,Rain: No birds, No dogs, No cats"},
		{"what is no change", other("project.backup.json", `{"name": "Old", "phase": "Old"}`), ",,Rain: No birds, No dogs, No cats"},
		{"what no change may set", other("project.updated-2.json", `{"of": "project", "at": "2099-01-01T00:00:00Z", "set": {"id": "x", "name/x": 1, "id/x": 1, "constraints/": 1, "constraints/No hail": "yes", "phase": 3, "active": "Digging"}}`),
			",Digging,Rain: No birds, No dogs, No cats"},
	} {
		_, err := tree.Transaction(t.Context(), func(tx *fs.Tx) error {
			p, err := readProject(tx, file)
			if err != nil && !errors.Is(err, iofs.ErrNotExist) {
				return err
			}
			return step.do(tx, p)
		})
		if err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		p, err := readProject(tree, file)
		if got := p.Phase + "," + p.Active + "," + p.Blocked + ": " + strings.Join(p.Constraints, ", "); err != nil || got != step.want {
			t.Errorf("%s: %q and %v, want %q", step.name, got, err, step.want)
		}
	}
	p, err := readProject(tree, file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = tree.Transaction(t.Context(), func(tx *fs.Tx) error { return change(ProjectChange{Lifted: []string{"x"}})(tx, p) }); !errors.As(err, new(*session.Unknown)) {
		t.Error(err)
	}
	if _, err = tree.Transaction(t.Context(), func(tx *fs.Tx) error { return change(ProjectChange{Blocked: by("Rain")})(tx, p) }); err != nil {
		t.Fatal(err)
	}
	if p.ID != "orchard" {
		t.Errorf("a change gave it the id %s", p.ID)
	}
	if record, _, err := p.record(tree); err != nil || len(record.Changes) != 8 {
		t.Errorf("%d changes and %v; what is so already is written", len(record.Changes), err)
	}
	// Who removes project.json alone does not leave its changes to the next project of that name.
	if _, err = tree.Transaction(t.Context(), func(tx *fs.Tx) error { tx.Remove(file); return nil }); err != nil {
		t.Fatal(err)
	}
	_, err = tree.Transaction(t.Context(), func(tx *fs.Tx) (err error) {
		p, _, err = NewProject(tx, fs.Forgemind, schema.ProjectRecord{Name: "Orchard"}, "ann", time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC))
		return err
	})
	if err != nil || p.Slug() == "orchard" || len(p.Constraints) > 0 {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestStaleContext(t *testing.T) {
	p, all := contextProject()
	begin, _ := contextFresh(t, "", p, all)
	late := append(all, schema.Decision{ID: "D-6", Timestamp: "2026-03-01T00:00:00Z", Decision: "Optimizer: CMA-ES", Supersedes: schema.IDs{"D-3"}})
	moved := p
	moved.Blocked = "Quote"
	lifted := p
	lifted.Constraints = p.Constraints[:2]
	byHand := contextSwap("1. [2026-02-15] Material", "1. [2026-02-15] The material")(begin)
	for _, c := range []struct {
		name    string
		text    string
		project Project
		known   []schema.Decision
		want    []string
	}{
		{"up to date", begin, p, all, nil},
		{"in another order of bytes", strings.ReplaceAll(begin, "\n", "\r\n"), p, all, nil},
		{"no file", "", p, all, []string{"0  the project has no CONTEXT.md"}},
		{"a decision", begin, p, late, []string{
			`10 D-6 Key Decisions (most recent first): it does not say "Optimizer: CMA-ES"`,
			`24 D-3 Superseded Decisions: it does not say "Optimizer: Optuna TPE, 15 parameters, 500 trial budget"`}},
		{"the state", begin, moved, all, []string{`3  Current State: it does not say "Quote"`}},
		{"a constraint that was lifted", begin, lifted, all, []string{`17  Active Constraints: it shows what holds no more`}},
		{"a person's words behind it", strings.Replace(begin, "end current-state -->\n", "end current-state -->\nAnd more.\n", 1), p, all, nil},
		{"a line that a person changed", byHand, p, all, []string{`10 D-5 Key Decisions (most recent first): it does not say "Material: Clearceram-Z HS selected"`}},
		{"a decision in words that another has, too", begin, p, append(all[:5:5], schema.Decision{ID: "D-9", Timestamp: "2026-03-02T00:00:00Z", Decision: "Assembly FEM", Channel: "proj-starspec-wfe"}), []string{
			`10 D-9 Key Decisions (most recent first): it does not say "Assembly FEM"`}},
		{"a page of a person's that says all", "## Key Decisions\n\nWe took: " + begin[strings.Index(begin, "1. [")+3:strings.Index(begin, "\n## Active")] + contextUnmarked(begin[:strings.Index(begin, "## Key")]+begin[strings.Index(begin, "## Active"):]), p, all, nil},
		{"no marks", contextUnmarked(begin), p, all, nil},
		{"what swallows it", begin[:strings.Index(begin, "\n## Key")] + "\n```\n", p, all, []string{"0  it cannot be brought up to date: " + swallowed}},
		{"no section", begin[:strings.Index(begin, "\n## Superseded")], p, all, []string{"0  Superseded Decisions: the section is missing"}},
		{"a merge", begin + "<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n", p, all, []string{"0  it holds the markers of an unfinished merge"}},
	} {
		r := oneContext{p.Context: c.text}
		if c.text == "" {
			delete(r, p.Context)
		}
		lags, err := Stale(r, c.project, c.known)
		var got []string
		for _, l := range lags {
			got = append(got, strings.Join([]string{strconv.Itoa(l.Line), l.Decision, l.String()}, " "))
		}
		if err != nil || strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("%s: %v\n%s", c.name, err, strings.Join(got, "\n"))
		}
	}
}

// A oneContext is a tree with nothing in it but a CONTEXT.md.
type oneContext map[string]string

func (c oneContext) Read(name string) ([]byte, error) {
	if text, ok := c[name]; ok {
		return []byte(text), nil
	}
	return nil, iofs.ErrNotExist
}

func (c oneContext) Names(string) iter.Seq2[string, error] {
	return func(func(string, error) bool) {}
}
