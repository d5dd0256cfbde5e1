package engine

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/validate"
)

// A joint is the State that a merge left in conflict, as git may where it tracks views.
type joint struct {
	ours []byte
	// changed is what each side made of what both come from: theirs first, so that ours
	// holds where both changed the same.
	changed []views.Document
	// added is both sides where git does not say what they come from: what theirs has more
	// counts.
	added []views.Document
}

// join returns the sides of a State in conflict. It returns false for other documents, and
// where the State is in no conflict, or cannot be read with either side.
func (r *round) join(name string, src []byte) (j joint, ok bool) {
	if name != fs.State || !bytes.Contains(src, []byte("<<<<<<<")) {
		return j, false
	}
	ours, theirs, ok := git.Sides(src)
	if !ok || validate.Unreadable(name, ours) || validate.Unreadable(name, theirs) {
		return j, false
	}
	ours, err := withDecisions(ours, theirs)
	wrong := func(f validate.Finding) bool { return f.Severity == validate.Error }
	if err != nil || slices.ContainsFunc(validate.Bytes(name, ours, validate.Options{Severity: validate.Configured(r.tx)}), wrong) {
		return j, false // it would be refused, and is a finding
	}
	r.tell(fmt.Sprintf("%s: both sides of the merge are joined; 'git add %s' tells git so", name, name))
	base := git.Ancestor(context.Background(), r.tree.Root(), name)
	if base == nil || validate.Unreadable(name, base) {
		return joint{ours: ours, added: []views.Document{{Name: name, Before: ours, After: theirs}}}, true
	}
	return joint{ours: ours, changed: []views.Document{{Name: name, Before: base, After: theirs}, {Name: name, Before: base, After: ours}}}, true
}

// withDecisions returns a State with the decisions that another shows and it does not.
func withDecisions(ours, theirs []byte) ([]byte, error) {
	shown, err := state.Shown(ours)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, d := range shown {
		known[idOf(d)] = true
	}
	more, err := state.Shown(theirs)
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

// additions returns the records of what documents show after an edit and did not before.
func additions(documents []views.Document, facts *views.Facts) []views.Edit {
	edits := slices.DeleteFunc(views.Compare(documents, facts), func(e views.Edit) bool { return e.New == nil || e.Closed })
	for i := range edits {
		edits[i].Set = nil
	}
	return edits
}
