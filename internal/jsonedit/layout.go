package jsonedit

import (
	"bytes"
	"strings"
)

// A shape is how the children of a container are laid out.
type shape struct {
	multi bool   // one a line
	unit  string // what a line of theirs is indented beyond the container's; multi only
	pad   string // inside the brackets; on one line only
	sep   string // between two of them; on one line only
	colon string // between a name and its value
}

// A style is how a document is laid out as a whole, for what has no sibling to
// be like. Its fields are those of the first container that shows them.
type style struct {
	root   bool // the document has one member or element a line
	eol    string
	unit   string
	sep    string
	colon  string
	array  shape // the first on one line
	object shape // the first on one line
}

func styleOf(d *Doc) style {
	s := style{root: true, eol: eolOf(d.Src[:bytes.IndexByte(d.Src, '\n')+1], "\n")}
	for i := range d.Nodes {
		if d.Nodes[i].Len == 0 {
			continue
		}
		m := d.shape(i)
		if i == 0 {
			s.root = m.multi
		}
		s.unit, s.sep, s.colon = or(s.unit, m.unit), or(s.sep, m.sep), or(s.colon, m.colon)
		if m.multi {
			continue
		}
		if known := &s.array; d.Nodes[i].Kind == Array && *known == (shape{}) {
			*known = m
		}
		if known := &s.object; d.Nodes[i].Kind == Object && *known == (shape{}) {
			*known = m
		}
	}
	s.unit = or(s.unit, "  ")
	switch {
	case s.colon == "" && s.sep == ",":
		s.colon = ":"
	case s.sep == "" && s.colon == ":":
		s.sep = ","
	}
	s.colon, s.sep = or(s.colon, ": "), or(s.sep, ", ")
	return s
}

// or is a, or b where the document does not show a.
func or(a, b string) string {
	if a == "" {
		return b
	}
	return a
}

// shape is how container c, which is not empty, is laid out: its first two
// children tell. What they don't show is "".
func (d *Doc) shape(c int) shape {
	var s shape
	n, first := &d.Nodes[c], c+1
	pad, sep := d.Src[n.Start+1:d.head(first)], []byte(nil)
	if n.Len > 1 {
		sep = d.Src[d.end(first):d.head(int(d.Nodes[first].Next))]
	}
	switch {
	case bytes.IndexByte(pad, '\n') >= 0:
		s.multi, s.unit = true, d.step(pad, c)
	case bytes.IndexByte(sep, '\n') >= 0:
		s.multi, s.unit = true, d.step(sep, c)
	default:
		s.pad, s.sep = string(pad), string(sep)
	}
	s.colon = d.colon(first)
	return s
}

// step is how much deeper the line that ends lead is indented than the line
// of container c; "" if it is not.
func (d *Doc) step(lead []byte, c int) string {
	unit, ok := strings.CutPrefix(lineIndent(lead), lineIndent(d.Src[:d.head(c)]))
	if !ok {
		return ""
	}
	return unit
}

// colon is what stands between the name and the value of child i; "" if that
// is nothing to copy.
func (d *Doc) colon(i int) string {
	n := &d.Nodes[i]
	if n.KeyEnd == 0 || bytes.IndexByte(d.Src[n.KeyEnd:n.Start], '\n') >= 0 {
		return ""
	}
	return string(d.Src[n.KeyEnd:n.Start])
}

// lineIndent is the white space that begins the last line of text.
func lineIndent(text []byte) string {
	line := text[bytes.LastIndexByte(text, '\n')+1:]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// eolOf is the last line ending in text, or otherwise if there is none.
func eolOf(text []byte, otherwise string) string {
	switch at := bytes.LastIndexByte(text, '\n'); {
	case at < 0:
		return otherwise
	case at > 0 && text[at-1] == '\r':
		return "\r\n"
	}
	return "\n"
}

// A writer lays out the new value.
type writer struct {
	e      *edit
	indent string // of the line it is on
	eol    string
}

// lay appends node v of the value to out. model is a value of the document to
// lay it out like; if it is -1, own says whether v stands on a line of its
// own, and then its children do, too.
func (w *writer) lay(out []byte, v, model int, own bool) []byte {
	value := &w.e.value
	n := &value.Nodes[v]
	if n.Kind < Array {
		return append(out, value.Raw(v)...)
	}
	open := value.Src[n.Start]
	if n.Len == 0 {
		return append(out, open, open+2)
	}
	s := w.shapeFor(n.Kind, model, own)
	outer, between := w.indent, s.pad
	if s.multi {
		w.indent += s.unit
		between = w.eol + w.indent
	}
	out = append(out, open)
	for c := range value.Children(v) {
		out = append(out, between...)
		if key := value.Nodes[c]; key.KeyEnd > 0 {
			out = append(out, value.Src[key.KeyStart:key.KeyEnd]...)
			out = append(out, s.colon...)
		}
		out = w.lay(out, c, w.e.modelIn(model, c), s.multi)
		if between = s.sep; s.multi {
			between = "," + w.eol + w.indent
		}
	}
	if w.indent = outer; s.multi {
		out = append(append(out, w.eol...), w.indent...)
	} else {
		out = append(out, s.pad...)
	}
	return append(out, open+2)
}

// shapeFor is the shape of a new container, complete.
func (w *writer) shapeFor(kind Kind, model int, own bool) shape {
	style := &w.e.style
	s := style.object
	switch {
	case model >= 0:
		s = w.e.doc.shape(model)
	case own:
		s = shape{multi: true}
	case kind == Array:
		s = style.array
	}
	s.unit, s.sep, s.colon = or(s.unit, style.unit), or(s.sep, style.sep), or(s.colon, style.colon)
	return s
}

// fits reports whether node v of value may be laid out like node m of d: both
// are of one kind and not empty. What stands on one line is no model for what
// has more levels.
func fits(d *Doc, m int, value *Doc, v int) bool {
	x, y := &d.Nodes[m], &value.Nodes[v]
	if x.Kind != y.Kind || x.Len == 0 || y.Len == 0 {
		return false
	}
	nested := func(n *Node, i int) bool { return int(n.Next)-i-1 > int(n.Len) }
	return nested(x, m) || !nested(y, v) || d.shape(m).multi
}

// modelAmong is the child of container c that a new k-th child is laid out
// like: the nearest before it that fits, or the first after; -1 if none does.
func (e *edit) modelAmong(c, k int) int {
	best, at := -1, 0
	for m := range e.doc.Children(c) {
		if fits(&e.doc, m, &e.value, 0) {
			if at >= k && best >= 0 {
				break
			}
			if best = m; at >= k {
				break
			}
		}
		at++
	}
	return best
}

// modelIn is the child of model that child c of the value is laid out like:
// its namesake, or the last of the first few that fits; -1 if none does.
func (e *edit) modelIn(model, c int) int {
	const few = 64
	if model < 0 || e.value.Nodes[c].Len == 0 {
		return -1
	}
	if e.doc.Nodes[model].Kind == Object {
		if m := e.doc.Member(model, e.value.Key(c)); m >= 0 && fits(&e.doc, m, &e.value, c) {
			return m
		}
	}
	best, seen := -1, 0
	for m := range e.doc.Children(model) {
		if fits(&e.doc, m, &e.value, c) {
			best = m
		}
		if seen++; seen == few {
			break
		}
	}
	return best
}
