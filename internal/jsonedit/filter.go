package jsonedit

// Filter removes the elements of the array at pointer for which keep returns false,
// with the result of a Delete of each. It calls keep for all elements in order. It
// returns src itself if it removes nothing or if the value is not an array. See Set.
func Filter(src []byte, pointer string, keep func(d *Doc, element int) bool) ([]byte, error) {
	e, err := newEdit(src, pointer, []byte("null"))
	if err != nil {
		return nil, err
	}
	d := &e.doc
	list := d.Find(pointer)
	if d.kind(list) != Array {
		return src, nil
	}
	var out []byte
	from := 0 // the offset of the text that is not yet in out
	remove := func(start, end int) { out, from = append(out, d.Src[from:start]...), end }
	first, lastKept, before := list+1, -1, -1
	for i := range d.Children(list) {
		switch wanted := keep(d, i); {
		case wanted && lastKept < 0 && i != first:
			remove(d.frontRange(first, i))
			lastKept = i
		case wanted:
			lastKept = i
		case lastKept >= 0:
			remove(d.end(before), d.end(i))
		}
		before = i
	}
	switch {
	case lastKept < 0 && before >= 0:
		remove(int(d.Nodes[list].Start)+1, int(d.Nodes[list].End)-1)
	case from == 0:
		return src, nil
	}
	if _, _, err := e.walk(e.tokens); err != nil {
		return nil, err // a duplicate member: the pointer is ambiguous
	}
	return e.verify(append(out, d.Src[from:]...))
}
