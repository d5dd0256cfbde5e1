package operation

import (
	"cmp"
	"strings"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/views"
)

// fields are the members that every item has: its id, its text, who made it and when.
type fields struct{ id, text, agent, created *string }

// addItem adds v, whose members are f, and fills in the empty ones. If an item with that text
// is in force, addItem returns that one and changes nothing.
func addItem[T any](w *engine.WorkingSet, k records.Kind, v *T, f fields) (T, error) {
	w.Sign(f.agent)
	*f.created = cmp.Or(*f.created, w.Now())
	if err := engine.MaskRecord(w, v); err != nil {
		return *v, err
	}
	*f.text = strings.TrimSpace(*f.text)
	switch there, found, err := w.ItemWith(k, *f.text); {
	case err != nil:
		return *v, err
	case found:
		return decoded[T](there)
	}
	if err := w.AssignID(f.id, k); err != nil {
		return *v, err
	}
	return *v, w.Add(k, *f.id, *v)
}

// removeItem removes the item of kind k named which, and returns it.
func removeItem[T any](w *engine.WorkingSet, k records.Kind, which string) (v T, err error) {
	it, err := find(w, k, which)
	if err != nil {
		return v, err
	}
	if v, err = decoded[T](it); err != nil {
		return v, err
	}
	return v, w.Close(k, it, records.Removed, records.Removed)
}

// find returns the item of kind k named which, by its id or by unique text; see session.Find.
func find(w *engine.WorkingSet, k records.Kind, which string) (views.Item, error) {
	all, err := w.Items(k)
	if err != nil {
		return views.Item{}, err
	}
	i, err := session.Find(k.Name, which, all, func(it views.Item) (id, text string) { return it.ID, it.Text })
	if err != nil {
		return views.Item{}, err
	}
	return all[i], nil
}

// decoded returns an item as a T, such as schema.Goal.
func decoded[T any](it views.Item) (v T, err error) {
	err = it.Decode(&v)
	return v, err
}
