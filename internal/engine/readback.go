package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/validate"
)

// openViews reads back the edits of views since they were last rendered, and renders
// the views from the records. It keeps the texts for closeViews. A view that violates
// its schema is not read and stays unchanged; it is a finding.
func (r *WorkingSet) openViews() error {
	r.rendered, r.seen, r.pure = map[string][]byte{}, map[string][]byte{}, true
	r.bases, r.unreadable = map[string][]byte{}, map[string]bool{}
	facts, err := r.readFacts()
	if err != nil {
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
	edits := views.Compare(edited, facts)
	restored := slices.DeleteFunc(slices.Clone(edits), func(e views.Edit) bool { return !e.Closed || !facts.Taken(e.ID) })
	if r.event.PutBack == nil { // restored bytes lack many items
		r.tellRestored(restored)
		r.tellIgnored(views.IgnoredIn(edited, facts))
	}
	edits = slices.DeleteFunc(edits, func(e views.Edit) bool { return e.Closed })
	if len(edits) > maxEdits {
		r.leaveAlone(edited, len(edits))
		edits, edited = nil, nil
	}
	if err := r.writeEdits(append(edits, joined...)); err != nil {
		return err
	}
	r.takeProject(edited, facts)
	if err := r.restoreDecisions(edited); err != nil {
		return err
	}
	if err := r.renderViews(); err != nil {
		return err
	}
	return r.keepUnadopted()
}

// leaveAlone marks views with too many edits, n, so that they are neither read back nor
// rendered.
func (r *WorkingSet) leaveAlone(edited []views.Document, n int) {
	for _, d := range edited {
		r.unreadable[d.Name] = true
		r.addNote(fmt.Sprintf("%s was not read back: %d of its items have no record, and at most %d are read back at once", d.Name, n, maxEdits))
	}
}

// readViews reads the views. It returns those that somebody edited since they were last
// rendered, and the edits of a State with an unresolved merge. made is set if this
// transaction made the State.
func (r *WorkingSet) readViews(facts *views.Facts, made bool) (edited []views.Document, joined []views.Edit, err error) {
	for _, name := range r.viewNames() {
		src, err := r.readIfExists(name)
		if err != nil {
			return nil, nil, err
		}
		if src == nil {
			continue
		}
		if edits, ok := r.joinSides(name, src, facts); ok {
			joined = edits
			continue
		}
		if validate.Unreadable(name, src) {
			r.unreadable[name] = true
			continue
		}
		r.rendered[name], r.seen[name] = src, src
		r.bases[name] = src
		found, ok := r.findView(name, src)
		if !ok || made && name == fs.State {
			continue
		}
		if r.found = append(r.found, found); !found.Edited {
			continue
		}
		d := found.Document
		edited = append(edited, d)
		if !bytes.Equal(d.Before, d.After) {
			r.bases[name] = d.Before
		} else {
			delete(r.bases, name)
		}
	}
	return edited, joined, nil
}

// joinSides joins the sides of a State in conflict, and returns the edits of both. It
// returns false if there is no conflict, or if there are too many edits.
func (r *WorkingSet) joinSides(name string, src []byte, facts *views.Facts) ([]views.Edit, bool) {
	c, ok := r.splitConflict(name, src)
	if !ok {
		return nil, false
	}
	edits, project := c.edits(facts)
	if len(edits) > maxEdits {
		return nil, false
	}
	r.tx.Write(name, c.ours)
	r.rendered[name], r.seen[name], r.bases[name] = c.ours, c.ours, c.ours
	r.edited = project
	r.addNote(fmt.Sprintf("%s: both sides of the merge were joined; 'git add %s' marks it as resolved", name, name))
	return edits, true
}

// writeEdits makes records, and changes of records, of edits.
func (r *WorkingSet) writeEdits(edits []views.Edit) error {
	facts, err := r.readFacts()
	if err != nil {
		return err
	}
	for _, e := range edits {
		rec, _ := facts.Record(e.Kind, e.ID)
		if e.New != nil {
			rec, err = e.Kind.In(r.home).Add(r.tx, e.ID, json.RawMessage(validate.Retimed(e.New)))
			if err := r.put(rec, err); err != nil {
				return err
			}
		}
		set, what := e.Set, "updated"
		if e.Closed && !rec.InForce() {
			continue // its answer closed it
		}
		if e.Closed {
			status := closing(e.Kind)
			set, what = map[string]any{"status": status}, status
			if status == records.Complete {
				what = records.Done
			}
		}
		if len(set) == 0 {
			continue
		}
		rec, err := rec.Change(r.tx, records.Change{What: what, At: schema.FormatTime(r.at), By: r.Actor()}, set)
		if err := r.put(rec, err); err != nil {
			return err
		}
	}
	return nil
}

// closing returns the status that a record of kind k gets if a command removes its item
// from the lists.
func closing(k records.Kind) string {
	switch k.Name {
	case records.Question.Name:
		return records.Answered
	case records.Action.Name:
		return records.Done
	case records.Goal.Name:
		return records.Complete
	}
	return records.Removed
}
