package engine

import (
	"context"
	"maps"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/validate"
)

// A conflict is the State that a merge left in conflict, as git may where it tracks views.
type conflict struct {
	ours, theirs []byte
	base         []byte // what both sides come from; nil where git does not say
}

// join returns the sides of a State in conflict. It returns false for other documents, and
// where the State is in no conflict, or cannot be read with either side.
func (r *round) join(name string, src []byte) (c conflict, ok bool) {
	if name != fs.State || !git.InConflict(src) {
		return c, false
	}
	ours, theirs, ok := git.Sides(src)
	if !ok || !views.Readable(name, ours) || !views.Readable(name, theirs) {
		return c, false
	}
	ours, err := withDecisions(ours, theirs)
	wrong := func(f validate.Finding) bool { return f.Severity == validate.Error }
	if err != nil || slices.ContainsFunc(validate.Bytes(name, ours, validate.Options{Severity: validate.Configured(r.tx)}), wrong) {
		return c, false // it would be refused, and is a finding
	}
	base := git.Ancestor(context.Background(), r.tree.Root(), name)
	if base == nil || !views.Readable(name, base) {
		base = nil
	}
	return conflict{ours, theirs, base}, true
}

// edits returns what the two sides mean for the records and for the project. What a change
// of a record says already is decided by the fold. Otherwise ours holds where both sides
// changed the same. Where nobody knows what they come from, what theirs has more counts.
func (c conflict) edits(facts *views.Facts) (edits []views.Edit, project map[string]any) {
	if c.base == nil {
		for _, e := range views.Compare([]views.Document{{Name: fs.State, Before: c.ours, After: c.theirs}}, facts) {
			if e.New != nil && !e.Closed {
				e.Set = nil
				edits = append(edits, e)
			}
		}
		return edits, nil
	}
	project = map[string]any{}
	place := map[string]int{} // kind and id → place in edits
	for _, side := range [][]byte{c.theirs, c.ours} {
		d := views.Document{Name: fs.State, Before: c.base, After: side}
		e := views.CompareProject(d, facts)
		maps.Copy(project, undecided(facts.Project(), e.Set))
		if !facts.Project().Derives() {
			maps.Copy(project, e.Progress)
		}
		for _, e := range views.Compare([]views.Document{d}, facts) {
			if e.Closed {
				continue
			}
			rec, _ := facts.Record(e.Kind, e.ID)
			e.Set = undecided(rec, e.Set)
			key := e.Kind.Name + " " + e.ID
			i, both := place[key]
			if !both {
				place[key] = len(edits)
				edits = append(edits, e)
				continue
			}
			set := maps.Clone(edits[i].Set)
			if set == nil {
				set = map[string]any{}
			}
			maps.Copy(set, e.Set)
			edits[i] = e
			edits[i].Set = set
		}
	}
	return edits, project
}

// undecided returns the members of an edit that no change of the record sets.
func undecided(rec records.Record, set map[string]any) map[string]any {
	left := maps.Clone(set)
	for _, change := range rec.Changes {
		for name := range change.Set {
			delete(left, name)
		}
	}
	return left
}

// withDecisions returns a State with the decisions that another shows and it does not.
func withDecisions(ours, theirs []byte) ([]byte, error) {
	shown, err := views.Decisions(fs.State, ours)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, d := range shown {
		known[idOf(d)] = true
	}
	more, err := views.Decisions(fs.State, theirs)
	if err != nil {
		return nil, err
	}
	for _, d := range more {
		if known[idOf(d)] {
			continue
		}
		if ours, err = jsonedit.Append(ours, "/recent_decisions", d); err != nil {
			return nil, err
		}
	}
	return ours, nil
}

// idOf returns the id of a decision as a view shows it.
func idOf(shown []byte) string {
	var d struct {
		ID string `json:"id"`
	}
	if jsonedit.Decode(shown, &d) != nil {
		return ""
	}
	return d.ID
}
