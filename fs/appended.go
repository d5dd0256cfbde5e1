package fs

// Appended returns the lines that are staged for the end of name, each with its
// newline. It returns false if no lines are staged for name.
func (tx *Tx) Appended(name string) (lines []byte, ok bool) {
	s, staged := tx.staged[name]
	if !staged || s.kind != add {
		return nil, false
	}
	return s.data, true
}
