package session

import (
	"bytes"
	"cmp"
	"encoding/json"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

// InForce returns the session whose hot context holds the goals and constraints
// that are in force: the active session, or where none is active, as in a fresh
// clone, the one with the latest activity that is not archived. id is "" where the
// tree has neither.
func InForce(r fs.Reader) (id string, active bool, err error) {
	if id, err = Active(r); err != nil {
		return "", false, err
	}
	if id != "" {
		if _, err := r.Read(HotContext(id)); err == nil {
			return id, true, nil
		}
	}
	all, err := List(r)
	if err != nil {
		return "", false, err
	}
	for _, l := range all {
		if l.Status != Archived {
			return l.SessionID, false, nil
		}
	}
	return "", false, nil
}

// TakeOver adds the goals and constraints of from to h. They belong to the
// project: they are in force until they are completed or removed. An item that
// both have becomes what it is in from. An item of h that closed reports, by its
// id or for want of one by its text, is taken off.
func (h *Hot) TakeOver(from *Hot, closed func(key string) bool) error {
	return h.whole(func() error {
		for _, k := range []kind{goals, constraints} {
			if err := h.drop(k, closed); err != nil {
				return err
			}
			if err := h.takeOver(k, from); err != nil {
				return err
			}
		}
		return nil
	})
}

// drop takes the items that are closed off a list.
func (h *Hot) drop(k kind, closed func(key string) bool) error {
	all, err := h.items(k)
	for i := len(all) - 1; i >= 0 && err == nil; i-- {
		if key := cmp.Or(all[i].id, all[i].text); key != "" && closed(key) {
			err = h.delete(all[i].at)
		}
	}
	return err
}

// takeOver adds the items of one list of from, in one edit: a list may have any
// length.
func (h *Hot) takeOver(k kind, from *Hot) error {
	ours, err := h.items(k)
	if err != nil {
		return err
	}
	theirs, err := from.items(k)
	if err != nil {
		return err
	}
	all := make([]json.RawMessage, len(ours), len(ours)+len(theirs))
	at := map[item]int{} // index in all, by id or for want of one by text
	key := func(it item) item {
		if it.id != "" {
			return item{id: it.id}
		}
		return item{text: it.text}
	}
	for i, it := range ours {
		all[i], at[key(it)] = h.doc.Raw(it.node), i
	}
	changed := false
	for _, it := range theirs {
		if word(&from.doc, it.node, "status") == Complete || it.id == "" && it.text == "" {
			continue
		}
		raw := json.RawMessage(from.doc.Raw(it.node))
		i, known := at[key(it)]
		switch {
		case !known:
			at[key(it)], all = len(all), append(all, raw)
		case sameJSON(all[i], raw):
			continue
		default:
			all[i] = raw
		}
		changed = true
	}
	if !changed {
		return nil
	}
	return h.set(k.list, all)
}

// sameJSON reports whether two JSON texts differ in their white space only.
func sameJSON(a, b json.RawMessage) bool {
	x, err := jsonedit.Value(a)
	y, err2 := jsonedit.Value(b)
	return err == nil && err2 == nil && bytes.Equal(x, y)
}

// Closed returns the keys of the goals that were completed, and of the
// constraints that were removed, in any session of the tree: an item's id, or for
// want of one its text. Metadata that cannot be read closes nothing.
func Closed(r fs.Reader) (map[string]bool, error) {
	ids, err := described(r)
	if err != nil {
		return nil, err
	}
	closed := map[string]bool{}
	for _, id := range ids {
		m, err := metadataOf(r, id)
		if err != nil {
			continue
		}
		for _, d := range m.Completed {
			if d.Goal != "" {
				closed[cmp.Or(d.ID, d.Goal)] = true
			}
		}
		for _, key := range m.Removed {
			closed[key] = true
		}
	}
	return closed, nil
}
