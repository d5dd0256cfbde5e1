package fs

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
