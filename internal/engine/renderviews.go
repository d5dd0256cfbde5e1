package engine

import (
	"bytes"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/views"
)

// renderViews renders the views from the records.
func (r *WorkingSet) renderViews() error {
	facts, err := r.readFacts()
	if err != nil {
		return err
	}
	for _, name := range r.viewNames() {
		if err := r.renderView(name, facts); err != nil {
			return err
		}
	}
	r.behind = false
	return nil
}

// renderView renders one view from the records.
func (r *WorkingSet) renderView(name string, facts *views.Facts) error {
	src, err := r.readIfExists(name)
	if err != nil {
		return err
	}
	if src == nil || r.unreadable[name] {
		return nil
	}
	if name == fs.State && !bytes.Equal(src, r.rendered[name]) {
		r.pure = false
	}
	last := views.LastRenderings(r.tx, name).Last()
	if r.byGit(name) {
		last = src // the commit has the records of its items, or they are not adopted
	}
	text, err := views.Render(name, src, last, facts.WithProject(r.edited))
	if err != nil {
		return err
	}
	if stored, err := r.tree.ReadStored(name); err == nil && bytes.Equal(stored, src) && views.OnlyStamped(src, text) {
		text = src // a new stamp alone is written with the next change
	}
	if name == fs.State {
		layer := layerOf(text)
		r.pulled = r.pulled || layer != layerOf(src) && entered(facts.Project(), layer)
	}
	if text, err = r.stageView(name, src, text); err != nil {
		return err
	}
	r.rendered[name] = text
	if len(r.edited) > 0 && name == fs.State { // so that closeViews detects the edit
		r.rendered[name], err = views.Unedited(text, r.edited, facts)
	}
	return err
}

// stageView stages text as the rendering of a view whose present text is src, and
// returns the staged text.
func (r *WorkingSet) stageView(name string, src, text []byte) ([]byte, error) {
	active, err := r.activeSession()
	switch {
	case err != nil:
		return nil, err
	case bytes.Equal(text, src):
	case name == fs.State:
		r.tx.Write(name, text)
	case active != "" && name == session.HotContext(active):
		if err := r.editHot(active, func(h *session.Hot) error { return h.Replace(text) }); err != nil {
			return nil, err
		}
		return r.tx.Read(name)
	}
	return text, nil
}

// entered reports whether the effects of a project's layer are in its records: they
// have the progress of the layer, or the project began with it.
func entered(project records.Record, layer string) bool {
	_, noted := project.Members["progress/"+layer]
	return noted || !slices.ContainsFunc(project.Changes, func(c records.Change) bool { return c.Set["current_layer"] != nil })
}

// layerOf returns the layer that a State names, as JSON.
func layerOf(src []byte) string { return string(views.ProjectOf(src)["current_layer"]) }

// renderHot adds what is in force to the hot context of a new session.
func (r *WorkingSet) renderHot(id string) error {
	facts, err := r.readFacts()
	if err != nil {
		return err
	}
	return r.renderView(session.HotContext(id), facts)
}

// keepRenderings stores the renderings of the views, so that the next transaction can
// determine the edits, and the texts that this transaction read: a view that somebody
// saves during the transaction is not overwritten, and the next transaction compares it
// with these. If a crash loses the store, such edits are not known.
func (r *WorkingSet) keepRenderings() error {
	for _, name := range r.viewNames() {
		text, err := r.readIfExists(name)
		if err != nil {
			return err
		}
		if text == nil || r.unreadable[name] {
			continue
		}
		known := views.LastRenderings(r.tx, name)
		seen := r.seen[name]
		if seen != nil && !known.Knows(seen) {
			if base := r.bases[name]; base != nil {
				known = known.With(base)
			}
			known = known.With(seen)
		} else if bytes.Equal(known.Last(), text) {
			continue
		}
		known.With(text).Keep(r.tx, name)
	}
	return nil
}
