package engine

import (
	"bytes"
	"context"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/validate"
)

// RenderViews renders the views that git ignores from the records, as after a checkout.
// No trigger fires, no document that git tracks changes, and an edited view stays for
// the next command to read.
func (t *Tree) RenderViews(ctx context.Context) (Outcome, error) {
	var out Outcome
	changes, err := t.Transaction(ctx, func(tx *fs.Tx) (err error) {
		l := loadResult{tree: t, tx: tx, at: t.edge.Now().UTC()}
		if l.stored, err = readConfig(tx); err != nil || !l.stored.LocalViews() {
			return err
		}
		if l.home, err = Home(tx); err != nil {
			return err
		}
		r := newWorkingSet(l, Event{})
		err = r.renderUnedited()
		out = r.out
		return err
	})
	for _, c := range changes {
		if !fs.IsLocal(c.Name) {
			out.Changes = append(out.Changes, c)
		}
	}
	return out, err
}

// renderUnedited renders the views that nobody edited since they were last rendered.
func (r *WorkingSet) renderUnedited() error {
	r.rendered, r.seen, r.unreadable = map[string][]byte{}, map[string][]byte{}, map[string]bool{}
	facts, err := r.readFacts()
	if err != nil {
		return err
	}
	made, err := r.makeState(facts)
	if err != nil {
		return err
	}
	for _, name := range r.viewNames() {
		src, err := r.readIfExists(name)
		if err != nil {
			return err
		}
		fresh := made && name == fs.State
		if src == nil || !fresh && (validate.Unreadable(name, src) || !views.LastRenderings(r.tx, name).Knows(src)) {
			r.unreadable[name] = true
			continue
		}
		r.rendered[name], r.seen[name] = src, src
		if err := r.renderView(name, facts); err != nil {
			return err
		}
		if now, err := r.readIfExists(name); err == nil && !bytes.Equal(now, src) {
			r.tx.AsView(name, true)
		}
	}
	if err := r.keepRenderings(); err != nil {
		return err
	}
	return r.renderPages()
}

// renderPages renders agents' notes and the CONTEXT.md of projects, if nobody edited them.
func (r *WorkingSet) renderPages() error {
	unedited := func(name string) bool {
		src, err := r.readIfExists(name)
		return err == nil && (src == nil || views.LastRenderings(r.tx, name).Knows(src))
	}
	names, err := r.notesToRender()
	if err != nil {
		return err
	}
	for _, name := range slices.DeleteFunc(names, func(name string) bool { return !unedited(name) }) {
		if err := r.renderNote(name); err != nil {
			return err
		}
	}
	projects, _, err := condense.Projects(r.tx)
	if err != nil || len(projects) == 0 {
		return err
	}
	decisions, _ := Decisions(r.tx)
	for _, p := range projects {
		if !unedited(p.Context) {
			continue
		}
		if _, err := r.refreshProject(p, decisions); fs.IsUnread(err) {
			return err
		}
	}
	return nil
}
