package query

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/brief"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/internal/memory"
	"github.com/forgemind/forgemind/internal/recall"
)

// Governing lists the records that name a path, or a folder above it: each list the newest
// first, and what is in force before what is superseded.
type Governing struct {
	Path          string           `json:"path"`
	Constraints   []brief.Governor `json:"constraints"`
	Decisions     []brief.Governor `json:"decisions"`
	Condensations []brief.Governor `json:"condensations"`
	Threads       []brief.Governor `json:"threads"`
	Notes         []brief.Governor `json:"notes"`
	Faults        []string         `json:"faults,omitempty"` // what could not be read
}

// Count returns the number of records.
func (g *Governing) Count() int {
	return len(g.Constraints) + len(g.Decisions) + len(g.Condensations) + len(g.Threads) + len(g.Notes)
}

// Governs returns the records that name a slash path relative to the project directory, or
// one of its former names, or a folder above the path. A folder's path ends in a slash.
// Records that name a folder above a former name are left out. A document that cannot be read
// is a fault; errors are those of ctx.
func Governs(ctx context.Context, tree *fs.Tree, at string, former ...string) (Governing, error) {
	rec := brief.Read(tree)
	g := Governing{Path: path.Clean(at), Faults: rec.Faults}
	g.Decisions = governing(at, decisionRecords(&rec), former...)
	for _, gather := range []struct {
		into *[]brief.Governor
		from func(*fs.Tree, *brief.Records) ([]brief.Record, error)
	}{
		{&g.Constraints, constraintRecords}, {&g.Condensations, condensationRecords}, {&g.Threads, threadRecords},
		{&g.Notes, func(tree *fs.Tree, rec *brief.Records) ([]brief.Record, error) {
			return noteRecords(tree, rec, append([]string{at}, former...))
		}},
	} {
		if ctx.Err() != nil {
			return Governing{}, context.Cause(ctx)
		}
		records, err := gather.from(tree, &rec)
		if err != nil {
			g.Faults = append(g.Faults, err.Error())
		}
		*gather.into = governing(at, records, former...)
	}
	return g, nil
}

// mostFollowed limits the commits that are searched for former names.
const mostFollowed = 20_000

// FormerNames returns the former names of a file, the latest first, as far as git knows them:
// renames without a change of content. Errors are those of git.History.
func FormerNames(ctx context.Context, root, at string) (former []string, err error) {
	commits, err := git.History(ctx, root, git.Span{Most: mostFollowed})
	for _, c := range commits {
		for _, touch := range c.Touched {
			if touch.Name == at && !touch.Gone && touch.Other != "" {
				at = touch.Other
				former = append(former, at)
				break
			}
		}
	}
	return former, err
}

// undated stands for a missing date.
const undated = "undated"

// governing returns the records that name a path or one of its former names.
func governing(at string, records []brief.Record, former ...string) []brief.Governor {
	all := []brief.Governor{}
	for i := range records {
		g, ok := records[i].Governs(at)
		for n := 0; n < len(former) && !ok; n++ {
			g, ok = records[i].Governs(former[n])
			ok = ok && (g.By == brief.ByPath || g.By == brief.ByName)
			g.By = brief.ByFormer
		}
		if ok {
			all = append(all, g)
		}
	}
	slices.SortStableFunc(all, func(a, b brief.Governor) int {
		return cmp.Or(cmp.Compare(min(len(a.SupersededBy), 1), min(len(b.SupersededBy), 1)),
			strings.Compare(strings.TrimPrefix(b.Date, undated), strings.TrimPrefix(a.Date, undated)))
	})
	return all
}

func decisionRecords(rec *brief.Records) []brief.Record {
	decisions := rec.Standing.All()
	all := make([]brief.Record, 0, len(decisions))
	texts := make([]string, 0, 3*len(decisions)) // one array for the texts of all
	for i := range slices.Backward(decisions) {
		d := &decisions[i]
		by, _ := rec.Standing.SupersededBy(d.ID)
		from := len(texts)
		texts = append(append(texts, d.Decision, d.Rationale), d.Impact...)
		all = append(all, brief.Record{
			ID: d.ID, Date: d.Timestamp, Text: d.Decision, Paths: d.Files, Said: texts[from:len(texts):len(texts)], SupersededBy: by,
		})
	}
	return all
}

func constraintRecords(tree *fs.Tree, rec *brief.Records) (all []brief.Record, err error) {
	for _, c := range rec.Hot.ImportantConstraints {
		all = append(all, brief.Record{ID: c.ID, Date: c.Created, Text: c.Constraint, Said: []string{c.Constraint}})
	}
	projects, _, err := condense.Projects(tree) // validate reports invalid projects
	for _, p := range projects {
		for i, text := range p.Constraints {
			all = append(all, brief.Record{
				ID: fmt.Sprintf("%s-%d", p.Slug(), i+1), Date: p.Created, Text: text, File: p.File, Said: []string{text},
			})
		}
	}
	return all, err
}

func condensationRecords(tree *fs.Tree, rec *brief.Records) (all []brief.Record, err error) {
	for _, home := range []string{fs.Forgemind, fs.Quaid} {
		for name, err := range tree.Names(home + "/condensations") {
			if err != nil || path.Ext(name) != ".md" {
				continue
			}
			src, err := tree.Read(name)
			if err != nil {
				continue
			}
			c, err := condense.ReadCondensation(path.Base(name), src)
			if err != nil {
				c = condense.Condensation{Topic: path.Base(name)}
			}
			by, _ := rec.Standing.SupersededBy(c.DecisionID)
			all = append(all, brief.Record{
				ID: path.Base(name), Date: cmp.Or(c.Date, path.Base(name)), Text: c.Topic, File: name,
				Said: []string{strings.ToValidUTF8(string(src), " ")}, SupersededBy: by,
			})
		}
	}
	return all, nil
}

func threadRecords(tree *fs.Tree, _ *brief.Records) (all []brief.Record, err error) {
	threads, _, err := condense.Threads(tree)
	for _, t := range threads {
		said := []string{t.Title}
		talk, _, _ := condense.Talk(tree, t.Talk()) // of a thread without messages, the title is searched
		for _, m := range talk {
			said = append(said, m.Content)
		}
		all = append(all, brief.Record{ID: t.ID, Date: t.Opened, Text: cmp.Or(t.Title, t.ID), File: t.File, Said: said})
	}
	return all, err
}

// noteRecords returns the notes of sessions, agents' notes and fragments. Files of notes that
// name none of the paths are left out, because finding the beginning of an entry takes longer.
func noteRecords(tree *fs.Tree, rec *brief.Records, paths []string) (all []brief.Record, err error) {
	for _, n := range rec.Hot.Notes {
		all = append(all, brief.Record{ID: n.ID, Date: n.Created, Text: n.Note, Said: []string{n.Note}})
	}
	names, load, err := engine.Notes(tree)
	for _, name := range names {
		src, err := load(name)
		if err != nil {
			continue
		}
		whole := brief.Record{Said: slices.Collect(strings.Lines(string(src)))}
		if !slices.ContainsFunc(paths, func(at string) bool { _, does := whole.Governs(at); return does }) {
			continue
		}
		sections, err := memory.Read(src)
		if err != nil {
			continue
		}
		for _, s := range sections {
			for _, entry := range s.Entries {
				all = append(all, brief.Record{ID: memory.EntryID(name, entry), Text: entry, File: name, Said: []string{entry}})
			}
		}
	}
	fragments, _, faulty := recall.Fragments(tree)
	for _, f := range fragments {
		all = append(all, brief.Record{ID: f.ID, Date: f.Created, Text: f.Title, File: f.Name, Said: []string{f.Title, f.Body}})
	}
	return all, cmp.Or(err, faulty)
}

// A Ruled is a constraint or a current decision that names a path.
type Ruled struct {
	brief.Governor
	Path string
}

// Ruling returns the constraints and current decisions that name any of paths, in the
// order of the paths, the decisions of each the newest first; at most five of each path.
func Ruling(ctx context.Context, tree *fs.Tree, paths []string) ([]Ruled, error) {
	rec := brief.Read(tree)
	return ruling(ctx, tree, &rec, paths)
}

func ruling(ctx context.Context, tree *fs.Tree, rec *brief.Records, paths []string) (all []Ruled, err error) {
	const most = 5
	constraints, err := constraintRecords(tree, rec)
	if err != nil {
		return nil, err
	}
	decisions := decisionRecords(rec)
	for _, at := range paths {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		n := 0
		for _, g := range append(governing(at, constraints), governing(at, decisions)...) {
			if g.SupersededBy == "" && n < most {
				all = append(all, Ruled{g, at})
				n++
			}
		}
	}
	return all, nil
}

// FilesNamed returns the first files that a prompt names. place returns the path of a word,
// relative to the project directory, and reports whether a file exists there.
func FilesNamed(prompt string, place func(word string) (name string, there bool)) (files []string) {
	const (
		longest = 8000 // bytes of a prompt that are examined
		words   = 20   // most words that may be files
		most    = 3    // files
	)
	looked := 0
	for word := range strings.FieldsSeq(prompt[:min(len(prompt), longest)]) {
		word = strings.Trim(word, "`'\"()[]{}<>,;:!?@*")
		word = strings.TrimRight(word, ".")
		if !strings.ContainsAny(word, "./") || len(word) < 3 {
			continue
		}
		if looked++; looked > words || len(files) == most {
			break
		}
		if name, there := place(word); there && !slices.Contains(files, name) {
			files = append(files, name)
		}
	}
	return files
}

// inTree returns a function that returns the path of a word, relative to the project
// directory, and reports whether a file exists there.
func inTree(tree *fs.Tree) func(word string) (string, bool) {
	return func(word string) (string, bool) {
		name := path.Clean(word)
		first, _, _ := strings.Cut(name, "/")
		if !filepath.IsLocal(name) || name == "." || first == ".git" || first == fs.Forgemind || first == fs.Quaid {
			return "", false
		}
		_, err := tree.Look(name)
		return name, err == nil
	}
}
