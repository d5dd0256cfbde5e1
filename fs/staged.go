package fs

// Staged returns the changes staged so far by name: new bytes, nil for a removal, the
// new lines where records are appended. The map is a copy; the bytes must not be
// changed.
func (tx *Tx) Staged() map[string][]byte {
	all := make(map[string][]byte, len(tx.staged))
	for name, s := range tx.staged {
		all[name] = s.data
	}
	return all
}
