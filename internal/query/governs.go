package query

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	iofs "io/fs"
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/audit"
	"github.com/forgemind/forgemind/internal/brief"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/internal/memory"
	"github.com/forgemind/forgemind/internal/recall"
	"github.com/forgemind/forgemind/schema"
)

// Governing is what names a path, or a folder above it: each list the newest
// first, and what holds before what is superseded.
type Governing struct {
	Path          string           `json:"path"`
	Constraints   []brief.Governor `json:"constraints"`
	Decisions     []brief.Governor `json:"decisions"`
	Condensations []brief.Governor `json:"condensations"`
	Threads       []brief.Governor `json:"threads"`
	Notes         []brief.Governor `json:"notes"`
	Unrelated     []string         `json:"unrelated,omitempty"` // ids of decisions, as audit.Unrelated returns them
	Faults        []string         `json:"faults,omitempty"`    // what could not be read
	NotChecked    []audit.Gap      `json:"not_checked,omitempty"`
}

// Count is how many there are.
func (g *Governing) Count() int {
	return len(g.Constraints) + len(g.Decisions) + len(g.Condensations) + len(g.Threads) + len(g.Notes)
}

// Governs says what governs a slash path relative to the project directory, with a
// slash at its end if it is a folder; also what names one of its former names, but
// not what names a folder above that. What cannot be read is a fault; errors are
// those of ctx.
func Governs(ctx context.Context, tree *fs.Tree, at string, former ...string) (Governing, error) {
	rec := brief.Read(tree)
	g := Governing{Path: path.Clean(at), Faults: rec.Faults}
	g.Decisions = governing(tree, at, decisionRecords(&rec), former...)
	g.Unrelated = audit.Unrelated(rec.Standing, at, tree.Fold)
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
		*gather.into = governing(tree, at, records, former...)
	}
	return g, nil
}

// mostFollowed is how many commits are searched for former names.
const mostFollowed = 20_000

// FormerNames are what a file was called before, the latest first, as far as git
// knows of it: it was renamed and not changed at once. Errors are those of
// git.History, and git.ErrShallow where older commits are not there, which may know more.
func FormerNames(ctx context.Context, tree *fs.Tree, at string) (former []string, err error) {
	commits, err := git.History(ctx, tree.Root(), git.Span{Most: mostFollowed})
	if err == nil {
		var shallow bool
		if shallow, err = git.Shallow(ctx, tree.Root()); shallow {
			err = git.ErrShallow
		}
	}
	for _, c := range commits {
		for _, touch := range c.Touched {
			if !touch.Gone && touch.Other != "" && tree.Fold(touch.Name) == tree.Fold(at) {
				at = touch.Other
				former = append(former, at)
				break
			}
		}
	}
	return former, err
}

// undated is the date of what has none.
const undated = "undated"

// governing are those of the records that name a path, or what it was called before.
func governing(tree *fs.Tree, at string, records []brief.Record, former ...string) []brief.Governor {
	all := []brief.Governor{}
	for i := range records {
		g, ok := records[i].Governs(at, tree.Fold)
		for n := 0; n < len(former) && !ok; n++ {
			g, ok = records[i].Governs(former[n], tree.Fold)
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
	for i := range slices.Backward(decisions) {
		r := decisionRecord(&decisions[i])
		r.SupersededBy, _ = rec.Standing.SupersededBy(r.ID)
		all = append(all, r)
	}
	return all
}

func decisionRecord(d *schema.Decision) brief.Record {
	said := append([]string{d.Decision, d.Rationale}, d.Impact...)
	return brief.Record{ID: d.ID, Date: d.Timestamp, Text: d.Decision, Paths: d.Files, Said: said}
}

// Naming returns a function that reports whether a decision governs a path, as Governs
// takes it.
func Naming(tree *fs.Tree, at string) func(*schema.Decision) bool {
	return func(d *schema.Decision) bool {
		r := decisionRecord(d)
		_, names := r.Governs(at, tree.Fold)
		return names
	}
}

func constraintRecords(tree *fs.Tree, rec *brief.Records) (all []brief.Record, err error) {
	for _, c := range rec.Hot.ImportantConstraints {
		all = append(all, brief.Record{ID: c.ID, Date: c.Created, Text: c.Constraint, Said: []string{c.Constraint}})
	}
	projects, _, err := condense.Projects(tree) // what is no project is validate's to tell
	for _, p := range projects {
		for i, text := range p.Constraints {
			all = append(all, brief.Record{
				ID: fmt.Sprintf("%s-%d", p.Slug(), i+1), Date: p.Created, Text: text, File: p.File, Said: []string{text},
			})
		}
	}
	return all, err
}

func condensationRecords(tree *fs.Tree, rec *brief.Records) (all []brief.Record, _ error) {
	var faults []error
	for _, home := range []string{fs.Forgemind, fs.Quaid} {
		for name, err := range tree.Names(home + "/condensations") {
			if err == nil && path.Ext(name) != ".md" {
				continue
			}
			src, unread := tree.Read(name)
			if err == nil && errors.Is(unread, iofs.ErrNotExist) {
				continue // it is gone again
			}
			if err = cmp.Or(err, unread); err != nil {
				faults = append(faults, err)
				continue
			}
			c, err := condense.ReadCondensation(path.Base(name), src)
			if err != nil {
				c = condense.Condensation{Topic: path.Base(name)}
			}
			id := rec.Standing.Accepted(c.DecisionID)
			by, superseded := rec.Standing.SupersededBy(id)
			if !superseded && !rec.Standing.Holds(id) {
				continue // it is only proposed
			}
			all = append(all, brief.Record{
				ID: path.Base(name), Date: cmp.Or(c.Date, path.Base(name)), Text: c.Topic, File: name,
				Said: []string{strings.ToValidUTF8(string(src), " ")}, SupersededBy: by,
			})
		}
	}
	return all, errors.Join(faults...)
}

func threadRecords(tree *fs.Tree, _ *brief.Records) (all []brief.Record, err error) {
	threads, _, err := condense.Threads(tree)
	for _, t := range threads {
		said := []string{t.Title}
		talk, _, _ := condense.Talk(tree, t.Talk()) // a thread without one says what its title says
		for _, m := range talk {
			said = append(said, m.Content)
		}
		all = append(all, brief.Record{ID: t.ID, Date: t.Opened, Text: cmp.Or(t.Title, t.ID), File: t.File, Said: said})
	}
	return all, err
}

// noteRecords are what a session was asked to remember, agents' notes but for what they copy
// of decisions, and fragments. Files of notes that name none of the paths are left out: to find out
// where an entry begins takes longer than that.
func noteRecords(tree *fs.Tree, rec *brief.Records, paths []string) (all []brief.Record, err error) {
	for _, n := range rec.Hot.Notes {
		all = append(all, brief.Record{ID: n.ID, Date: n.Created, Text: n.Note, Said: []string{n.Note}})
	}
	names, load, err := engine.Notes(tree)
	faults := []error{err}
	copies := memory.CopiesOf(rec.Standing.All())
	for _, name := range names {
		src, err := load(name)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		whole := brief.Record{Said: slices.Collect(strings.Lines(string(src)))}
		if !slices.ContainsFunc(paths, func(at string) bool { _, does := whole.Governs(at, tree.Fold); return does }) {
			continue
		}
		sections, err := memory.Read(src)
		if err != nil {
			continue
		}
		for _, s := range sections {
			for _, entry := range s.Entries {
				decision, whole := copies.Find(entry)
				if whole {
					continue
				}
				by, _ := rec.Standing.SupersededBy(decision)
				all = append(all, brief.Record{ID: memory.EntryID(name, entry), Text: entry, File: name, Said: []string{entry}, SupersededBy: by})
			}
		}
	}
	fragments, _, faulty := recall.Fragments(tree)
	for _, f := range fragments {
		all = append(all, brief.Record{ID: f.ID, Date: f.Created, Text: f.Title, File: f.Name, Said: []string{f.Title, f.Body}})
	}
	return all, errors.Join(append(faults, faulty)...)
}

// Rules are the constraints and current decisions that name a path, the decisions the
// newest first, and of these the ids of those that audit.Unrelated returns.
type Rules struct {
	Governors []brief.Governor
	Unrelated []string
}

// Ruling returns the Rules of each path in the records of a tree, with so many Governors
// at most.
func Ruling(ctx context.Context, tree *fs.Tree, rec *brief.Records, paths []string, most int) (map[string]Rules, error) {
	constraints, err := constraintRecords(tree, rec)
	if err != nil {
		return nil, err
	}
	decisions := decisionRecords(rec)
	all := map[string]Rules{}
	for _, at := range paths {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		rules := Rules{Unrelated: audit.Unrelated(rec.Standing, at, tree.Fold)}
		for _, g := range append(governing(tree, at, constraints), governing(tree, at, decisions)...) {
			if g.SupersededBy == "" && len(rules.Governors) < most {
				rules.Governors = append(rules.Governors, g)
			}
		}
		all[at] = rules
	}
	return all, nil
}
