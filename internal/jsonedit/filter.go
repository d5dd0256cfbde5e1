package jsonedit

// Filter takes those elements out of the array at pointer that keep does not want, as
// if each had been deleted; keep is asked about them in order. Where all are wanted,
// or no array is there, the text is src itself. See Set.
func Filter(src []byte, pointer string, keep func(d *Doc, element int) bool) ([]byte, error) {
	e, err := begin(src, pointer, []byte("null"))
	if err != nil {
		return nil, err
	}
	d := &e.doc
	list := d.Find(pointer)
	if d.kind(list) != Array {
		return src, nil
	}
	var out []byte
	from := 0 // what comes next of the text
	cut := func(start, end int) { out, from = append(out, d.Src[from:start]...), end }
	first, kept, before := list+1, -1, -1
	for i := range d.Children(list) {
		switch stays := keep(d, i); {
		case stays && kept < 0 && i != first:
			cut(d.front(first, i))
			kept = i
		case stays:
			kept = i
		case kept >= 0:
			cut(d.end(before), d.end(i))
		}
		before = i
	}
	switch {
	case kept < 0 && before >= 0:
		cut(int(d.Nodes[list].Start)+1, int(d.Nodes[list].End)-1)
	case from == 0:
		return src, nil
	}
	if _, _, err := e.walk(e.tokens); err != nil {
		return nil, err // which of several it is nobody can tell
	}
	return e.finish(append(out, d.Src[from:]...))
}
