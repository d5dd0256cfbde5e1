package fs

import (
	"bytes"
	"slices"
)

// Staged returns what is staged so far: new bytes by name, nil for a removal,
// the new lines where records are added. It is a copy; the bytes must not be
// changed.
func (tx *Tx) Staged() map[string][]byte {
	all := make(map[string][]byte, len(tx.staged))
	for name, s := range tx.staged {
		all[name] = s.data
	}
	return all
}

// Mark returns how far staging is; see [Tx.Since]. A mark holds until [Tx.Try] takes back
// what was staged before it.
func (tx *Tx) Mark() int {
	tx.marked = len(tx.undos)
	return tx.marked
}

// Since returns the names, sorted, of the documents for which something else is staged
// now than at mark.
func (tx *Tx) Since(mark int) []string {
	first := map[string]undo{}
	for _, u := range tx.undos[mark:] {
		if _, ok := first[u.name]; !ok && !IsLocal(u.name) {
			first[u.name] = u
		}
	}
	var names []string
	for name, u := range first {
		if s := tx.staged[name]; !u.ok || s.kind != u.was.kind || !bytes.Equal(s.data, u.was.data) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
