package engine

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/schema"
)

// maxEdits bounds how many edits of views are read back at once. A program that puts more
// items into one has gone wrong, and each would be a file.
const maxEdits = 1000

// takeEdits makes records of what people edited in views, and notes what they set of the project.
// joined are edits that both sides of a merge made.
func (r *round) takeEdits(edited []views.Document, joined []views.Edit, facts *views.Facts) error {
	edits := views.Compare(edited, facts)
	restored := slices.DeleteFunc(slices.Clone(edits), func(e views.Edit) bool { return !e.Closed || !facts.Taken(e.ID) })
	r.tellRestored(restored)
	edits = slices.DeleteFunc(edits, func(e views.Edit) bool { return e.Closed })
	if len(edits) > maxEdits {
		for _, d := range edited {
			r.unreadable[d.Name] = true
			r.tell(fmt.Sprintf("%s is left alone: %d of its items have no record, more than %d at once", d.Name, len(edits), maxEdits))
		}
		edits, edited = nil, nil
	}
	if err := r.writeEdits(append(edits, joined...), r.editor); err != nil {
		return err
	}
	for _, d := range edited {
		e := views.CompareProject(d, facts)
		set := e.Set
		if len(e.Progress) > 0 && len(set) == 0 && facts.Project().Derives() {
			r.tell(d.Name + ": progress is again what follows from the layers and their clarity; 'forgemind layer' and 'forgemind clarity' change those")
		}
		if _, moved := set[records.Layer]; !moved && set[records.LayerName] != nil {
			delete(set, records.LayerName)
			r.tell(fmt.Sprintf("%s: layer_name is %s again, as the number of the layer says; 'forgemind layer N' changes both", d.Name, facts.Project().Members.Text(records.LayerName)))
		}
		if !facts.Project().Derives() {
			set = with(e.Progress, set)
		}
		r.edited = with(r.edited, set)
	}
	return nil
}

// readBack runs a change, and makes records of what it edited in the State.
func (r *round) readBack(change func(*fs.Tx) error) error {
	before, err := r.maybe(fs.State)
	if err == nil {
		err = change(r.tx)
	}
	if err != nil {
		return err
	}
	after, err := r.maybe(fs.State)
	if err != nil || after == nil || bytes.Equal(before, after) {
		return err
	}
	if !views.Readable(fs.State, after) {
		r.unreadable[fs.State] = true
		return nil
	}
	facts, err := r.readFacts()
	if err != nil {
		return err
	}
	d := views.Document{Name: fs.State, Before: before, After: after}
	if err := r.writeEdits(views.Compare([]views.Document{d}, facts), r.actor); err != nil {
		return err
	}
	if edited, ok := views.Edited(r.tx, fs.State, after); ok && r.unreadable[fs.State] {
		d = edited // what else it says of the project was not read before
	}
	delete(r.unreadable, fs.State)
	set, err := r.editOf(d, facts)
	r.sets, r.behind = with(r.sets, set), r.behind || len(set) > 0
	return err
}

// editOf returns what an edit of the State sets of the project, over what is set and not written yet.
// What was reached follows from the rest where the records tell of it.
func (r *round) editOf(d views.Document, facts *views.Facts) (map[string]any, error) {
	pending, err := facts.Then(records.Change{}, with(r.edited, r.sets), nil)
	if err != nil {
		return nil, err
	}
	e := views.CompareProject(d, pending)
	if facts.Project().Derives() {
		return e.Set, nil
	}
	return with(e.Progress, e.Set), nil
}

// readViews reads how the views stand. It returns those that somebody edited since they
// were rendered last, and what a State that a merge left in conflict means. made says that
// the State was made just now.
func (r *round) readViews(facts *views.Facts, made bool) (edited []views.Document, joined []views.Edit, err error) {
	for _, name := range r.viewNames() {
		src, err := r.maybe(name)
		if err != nil {
			return nil, nil, err
		}
		if src == nil {
			continue
		}
		if c, ok := r.join(name, src); ok {
			edits, project := c.edits(facts)
			if len(edits) <= maxEdits {
				r.tx.Write(name, c.ours)
				r.rendered[name], r.seen[name], r.bases[name] = c.ours, c.ours, c.ours
				joined = edits
				r.edited = with(r.edited, project)
				r.tell(fmt.Sprintf("%s: both sides of the merge are joined; 'git add %s' tells git so", name, name))
				continue
			}
		}
		if !views.Readable(name, src) {
			r.unreadable[name] = true
			continue
		}
		r.rendered[name], r.seen[name] = src, src
		if d, ok := views.Edited(r.tx, name, src); ok && !(made && name == fs.State) {
			edited = append(edited, d)
			if !bytes.Equal(d.Before, d.After) {
				r.bases[name] = d.Before
			}
		} else {
			r.bases[name] = src
		}
	}
	return edited, joined, nil
}

// refill raises the version of the hot context of the active session if others wrote it, and brings back what
// another program does not know of the session. What git brought is as somebody committed it.
func (r *round) refill() error {
	active, err := r.activeSession()
	if err != nil || active == "" {
		return err
	}
	name := session.HotContext(active)
	src := r.seen[name]
	last := views.LastRenderings(r.tx, name).Last()
	if src == nil || r.unreadable[name] || last == nil || bytes.Equal(last, src) {
		return nil
	}
	r.tx.Try(func(*fs.Tx) error { // else it stays as it is
		if is, err := r.isCommitted(name, src); is || err != nil {
			return err
		}
		text, err := views.Refill(src, last)
		if err == nil {
			text, err = views.WithVersion(text, views.Version(r.tx, name, src))
		}
		if err == nil {
			r.tx.Write(name, text)
		}
		return err
	})
	return nil
}

// tellRestored tells of items that somebody took off a view. A view is no place to
// close a record: they are shown again.
func (r *round) tellRestored(restored []views.Edit) {
	const most = 3
	if len(restored) > most {
		r.tell(fmt.Sprintf("%d items that were taken off the lists of a view are shown again; close them by command", len(restored)))
		return
	}
	for _, e := range restored {
		r.tell(fmt.Sprintf("%s %s was taken off a view and is shown again; close it by command", e.Kind.Name, e.ID))
	}
}

// writeEdits makes records, and changes of records, of edits. by returns who made them.
func (r *round) writeEdits(edits []views.Edit, by func() string) error {
	facts, err := r.readFacts()
	if err != nil {
		return err
	}
	for _, e := range edits {
		rec, _ := facts.Record(e.Kind, e.ID)
		if e.New != nil {
			if rec, err = r.add(e.Kind, e.ID, e.New); err != nil {
				return err
			}
			r.tellZone(cmp.Or(rec.Base.Text("created"), rec.Base.Text("asked_at")))
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
		rec, err := rec.Change(r.tx, records.Change{What: what, At: schema.FormatTime(r.at), By: by()}, set)
		if err := r.put(rec, err); err != nil {
			return err
		}
	}
	return nil
}

// closing returns the status of a record of kind k whose item a command takes off the
// lists.
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
