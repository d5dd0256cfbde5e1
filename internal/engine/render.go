package engine

import (
	"bytes"
	"context"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/schema"
)

// RenderViews brings the views that git ignores up to the records, as they are after a
// checkout, and does nothing else: no trigger fires, no document that git tracks changes,
// and a view that somebody edited stays as it is for the next command to read.
func (t *Tree) RenderViews(ctx context.Context) (Outcome, error) {
	var out Outcome
	changes, err := t.Transaction(ctx, func(tx *fs.Tx) (err error) {
		r := &round{tree: t, tx: tx, at: t.edge.Now().UTC()}
		if r.config, err = readConfig(tx); err != nil || !r.config.Records() || r.config.Views == schema.TrackedViews {
			return err
		}
		if r.home, err = Home(tx); err != nil {
			return err
		}
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

// renderUnedited renders the views that nobody edited since they were rendered last.
func (r *round) renderUnedited() error {
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
		src, err := r.maybe(name)
		if err != nil {
			return err
		}
		fresh := made && name == fs.State
		if src == nil || !fresh && (!views.Readable(name, src) || !views.LastRenderings(r.tx, name).Knows(src)) {
			r.unreadable[name] = true
			continue
		}
		r.rendered[name], r.seen[name] = src, src
		if err := r.renderView(name, facts); err != nil {
			return err
		}
		if now, err := r.maybe(name); err == nil && !bytes.Equal(now, src) {
			r.tx.AsView(name, true)
		}
	}
	return r.keepRenderings()
}
