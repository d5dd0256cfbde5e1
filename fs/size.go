package fs

// Size returns the size of name in bytes, including staged changes, without reading the
// file. It is 0 if name does not exist. The error is ErrIrregular if name is not a
// regular file.
func (tx *Tx) Size(name string) (int64, error) {
	s, staged := tx.staged[name]
	switch {
	case staged && s.kind == replace:
		return int64(len(s.data)), nil
	case staged && s.kind == remove:
		return 0, nil
	}
	size, err := tx.oldSize(name)
	if err != nil {
		return 0, err
	}
	return size + int64(len(s.data)), nil
}

// oldSize returns the size of the content that old would read. A later round must make
// the same decisions as the one before.
func (tx *Tx) oldSize(name string) (int64, error) {
	if tx.past != nil {
		if v, ok := tx.past.input[name]; ok {
			return int64(len(v.data)), nil
		}
	}
	if v, ok := tx.seen[name]; ok {
		return int64(len(v.data)), nil
	}
	switch fi, err := tx.tree.Look(name); {
	case isNotExist(err):
		return 0, nil
	case err != nil:
		return 0, err
	default:
		m := meta{mode: fi.Mode(), size: fi.Size(), links: links(fi)}
		return m.size, m.plain(name)
	}
}
