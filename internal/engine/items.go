package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/validate"
)

// shownItems holds the items of the views and the documents that they were read from.
type shownItems struct {
	documents []views.Document
	items     views.Shown
}

// Items returns the items of kind k in force: the records, and items of views that have
// no record.
func (r *WorkingSet) Items(k records.Kind) ([]views.Item, error) {
	facts, err := r.readFacts()
	if err != nil {
		return nil, err
	}
	var shown []views.Document
	for _, name := range r.viewNames() {
		src, err := r.readIfExists(name)
		if err != nil {
			return nil, err
		}
		if src != nil {
			shown = append(shown, views.Document{Name: name, After: src})
		}
	}
	same := func(a, b views.Document) bool { return a.Name == b.Name && bytes.Equal(a.After, b.After) }
	if r.shown.items == nil || !slices.EqualFunc(shown, r.shown.documents, same) {
		r.shown = shownItems{shown, views.ReadItems(shown)}
	}
	return facts.Items(k, r.shown.items), nil
}

// AssignID gives a new item an id, or checks that the id it has is valid and free.
func (r *WorkingSet) AssignID(id *string, k records.Kind) (err error) {
	if *id == "" {
		*id, err = schema.NewID(k.Prefix, r.tree.edge.Random, r.isTaken)
		return err
	}
	switch {
	case !schema.ValidID(*id):
		return fmt.Errorf("%.60q is not an id", *id)
	case r.isTaken(*id):
		return fmt.Errorf("%s %s: the id is taken", k.Name, *id)
	}
	return nil
}

// isTaken reports whether an item of a view has the id.
func (r *WorkingSet) isTaken(id string) bool {
	for _, k := range []records.Kind{records.Question, records.Action, records.Goal, records.Constraint, records.Note} {
		all, err := r.Items(k)
		if err == nil && slices.ContainsFunc(all, func(it views.Item) bool { return it.ID == id }) {
			return true
		}
	}
	return r.facts != nil && r.facts.Taken(id)
}

// ItemWith returns the item of kind k that has the text, and reports whether there is one.
func (r *WorkingSet) ItemWith(k records.Kind, text string) (views.Item, bool, error) {
	if text == "" {
		return views.Item{}, false, fmt.Errorf("the %s is empty", k.Name)
	}
	all, err := r.Items(k)
	i := slices.IndexFunc(all, func(it views.Item) bool { return it.Text == text })
	if err != nil || i < 0 {
		return views.Item{}, false, err
	}
	return all[i], true, nil
}

// Add stages the record v of a new item.
func (r *WorkingSet) Add(k records.Kind, id string, v any) error {
	rec, err := k.In(r.home).Add(r.tx, id, v)
	return r.put(rec, err)
}

// RecordOf returns the record of an item. It makes the record if there is none.
func (r *WorkingSet) RecordOf(k records.Kind, it views.Item) (records.Record, error) {
	if it.Record.ID != "" {
		return it.Record, nil
	}
	id, text := it.NewRecord(k)
	rec, err := k.In(r.home).Add(r.tx, id, json.RawMessage(validate.Retimed(text)))
	return rec, r.put(rec, err)
}

// Change stages a change of an item; what names the change in one word.
func (r *WorkingSet) Change(k records.Kind, it views.Item, what string, members map[string]any) (views.Item, error) {
	rec, err := r.RecordOf(k, it)
	if err != nil {
		return it, err
	}
	c := records.Change{What: what, At: schema.FormatTime(r.at), By: r.Actor()}
	rec, err = rec.Change(r.tx, c, members)
	if err := r.put(rec, err); err != nil {
		return it, err
	}
	facts, err := r.readFacts()
	if err != nil {
		return it, err
	}
	return facts.Item(rec), nil
}

// put adds a staged record to the facts, unless err is set.
func (r *WorkingSet) put(rec records.Record, err error) error {
	if err == nil && r.facts != nil {
		r.facts.Put(rec)
	}
	r.behind = r.behind || err == nil
	return err
}

// Close sets the status of an item, which takes it out of force.
func (r *WorkingSet) Close(k records.Kind, it views.Item, what, status string) error {
	if err := r.Link(it.ID); err != nil {
		return err
	}
	_, err := r.Change(k, it, what, map[string]any{"status": status})
	return err
}

// Link makes a record of each item that refers to the question or the action of that
// id: views show references of records only.
func (r *WorkingSet) Link(id string) error {
	for _, rel := range []struct {
		kind   records.Kind
		member string
	}{{records.Action, "blocked_by"}, {records.Question, "blocking"}} {
		all, err := r.Items(rel.kind)
		if err != nil {
			return err
		}
		for _, it := range all {
			if id != "" && it.Record.ID == "" && it.Names(rel.member, id) {
				if _, err := r.RecordOf(rel.kind, it); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// NeedLists makes a view that shows questions and actions if there is none. The error
// is state.ErrNoState if the layout of the tree has none.
func (r *WorkingSet) NeedLists() error {
	if _, err := r.tx.Read(fs.State); !isMissing(err) {
		return err
	}
	id, err := r.activeSession()
	if err != nil || id != "" {
		return err
	}
	if !r.hasQuaid() {
		return state.ErrNoState
	}
	_, err = r.needSession()
	return err
}
