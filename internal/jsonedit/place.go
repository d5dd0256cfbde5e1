package jsonedit

import "bytes"

// head is where child i begins: at its name, if it has one.
func (d *Doc) head(i int) int {
	if n := &d.Nodes[i]; n.KeyEnd > 0 {
		return int(n.KeyStart)
	}
	return int(d.Nodes[i].Start)
}

// end is where value i ends.
func (d *Doc) end(i int) int { return int(d.Nodes[i].End) }

// around is the siblings of child i; -1 where there is none.
func (d *Doc) around(i int) (before, after int) {
	before, after = -1, int(d.Nodes[i].Next)
	parent := d.Nodes[i].Parent
	if after == int(d.Nodes[parent].Next) {
		after = -1
	}
	for c := int(parent) + 1; c != i; c = int(d.Nodes[c].Next) {
		before = c
	}
	return before, after
}

// lead is the text between child i and what stands before it, a sibling or
// the opening bracket: white space, and a comma behind a sibling.
func (d *Doc) lead(i int) []byte {
	from := int(d.Nodes[d.Nodes[i].Parent].Start) + 1
	if before, _ := d.around(i); before >= 0 {
		from = d.end(before)
	}
	return d.Src[from:d.head(i)]
}

// insert puts the value into the container c as its k-th child; key is its
// quoted name in an object. The text between two of the siblings is copied, so
// that blank lines, mixed indentation and commas at the front all stay.
func (e *edit) insert(c, k int, key []byte) ([]byte, error) {
	d := &e.doc
	size := int(d.Nodes[c].Len)
	if size == 0 {
		if err := e.wrap(key); err != nil {
			return nil, err
		}
		return e.finish(e.replace(c))
	}

	sibling := d.child(c, min(k, size-1)) // the one it pushes back, or the last
	lead := d.lead(sibling)
	var gap []byte // between the new child and the sibling
	switch {
	case k > 0 && size > 1:
		gap = lead
	case bytes.IndexByte(lead, '\n') >= 0: // the only child, or the place before the first
		gap = []byte("," + eolOf(lead, "") + lineIndent(lead))
	case size > 1:
		gap = d.lead(int(d.Nodes[c+1].Next))
	default:
		gap = []byte(e.style.sep)
	}

	at := d.head(sibling)
	line := lead // what stands before the new child on its line
	if k == size {
		at, line = d.end(sibling), gap
	}
	if bytes.IndexByte(line, '\n') < 0 {
		line = d.Src[:at]
	}
	text := key
	if key != nil {
		text = append(text, or(d.colon(sibling), e.style.colon)...)
	}
	w := writer{e: e, indent: lineIndent(line), eol: eolOf(line, e.style.eol)}
	text = w.lay(text, 0, e.modelAmong(c, k), bytes.IndexByte(gap, '\n') >= 0)
	if k == size {
		text = append(gap[:len(gap):len(gap)], text...)
	} else {
		text = append(text, gap...)
	}
	return e.finish(splice(d.Src, at, at, text))
}

// replace puts the value in the place of value i.
func (e *edit) replace(i int) []byte {
	d := &e.doc
	n := d.Nodes[i]
	own, model := e.style.root, -1
	if n.Parent >= 0 {
		own = bytes.IndexByte(d.lead(i), '\n') >= 0
	}
	if fits(d, i, &e.value, 0) {
		model = i
	} else if n.Parent >= 0 {
		k := 0
		for c := int(n.Parent) + 1; c != i; c = int(d.Nodes[c].Next) {
			k++
		}
		model = e.modelAmong(int(n.Parent), k)
	}
	before := d.Src[:n.Start]
	w := writer{e: e, indent: lineIndent(before), eol: eolOf(before, e.style.eol)}
	return splice(d.Src, int(n.Start), int(n.End), w.lay(nil, 0, model, own))
}

// extent is what to cut out of the text to delete child i.
func (e *edit) extent(i int) (start, end int) {
	d := &e.doc
	parent := d.Nodes[i].Parent
	before, after := d.around(i)
	switch {
	case before >= 0:
		return d.end(before), d.end(i)
	case after < 0:
		return int(d.Nodes[parent].Start) + 1, int(d.Nodes[parent].End) - 1
	}
	return d.front(i, after)
}

// front is what to cut out of the text to delete the children from the first one up
// to another, which keeps its own indentation.
func (d *Doc) front(first, next int) (start, end int) {
	before, between := d.lead(first), d.lead(next)
	if m, n := bytes.LastIndexByte(before, '\n'), bytes.LastIndexByte(between, '\n'); m >= 0 && n > bytes.IndexByte(between, ',') {
		return d.head(first) - len(before) + m + 1, d.head(next) - len(between) + n + 1
	}
	return d.head(first), d.head(next)
}
