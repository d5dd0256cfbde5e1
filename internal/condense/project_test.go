package condense

import (
	"context"
	"errors"
	iofs "io/fs"
	"iter"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// projectTree returns an empty tree on disk.
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
			p, added, err = NewProject(tx, fs.Forgemind, schema.ProjectRecord{Name: name, Channels: []string{"#lab"}}, time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC))
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
	if _, err := FindProject(all, "nobody"); !errors.As(err, new(*session.UnknownError)) {
		t.Error(err)
	}
}

// A change of a project.json leaves all of it that it is not about as it is.
func TestChangeProject(t *testing.T) {
	src := "{\n\t\"name\": \"Orchard\",\n\t\"channels\": [\"proj-orchard\"], \"weather\": 1.50,\n\t\"phase\": \"Winter\",\n\t\"constraints\": [\"No frost\", \"No \\u0062ees\"]\n}"
	text := func(s string) *string { return &s }
	for _, c := range []struct {
		change ProjectChange
		want   string
	}{
		{ProjectChange{}, src},
		{ProjectChange{Phase: text("Winter"), Constraints: []string{"No bees"}}, src},
		{ProjectChange{Phase: text("Spring")}, strings.Replace(src, "Winter", "Spring", 1)},
		{ProjectChange{Lifted: []string{"No bees"}, Constraints: []string{"No birds"}}, strings.Replace(src, `"No \u0062ees"`, `"No birds"`, 1)},
	} {
		got, err := ChangeProject([]byte(src), c.change)
		if err != nil || string(got) != c.want {
			t.Errorf("%+v: %v\n%s", c.change, err, got)
		}
	}
	if got, err := ChangeProject([]byte(`{"name": "x", "channels": []}`), ProjectChange{Constraints: []string{"a", "b"}}); err != nil || !strings.Contains(strings.Join(strings.Fields(string(got)), ""), `"constraints":["a","b"]`) {
		t.Errorf("%v\n%s", err, got)
	}
	if _, err := ChangeProject([]byte(src), ProjectChange{Lifted: []string{"x"}}); !errors.As(err, new(*session.UnknownError)) {
		t.Error(err)
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
		{"no file", "", p, all, []string{"0   the project has no CONTEXT.md"}},
		{"a decision", begin, p, late, []string{
			`9 generated D-6 Key Decisions (most recent first): it does not say "Optimizer: CMA-ES"`,
			`21 generated D-3 Superseded Decisions: it does not say "Optimizer: Optuna TPE, 15 parameters, 500 trial budget"`}},
		{"the state", begin, moved, all, []string{`3 generated  Current State: it does not say "Quote"`}},
		{"a constraint that was lifted", begin, lifted, all, []string{`15 generated  Active Constraints: it shows superseded decisions`}},
		{"a person's words", byHand, p, all, nil},
		{"a person's list", byHand, p, late, []string{
			`9 edited D-6 Key Decisions (most recent first): it does not say "Optimizer: CMA-ES"`,
			`9 edited D-3 Key Decisions (most recent first): it shows "Optimizer: Optuna TPE, 15 parameters, 500 trial budget", which is superseded`,
			`21 generated D-3 Superseded Decisions: it does not say "Optimizer: Optuna TPE, 15 parameters, 500 trial budget"`}},
		{"a person's list, where one that holds has the words of one that does not", contextSwap("1. [2026", "1. So: [2026")(begin), p,
			append(all[:5:5], schema.Decision{ID: "D-9", Timestamp: "2026-01-01T00:00:00Z", Decision: "Clearceram-Z HS", Channel: "proj-starspec-wfe"},
				schema.Decision{ID: "D-0", Timestamp: "2025-01-01T00:00:00Z", Decision: "Clearceram", Channel: "proj-starspec-wfe"},
				schema.Decision{ID: "D-8", Timestamp: "2026-01-02T00:00:00Z", Decision: "Clearceram-Z HS", Supersedes: schema.IDs{"D-0"}}), []string{
				`21 generated D-0 Superseded Decisions: it does not say "Clearceram"`}},
		{"no section", begin[:strings.Index(begin, "\n## Superseded")], p, all, []string{"0 generated  Superseded Decisions: the section is missing"}},
		{"a merge", begin + "<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n", p, all, []string{"0   it holds the markers of an unfinished merge"}},
	} {
		r := oneContext{p.Context: c.text}
		if c.text == "" {
			delete(r, p.Context)
		}
		lags, err := Stale(r, c.project, c.known)
		var got []string
		for _, l := range lags {
			got = append(got, strings.Join([]string{strconv.Itoa(l.Line), l.State, l.Decision, l.String()}, " "))
		}
		if err != nil || strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("%s: %v\n%s", c.name, err, strings.Join(got, "\n"))
		}
	}
}

// A oneContext is a tree with only a CONTEXT.md.
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
