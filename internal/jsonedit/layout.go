package jsonedit

import (
	"bytes"
	"cmp"
	"strings"
)

// A shape is the layout of a container's children.
type shape struct {
	multi bool   // each child has its own line
	unit  string // indentation of a child's line beyond the container's; only if multi
	pad   string // inside the brackets; only if not multi
	sep   string // between two children; only if not multi
	colon string // between a name and its value
}

// A style is the layout of a whole document, for values without siblings. Each field
// is that of the first container that has it.
type style struct {
	rootMulti bool // each child of the root has its own line
	eol       string
	unit      string
	sep       string
	colon     string
	array     shape // of the first array on one line
	object    shape // of the first object on one line
}

func styleOf(d *Doc) style {
	s := style{rootMulti: true, eol: eolOf(d.Src[:bytes.IndexByte(d.Src, '\n')+1], "\n")}
	for i := range d.Nodes {
		if d.Nodes[i].Len == 0 {
			continue
		}
		m := d.shape(i)
		if i == 0 {
			s.rootMulti = m.multi
		}
		s.unit, s.sep, s.colon = cmp.Or(s.unit, m.unit), cmp.Or(s.sep, m.sep), cmp.Or(s.colon, m.colon)
		if m.multi {
			continue
		}
		if found := &s.array; d.Nodes[i].Kind == Array && *found == (shape{}) {
			*found = m
		}
		if found := &s.object; d.Nodes[i].Kind == Object && *found == (shape{}) {
			*found = m
		}
	}
	s.unit = cmp.Or(s.unit, "  ")
	switch {
	case s.colon == "" && s.sep == ",":
		s.colon = ":"
	case s.sep == "" && s.colon == ":":
		s.sep = ","
	}
	s.colon, s.sep = cmp.Or(s.colon, ": "), cmp.Or(s.sep, ", ")
	return s
}

// shape returns the layout of container c, which must not be empty, as its first two
// children show it. Fields that they do not show are "".
func (d *Doc) shape(c int) shape {
	var s shape
	n, first := &d.Nodes[c], c+1
	pad, sep := d.Src[n.Start+1:d.start(first)], []byte(nil)
	if n.Len > 1 {
		sep = d.Src[d.end(first):d.start(int(d.Nodes[first].Next))]
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

// step returns the additional indentation of the line that ends lead, relative to the
// line of container c; "" if it is not indented deeper.
func (d *Doc) step(lead []byte, c int) string {
	unit, ok := strings.CutPrefix(lineIndent(lead), lineIndent(d.Src[:d.start(c)]))
	if !ok {
		return ""
	}
	return unit
}

// colon returns the text between the name and the value of child i; "" if i has no
// name or the text has a line break.
func (d *Doc) colon(i int) string {
	n := &d.Nodes[i]
	if n.KeyEnd == 0 || bytes.IndexByte(d.Src[n.KeyEnd:n.Start], '\n') >= 0 {
		return ""
	}
	return string(d.Src[n.KeyEnd:n.Start])
}

// lineIndent returns the white space at the start of the last line of text.
func lineIndent(text []byte) string {
	line := text[bytes.LastIndexByte(text, '\n')+1:]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// eolOf returns the last line ending in text, or otherwise if there is none.
func eolOf(text []byte, otherwise string) string {
	switch at := bytes.LastIndexByte(text, '\n'); {
	case at < 0:
		return otherwise
	case at > 0 && text[at-1] == '\r':
		return "\r\n"
	}
	return "\n"
}

// A writer formats the new value.
type writer struct {
	e      *edit
	indent string // of the current line
	eol    string
}

// write appends node v of the value to out. It copies the layout of model, a value of
// the document. If model is -1, ownLine reports whether v begins its line; then each
// of its children gets its own line.
func (w *writer) write(out []byte, v, model int, ownLine bool) []byte {
	value := &w.e.value
	n := &value.Nodes[v]
	if n.Kind < Array {
		return append(out, value.Raw(v)...)
	}
	open := value.Src[n.Start]
	if n.Len == 0 {
		return append(out, open, open+2)
	}
	s := w.shapeFor(n.Kind, model, ownLine)
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
		out = w.write(out, c, w.e.childModel(model, c), s.multi)
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

// shapeFor returns the shape of a new container, with all fields set.
func (w *writer) shapeFor(kind Kind, model int, ownLine bool) shape {
	style := &w.e.style
	s := style.object
	switch {
	case model >= 0:
		s = w.e.doc.shape(model)
	case ownLine:
		s = shape{multi: true}
	case kind == Array:
		s = style.array
	}
	s.unit, s.sep, s.colon = cmp.Or(s.unit, style.unit), cmp.Or(s.sep, style.sep), cmp.Or(s.colon, style.colon)
	return s
}

// fits reports whether node v of value may have the layout of node m of d: both are
// of one kind and not empty. A container on one line without nested containers is no
// model for one with nested containers.
func fits(d *Doc, m int, value *Doc, v int) bool {
	x, y := &d.Nodes[m], &value.Nodes[v]
	if x.Kind != y.Kind || x.Len == 0 || y.Len == 0 {
		return false
	}
	nested := func(n *Node, i int) bool { return int(n.Next)-i-1 > int(n.Len) }
	return nested(x, m) || !nested(y, v) || d.shape(m).multi
}

// siblingModel returns the child of container c whose layout a new child at index k
// copies: the nearest before k that fits, or else the first after it; -1 if none fits.
func (e *edit) siblingModel(c, k int) int {
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

// childModel returns the child of model whose layout child c of the value copies: the
// one with the same name, or else the last of the first 64 that fits; -1 if none fits.
func (e *edit) childModel(model, c int) int {
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
