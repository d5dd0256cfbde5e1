package jsonedit

import (
	"bytes"
	"cmp"
)

// start returns the offset at which child i begins, with its name if it has one.
func (d *Doc) start(i int) int {
	if n := &d.Nodes[i]; n.KeyEnd > 0 {
		return int(n.KeyStart)
	}
	return int(d.Nodes[i].Start)
}

// end returns the offset at which value i ends.
func (d *Doc) end(i int) int { return int(d.Nodes[i].End) }

// siblings returns the siblings before and after child i, -1 for none.
func (d *Doc) siblings(i int) (before, after int) {
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

// gapBefore returns the text between child i and the sibling or opening bracket before
// it: white space, and a comma after a sibling.
func (d *Doc) gapBefore(i int) []byte {
	from := int(d.Nodes[d.Nodes[i].Parent].Start) + 1
	if before, _ := d.siblings(i); before >= 0 {
		from = d.end(before)
	}
	return d.Src[from:d.start(i)]
}

// insert inserts the value into container c as the child at index k; key is its quoted
// name in an object. It copies the text between two siblings, and so keeps blank
// lines, mixed indentation and commas at the front.
func (e *edit) insert(c, k int, key []byte) ([]byte, error) {
	d := &e.doc
	size := int(d.Nodes[c].Len)
	if size == 0 {
		if err := e.wrap(key); err != nil {
			return nil, err
		}
		return e.verify(e.replace(c))
	}

	sibling := d.child(c, min(k, size-1)) // the child at index k, or the last one
	lead := d.gapBefore(sibling)
	var gap []byte // between the new child and the sibling
	switch {
	case k > 0 && size > 1:
		gap = lead
	case bytes.IndexByte(lead, '\n') >= 0: // there is one child, or k is 0
		gap = []byte("," + eolOf(lead, "") + lineIndent(lead))
	case size > 1:
		gap = d.gapBefore(int(d.Nodes[c+1].Next))
	default:
		gap = []byte(e.style.sep)
	}

	at := d.start(sibling)
	line := lead // the text before the new child on its line
	if k == size {
		at, line = d.end(sibling), gap
	}
	if bytes.IndexByte(line, '\n') < 0 {
		line = d.Src[:at]
	}
	text := key
	if key != nil {
		text = append(text, cmp.Or(d.colon(sibling), e.style.colon)...)
	}
	w := writer{e: e, indent: lineIndent(line), eol: eolOf(line, e.style.eol)}
	text = w.write(text, 0, e.siblingModel(c, k), bytes.IndexByte(gap, '\n') >= 0)
	if k == size {
		text = append(gap[:len(gap):len(gap)], text...)
	} else {
		text = append(text, gap...)
	}
	return e.verify(splice(d.Src, at, at, text))
}

// replace returns the text with the value in place of value i.
func (e *edit) replace(i int) []byte {
	d := &e.doc
	n := d.Nodes[i]
	ownLine, model := e.style.rootMulti, -1
	if n.Parent >= 0 {
		ownLine = bytes.IndexByte(d.gapBefore(i), '\n') >= 0
	}
	if fits(d, i, &e.value, 0) {
		model = i
	} else if n.Parent >= 0 {
		k := 0
		for c := int(n.Parent) + 1; c != i; c = int(d.Nodes[c].Next) {
			k++
		}
		model = e.siblingModel(int(n.Parent), k)
	}
	before := d.Src[:n.Start]
	w := writer{e: e, indent: lineIndent(before), eol: eolOf(before, e.style.eol)}
	return splice(d.Src, int(n.Start), int(n.End), w.write(nil, 0, model, ownLine))
}

// deleteRange returns the range of the text to remove with child i.
func (e *edit) deleteRange(i int) (start, end int) {
	d := &e.doc
	parent := d.Nodes[i].Parent
	before, after := d.siblings(i)
	switch {
	case before >= 0:
		return d.end(before), d.end(i)
	case after < 0:
		return int(d.Nodes[parent].Start) + 1, int(d.Nodes[parent].End) - 1
	}
	return d.frontRange(i, after)
}

// frontRange returns the range of the text to remove with the children from first up
// to, but without, next, which keeps its indentation.
func (d *Doc) frontRange(first, next int) (start, end int) {
	before, between := d.gapBefore(first), d.gapBefore(next)
	if m, n := bytes.LastIndexByte(before, '\n'), bytes.LastIndexByte(between, '\n'); m >= 0 && n > bytes.IndexByte(between, ',') {
		return d.start(first) - len(before) + m + 1, d.start(next) - len(between) + n + 1
	}
	return d.start(first), d.start(next)
}
