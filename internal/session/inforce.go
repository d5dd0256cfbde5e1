package session

import (
	"cmp"

	"github.com/forgemind/forgemind/fs"
)

// InForce returns the session whose hot context has the goals and constraints in force. It is the
// active session, or without one, as in a fresh clone, the latest session that is not archived. The
// id is "" if there is neither.
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

// ClosedItems returns the keys of goals that were completed and of constraints that were removed in any
// session of the tree. A key is an item's id, or its text if it has no id. Metadata that cannot be
// read is ignored.
func ClosedItems(r fs.Reader) (map[string]bool, error) {
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
