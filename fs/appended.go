package fs

// Appended returns the lines that are staged for the end of name, each with its
// newline. False: something else, or nothing, is staged for it.
func (tx *Tx) Appended(name string) (lines []byte, ok bool) {
	s, staged := tx.staged[name]
	if !staged || s.kind != add {
		return nil, false
	}
	return s.data, true
}
