package engine

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/validate"
)

// shownIn returns the decisions that a view shows, as it shows them; nil where it cannot
// be read as JSON.
func (r *round) shownIn(name string) ([][]byte, error) {
	if name != fs.State {
		if err := r.readable(name); err != nil {
			return nil, err
		}
	}
	src, err := r.maybe(name)
	if err != nil || src == nil {
		return nil, err
	}
	shown, err := decisionsIn(name, src)
	if err != nil {
		return nil, nil // a finding
	}
	return shown, nil
}

// decisionsIn returns the decisions that the view called name shows as src.
func decisionsIn(name string, src []byte) ([][]byte, error) {
	if name == fs.State {
		return state.Shown(src)
	}
	return session.Shown(src)
}

// leftBehind returns the decisions that the views showed already when they were rendered,
// where the Ledger has them no more because git checked out a commit without them: they
// are no news. What HEAD has is lost, and is told.
func (r *round) leftBehind() (map[string]bool, error) {
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
		shown = slices.DeleteFunc(shown, func(d []byte) bool { // what somebody edited is news
			return !slices.ContainsFunc(now, func(e []byte) bool { return bytes.Equal(d, e) })
		})
		only, err := records.OnlyShown(r.tx, shown)
		if err != nil {
			return nil, err
		}
		if len(only) == 0 {
			continue
		}
		lost, err := validate.NotToAdopt(r.tx, r.tree.Root(), []string{name}, func(string) bool { return false })
		if err != nil {
			return nil, nil // adopt tells
		}
		for _, d := range only {
			behind[d.ID] = !slices.ContainsFunc(lost, func(u validate.Unrecorded) bool { return u.ID == d.ID })
		}
	}
	return behind, nil
}

// adopt takes decisions that stand only in a view into the Ledger. It tells of those
// that must not be taken in: the Ledger had them, or they were altered.
func (r *round) adopt() error {
	behind, err := r.leftBehind()
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
			names, views = append(names, name), append(views, shown...)
		}
	}
	only, err := records.OnlyShown(r.tx, views)
	if err != nil || len(only) == 0 {
		return err
	}
	lost, err := validate.NotToAdopt(r.tx, r.tree.Root(), names, func(id string) bool { return r.event.Recorded[id] })
	if err != nil {
		r.tell(fmt.Sprintf("decisions that stand only in a view are not taken into the Ledger, for git does not say whether it had them: %v", err))
		return nil
	}
	r.refused = map[string]string{}
	for _, u := range lost {
		if behind[u.ID] {
			continue
		}
		f := u.Finding
		r.refused[u.ID] = fmt.Sprintf("%s: %s [%s]; the copy in a view is not taken into the Ledger; %s", f.File, f.Message, f.Rule, f.Hint)
		r.tell(r.refused[u.ID])
	}
	adopted, err := records.Adopt(r.tx, r.home, views, func(id string) bool { return behind[id] || r.refused[id] != "" })
	r.out.Adopted = append(r.out.Adopted, adopted...)
	r.acted.Add(adopted...) // views show them
	return err
}
