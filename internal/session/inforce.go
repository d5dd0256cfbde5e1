package session

import (
	"cmp"

	"github.com/forgemind/forgemind/fs"
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
