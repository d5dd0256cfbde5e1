package engine

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/internal/ledger"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/validate"
)

// shownIn returns the decisions of a view, in the bytes that the view has; nil if the
// view cannot be read as JSON.
func (r *WorkingSet) shownIn(name string) ([][]byte, error) {
	if name != fs.State {
		if err := readable(r.tx, name); err != nil {
			return nil, err
		}
	}
	src, err := r.readIfExists(name)
	if err != nil || src == nil {
		return nil, err
	}
	shown, err := decisionsIn(name, src)
	if err != nil {
		return nil, nil // a finding
	}
	return shown, nil
}

// decisionsIn returns the decisions in src, the text of the view called name.
func decisionsIn(name string, src []byte) ([][]byte, error) {
	if name == fs.State {
		return state.ShownDecisions(src)
	}
	return session.Shown(src)
}

// decisionsBefore returns the decisions that the views already showed when they were
// last rendered, and that the Ledger lacks because git checked out a commit without
// them. They are not new, so adopt skips them. A decision that HEAD has is not among
// them: it was lost, and adopt reports it.
func (r *WorkingSet) decisionsBefore() (map[string]bool, error) {
	if git.Find(r.tree.Root()) == (git.Repo{}) {
		return nil, nil
	}
	behind := map[string]bool{}
	for _, name := range r.viewNames() {
		now, err := r.shownIn(name)
		if err != nil {
			return nil, err
		}
		shown, err := decisionsIn(name, r.bases[name])
		if err != nil {
			continue // it could not be read
		}
		shown = slices.DeleteFunc(shown, func(d []byte) bool { // an edited decision is new
			return !slices.ContainsFunc(now, func(e []byte) bool { return bytes.Equal(d, e) })
		})
		only, err := ledger.OnlyShown(r.tx, shown)
		if err != nil {
			return nil, err
		}
		if len(only) == 0 {
			continue
		}
		lost, err := validate.NotToAdopt(r.tx, r.tree.Root(), []string{name}, func(string) bool { return false })
		if err != nil {
			return nil, nil // adopt reports it
		}
		for _, d := range only {
			behind[d.ID] = !slices.ContainsFunc(lost, func(u validate.Unrecorded) bool { return u.ID == d.ID })
		}
	}
	return behind, nil
}

// adopt adds the decisions that only a view has to the Ledger. It adds a note for each
// that must not be added: the Ledger had it before, or somebody altered it.
func (r *WorkingSet) adopt() error {
	behind, err := r.decisionsBefore()
	if err != nil {
		return err
	}
	var names []string
	var views [][]byte
	for _, name := range r.viewNames() {
		shown, err := r.shownIn(name)
		if err != nil {
			return err
		}
		if shown != nil {
			names = append(names, name)
			for _, d := range shown {
				views = append(views, validate.Retimed(d))
			}
		}
	}
	only, err := ledger.OnlyShown(r.tx, views)
	if err != nil || len(only) == 0 {
		return err
	}
	indexed := ledger.Indexed(r.tree.Tree)
	had := func(id string) bool { return r.event.Recorded[id] || indexed(id) }
	lost, err := validate.NotToAdopt(r.tx, r.tree.Root(), names, had)
	if err != nil {
		r.addNote(fmt.Sprintf("decisions that only a view has are not added to the Ledger, because git cannot tell whether it had them before: %v", err))
		return nil
	}
	r.refused = map[string]string{}
	for _, u := range lost {
		if behind[u.ID] {
			continue
		}
		f := u.Finding
		r.refused[u.ID] = fmt.Sprintf("%s: %s [%s]; the copy in a view is not added to the Ledger; %s", f.File, f.Message, f.Rule, f.Hint)
		r.addNote(r.refused[u.ID])
	}
	adopted, err := ledger.Adopt(r.tx, r.home, r.stateTime(), views, func(id string) bool { return behind[id] || r.refused[id] != "" })
	r.out.Adopted = append(r.out.Adopted, adopted...)
	return err
}

// stateTime returns the time in the State, or else that of the transaction. Two clones
// that adopt the same decision without a time thus give it the same one.
func (r *WorkingSet) stateTime() string {
	if s, ok := r.readState(); ok {
		if _, err := schema.ParseTime(s.Metadata.Timestamp); err == nil {
			return s.Metadata.Timestamp
		}
	}
	return schema.FormatTime(r.at)
}
