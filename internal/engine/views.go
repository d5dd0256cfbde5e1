package engine

import (
	"bytes"
	"fmt"
	"path"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/schema"
)

// A viewStage holds the views of a round: how they stand, and what they show.
type viewStage struct {
	state      stateRead         // the State as it was decoded last
	shown      shownItems        // the items of the views as they were read last
	rendered   map[string][]byte // the views as this round rendered them last
	seen       map[string][]byte // how they stood before it
	bases      map[string][]byte // the renderings that they were made from; nil where nobody knows
	unreadable map[string]bool   // those that are against their schemas
	edited     map[string]any    // what was edited of the project in the State before this round, until writeProject
	sets       map[string]any    // what this round sets of it, likewise
	held       *bool             // see seenInHead
	facts      *views.Facts      // the records that views show; see readFacts
	pure       bool              // rendering alone has changed the State so far
	behind     bool              // the views do not show yet what this round recorded, or is to record
}

// openViews reads back what was edited in the views since they were rendered last, and
// brings them up to the records. It notes how they stand, for closeViews. A view that is
// against its schema says nothing, and stays as it is: it is a finding.
func (r *round) openViews() error {
	r.rendered, r.seen, r.pure = map[string][]byte{}, map[string][]byte{}, true
	r.bases, r.unreadable = map[string][]byte{}, map[string]bool{}
	facts, err := r.readFacts()
	if err != nil {
		return err
	}
	if err := r.mendViews(); err != nil {
		return err
	}
	made, err := r.makeState(facts)
	if err != nil {
		return err
	}
	edited, joined, err := r.readViews(facts, made)
	if err != nil {
		return err
	}
	if err := r.takeEdits(edited, joined, facts); err != nil {
		return err
	}
	if err := r.refill(); err != nil {
		return err
	}
	if err := r.takeDecisions(); err != nil {
		return err
	}
	if err := r.render(); err != nil {
		return err
	}
	if made { // from nothing
		r.bases[fs.State] = r.rendered[fs.State]
	}
	return nil
}

// renderBehind renders the views if a record is staged that they do not show yet.
func (r *round) renderBehind() error {
	if !r.behind {
		return nil
	}
	for _, name := range r.viewNames() {
		if err := r.tellUnread(name); err != nil {
			return err
		}
	}
	return r.render()
}

// tellUnread tells that a view does not show what was recorded, or only in part, if it cannot be read in whole.
func (r *round) tellUnread(name string) error {
	if r.unreadable[name] {
		r.tell(name + " does not show it: the file is against its schema, and 'forgemind validate' says why")
		return nil
	}
	src, err := r.maybe(name)
	if err != nil || src == nil {
		return err
	}
	if _, why := views.Sound(name, src); why != nil {
		r.tell(fmt.Sprintf("%s is not read in whole: %v; what is wrong stays as it is, and 'forgemind validate' says why", name, why))
	}
	return nil
}

// mendViews puts the last rendering into the place of a view that was cut off while it was
// written; where it is not known, one is made. A watcher waits for whoever emptied it.
func (r *round) mendViews() error {
	if r.looks {
		return nil
	}
	for _, name := range r.viewNames() {
		src, err := r.maybe(name)
		if err != nil {
			return err
		}
		if !views.Torn(r.tx, name, src) {
			continue
		}
		r.tell(name + " was cut off while it was written; it is rendered again")
		switch last := views.LastRenderings(r.tx, name).Last(); {
		case last != nil:
			r.tx.Write(name, last)
		case name == fs.State:
			r.tx.Remove(name) // makeState makes it
		default:
			err = r.newHot(path.Base(path.Dir(name)))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// makeState makes the State of a working copy that has none, such as a new clone, and
// reports whether it did.
func (r *round) makeState(facts *views.Facts) (bool, error) {
	src, err := r.maybe(fs.State)
	if err != nil || src != nil || !facts.Project().Exists() {
		return false, err
	}
	id, err := schema.NewID("session-"+r.at.Format("2006-01-02")+"-", r.tree.edge.Random, func(string) bool { return false })
	if err != nil {
		return false, err
	}
	if src, err = views.NewState(facts, r.at, id); err != nil {
		return false, err
	}
	r.tx.Write(fs.State, src)
	return true, r.fillState()
}

// closeViews makes a change of what this round set of the project, renders the views, and notes
// how they are rendered.
func (r *round) closeViews() error {
	if len(r.tx.Staged())+len(r.sets) == 0 && !r.edits() {
		return nil
	}
	if config, err := readConfig(r.tx); err == nil && config.Format != r.config.Format { // by init or migrate
		r.config.Format, r.facts, r.behind = config.Format, nil, true
	}
	last := func() error { _, err := r.show(); return err }
	return inOrder(r.addProject, last, r.writeProject, r.deferState, r.keepRenderings)
}

// edits reports whether somebody here edited the State before this round in what it says of the project.
// What git brought is not for a look to record.
func (r *round) edits() bool { return len(r.edited) > 0 && !r.seenInHead() }

// deferState has the State written after the records, which say the same but for what
// belongs to the working copy.
func (r *round) deferState() error {
	now, err := r.maybe(fs.State)
	if err != nil || !r.config.Records() || bytes.Equal(now, r.seen[fs.State]) {
		return err
	}
	if r.pure && bytes.Equal(now, r.rendered[fs.State]) {
		r.tx.AsView(fs.State, true)
		return nil
	}
	facts, err := r.readFacts()
	if err != nil {
		return err
	}
	rendered, err := views.Render(fs.State, r.seen[fs.State], nil, facts)
	r.tx.AsView(fs.State, err == nil && bytes.Equal(rendered, now))
	return nil
}

// readFacts returns the records that views show, as this round has them. A record that
// cannot be read is left out: validate tells what is wrong with it.
func (r *round) readFacts() (*views.Facts, error) {
	if r.facts != nil {
		return r.facts, nil
	}
	facts, faults := views.Read(r.tx)
	for _, f := range faults {
		if fs.Unread(f.Err) {
			return nil, f.Err
		}
	}
	r.facts = facts
	return facts, nil
}

// viewNames returns the views that show records: the State, and the hot context of the
// session that is active, or was last.
func (r *round) viewNames() []string {
	names := []string{fs.State}
	if id, _, err := session.InForce(r.tx); err == nil && id != "" {
		names = append(names, session.HotContext(id))
	}
	return names
}

// show renders the views if the State changed, or they are behind, and reports whether that
// changed the State.
func (r *round) show() (bool, error) {
	before, err := r.maybe(fs.State)
	if err != nil || !r.behind && bytes.Equal(before, r.rendered[fs.State]) {
		return false, err
	}
	if err := r.render(); err != nil {
		return false, err
	}
	now, err := r.maybe(fs.State)
	return !bytes.Equal(before, now), err
}

// render brings the views up to the records, and to what this round sets of the project.
func (r *round) render() error {
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

// renderView brings one view up to the records.
func (r *round) renderView(name string, facts *views.Facts) error {
	src, err := r.maybe(name)
	if err != nil {
		return err
	}
	if src == nil || r.unreadable[name] {
		return nil
	}
	isState := name == fs.State
	if isState {
		r.pure = r.pure && bytes.Equal(src, r.rendered[name]) && len(r.edited)+len(r.sets) == 0
		if facts, err = r.withProject(facts, src); err != nil {
			return err
		}
	}
	text, err := views.Render(name, src, views.LastRenderings(r.tx, name).Last(), facts)
	if err == nil && isState && r.movesState(text) {
		text, err = r.finishState(text)
	}
	if err != nil {
		return err
	}
	active, err := r.activeSession()
	switch {
	case err != nil:
		return err
	case bytes.Equal(text, src):
	case isState:
		r.tx.Write(name, text)
	case active != "" && name == session.HotContext(active):
		if err := r.editHot(active, func(h *session.Hot) error { return h.Replace(text) }); err != nil {
			return err
		}
		if text, err = r.tx.Read(name); err != nil {
			return err
		}
	}
	r.rendered[name] = text
	return nil
}

// renderHot shows in the hot context of a session that has just begun what is in force.
func (r *round) renderHot(id string) error {
	facts, err := r.readFacts()
	if err != nil {
		return err
	}
	return r.renderView(session.HotContext(id), facts)
}

// rendersOnly reports whether nothing is staged but the State, as it is rendered.
func (r *round) rendersOnly() bool {
	staged := r.tx.Staged()
	state, ok := staged[fs.State]
	return len(r.sets) == 0 && !r.edits() && (len(staged) == 0 || len(staged) == 1 && ok && r.pure && bytes.Equal(state, r.rendered[fs.State]))
}

// keepRenderings notes how the views are rendered, so that the next round knows what was
// edited, and how they stood: a view that somebody saves just now is not written, and the
// next round compares it with what this one read. Lost in a crash, it costs that knowledge.
func (r *round) keepRenderings() error {
	for _, name := range r.viewNames() {
		text, err := r.maybe(name)
		if err != nil {
			return err
		}
		if text == nil || r.unreadable[name] {
			continue
		}
		known := views.LastRenderings(r.tx, name)
		seen := r.seen[name]
		if seen != nil && !known.Knows(seen) {
			known = known.With(seen)
		} else if bytes.Equal(known.Last(), text) {
			continue
		}
		known.With(text).Keep(r.tx, name)
	}
	return nil
}
