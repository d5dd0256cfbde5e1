package engine

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/schema"
)

// shownItems are the items of the views, with the documents that they were read from.
type shownItems struct {
	documents []views.Document
	items     views.Shown
}

// items returns what is in force of kind k: records, and what the views show without one.
func (r *round) items(k records.Kind) ([]views.Item, error) {
	facts, err := r.readFacts()
	if err != nil {
		return nil, err
	}
	var shown []views.Document
	for _, name := range r.viewNames() {
		src, err := r.maybe(name)
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

// find returns the item of kind k that which names by its id or by unique text; see
// session.Find.
func (r *round) find(k records.Kind, which string) (views.Item, error) {
	all, err := r.items(k)
	if err != nil {
		return views.Item{}, err
	}
	i, err := session.Find(k.Name, which, all, func(it views.Item) (id, text string) { return it.ID, it.Text })
	if err != nil {
		return views.Item{}, err
	}
	return all[i], nil
}

// same returns the item of kind k that has the text, if there is one.
func (r *round) same(k records.Kind, text string) (views.Item, bool, error) {
	if text == "" {
		return views.Item{}, false, fmt.Errorf("the %s says nothing", k.Name)
	}
	all, err := r.items(k)
	i := slices.IndexFunc(all, func(it views.Item) bool { return it.Text == text })
	if err != nil || i < 0 {
		return views.Item{}, false, err
	}
	return all[i], true, nil
}

// give gives a new item an id, or holds that the one it has may be given.
func (r *round) give(id *string, k records.Kind) (err error) {
	if *id == "" {
		*id, err = schema.NewID(k.Prefix, r.tree.edge.Random, r.taken)
		return err
	}
	switch {
	case !schema.ValidID(*id):
		return fmt.Errorf("%.60q is no id", *id)
	case r.taken(*id):
		return fmt.Errorf("%s %s: the id is taken", k.Name, *id)
	}
	return nil
}

// taken reports whether anything that views show has the id.
func (r *round) taken(id string) bool {
	for _, k := range []records.Kind{records.Question, records.Action, records.Goal, records.Constraint, records.Note} {
		all, err := r.items(k)
		if err == nil && slices.ContainsFunc(all, func(it views.Item) bool { return it.ID == id }) {
			return true
		}
	}
	return r.facts != nil && r.facts.Taken(id)
}

// add stages a record. A decision is shown when the tree is looked at.
func (r *round) add(k records.Kind, id string, v any) (records.Record, error) {
	rec, err := k.In(r.home).Add(r.tx, id, v)
	if k.Name == records.Decision.Name {
		return rec, err
	}
	return rec, r.put(rec, err)
}

// recordOf returns the record of an item. An item that has none gets one.
func (r *round) recordOf(k records.Kind, it views.Item) (records.Record, error) {
	if it.Record.ID != "" {
		return it.Record, nil
	}
	id, text := it.NewRecord(k)
	return r.add(k, id, text)
}

// recordItems makes records of the items that only views have.
func (r *round) recordItems(kinds ...records.Kind) error {
	for _, k := range kinds {
		all, err := r.items(k)
		if err != nil {
			return err
		}
		for _, it := range all {
			if it.Detected() {
				continue
			}
			if _, err := r.recordOf(k, it); err != nil {
				return err
			}
		}
	}
	return nil
}

// set stages a change of an item; what says in a word what it does.
func (r *round) set(k records.Kind, it views.Item, what string, members map[string]any) (views.Item, error) {
	rec, err := r.recordOf(k, it)
	if err != nil {
		return it, err
	}
	c := records.Change{What: what, At: schema.FormatTime(r.at), By: r.actor()}
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

// put has the facts hold a record that is staged, unless there is an error.
func (r *round) put(rec records.Record, err error) error {
	if err == nil && r.facts != nil {
		r.facts.Put(rec)
	}
	r.behind = r.behind || err == nil
	return err
}

// fields are the members that every item has: its id, its text, who made it and when.
type fields struct{ id, text, agent, created *string }

// addItem adds v, whose members are f, and fills in what is empty of them. Where an item
// of that text is in force, it is returned instead, and nothing changes.
func addItem[T any](r *round, k records.Kind, v *T, f fields) (T, error) {
	r.sign(f.agent)
	fill(f.created, schema.FormatTime(r.at))
	if err := maskRecord(r, v); err != nil {
		return *v, err
	}
	*f.text = strings.TrimSpace(*f.text)
	switch there, found, err := r.same(k, *f.text); {
	case err != nil:
		return *v, err
	case found:
		return decoded[T](there)
	}
	if err := r.give(f.id, k); err != nil {
		return *v, err
	}
	_, err := r.add(k, *f.id, *v)
	return *v, err
}

// removeItem removes the item of kind k that which names, and returns it.
func removeItem[T any](r *round, k records.Kind, which string) (v T, err error) {
	it, err := r.find(k, which)
	if err != nil {
		return v, err
	}
	if v, err = decoded[T](it); err != nil {
		return v, err
	}
	return v, r.closeItem(k, it, records.Removed, records.Removed)
}

// closeItem takes an item out of force with a status.
func (r *round) closeItem(k records.Kind, it views.Item, what, status string) error {
	if err := r.link(it.ID); err != nil {
		return err
	}
	_, err := r.set(k, it, what, map[string]any{"status": status})
	return err
}

// link sees to it that what names the question or the action of that id has a record:
// what the views show of records follows from all of them.
func (r *round) link(id string) error {
	for _, rel := range []struct {
		kind   records.Kind
		member string
	}{{records.Action, "blocked_by"}, {records.Question, "blocking"}} {
		all, err := r.items(rel.kind)
		if err != nil {
			return err
		}
		for _, it := range all {
			if id != "" && it.Record.ID == "" && it.Names(rel.member, id) {
				if _, err := r.recordOf(rel.kind, it); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// placeOfWork sees to it that there is a view that shows questions and actions. The error is
// state.ErrNoState where the tree has a place for none.
func (r *round) placeOfWork() error {
	if _, err := r.tx.Read(fs.State); !missing(err) {
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

// fill gives what is empty a value.
func fill(field *string, value string) {
	if *field == "" {
		*field = value
	}
}

// decoded returns an item as what it is.
func decoded[T any](it views.Item) (v T, err error) {
	err = it.Decode(&v)
	return v, err
}
