package audit

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

// A spot is a place in a document.
type spot struct {
	file         string
	line, column int // 1-based
}

// A tape is a JSON document with its text, to find places in. What takes long in
// a long document is worked out once.
type tape struct {
	src    []byte
	doc    *jsonedit.Doc
	arrays map[int][]int // the elements of arrays
	marks  []spot        // where every markEvery-th byte stands
}

const (
	markEvery = 4 << 10
	// maxHeld is how many bytes of documents are kept to find places in.
	maxHeld = 16 << 20
)

// spot is where a value stands in a JSON document: its first line where the
// value cannot be found.
func (s *survey) spot(name, pointer string) spot {
	t := s.position[name]
	if t == nil {
		t = &tape{}
		if src, err := s.reader.Read(name); err == nil {
			if doc, err := jsonedit.Parse(src); err == nil {
				t.src, t.doc = src, doc
			}
		}
		if s.held += len(t.src); s.held > maxHeld {
			clear(s.position)
			s.held = len(t.src)
		}
		s.position[name] = t
	}
	at := spot{name, 1, 1}
	if t.doc == nil {
		return at
	}
	if i := t.find(pointer); i >= 0 {
		at.line, at.column = t.at(int(t.doc.Nodes[i].Start))
	}
	return at
}

// find is Doc.Find for the pointers of an audit, which need no unescaping.
func (t *tape) find(pointer string) int {
	at := 0
	for pointer != "" {
		var token string
		token, pointer, _ = strings.Cut(pointer[1:], "/")
		if pointer != "" {
			pointer = "/" + pointer
		}
		if t.doc.Nodes[at].Kind != jsonedit.Array {
			if at = t.doc.Member(at, token); at < 0 {
				return -1
			}
			continue
		}
		elements, known := t.arrays[at]
		if !known {
			if t.arrays == nil {
				t.arrays = map[int][]int{}
			}
			elements = slices.Collect(t.doc.Children(at))
			t.arrays[at] = elements
		}
		n, err := strconv.Atoi(token)
		if err != nil || n < 0 || n >= len(elements) {
			return -1
		}
		at = elements[n]
	}
	return at
}

// at is the line and the column of an offset.
func (t *tape) at(offset int) (line, column int) {
	if t.marks == nil {
		line, column = 1, 1
		for i, c := range t.src {
			if i%markEvery == 0 {
				t.marks = append(t.marks, spot{line: line, column: column})
			}
			line, column = after(c, line, column)
		}
	}
	from := offset / markEvery
	line, column = t.marks[from].line, t.marks[from].column
	for _, c := range t.src[from*markEvery : offset] {
		line, column = after(c, line, column)
	}
	return line, column
}

// after is the place behind a byte of a text. Columns count characters.
func after(c byte, line, column int) (int, int) {
	switch {
	case c == '\n':
		return line + 1, 1
	case utf8.RuneStart(c):
		return line, column + 1
	}
	return line, column
}

// fileOf is the file of the Ledger that holds a decision; "" where only a view
// shows it.
func (s *survey) fileOf(id string) string {
	if _, shown := s.views[id]; shown {
		return ""
	}
	for _, home := range homes {
		name := home + "/" + fs.DecisionsDir + "/" + id + ".json"
		if s.spotKnown(name) {
			return name
		}
	}
	return ""
}

// spotKnown says whether a JSON document stands at name.
func (s *survey) spotKnown(name string) bool {
	s.spot(name, "")
	return s.position[name].doc != nil
}

// decided is where a decision stands, at one of its members.
func (s *survey) decided(id, pointer string) spot {
	if at, shown := s.views[id]; shown {
		return at
	}
	if name := s.fileOf(id); name != "" {
		return s.spot(name, pointer)
	}
	return spot{homes[0] + "/" + fs.DecisionsDir + "/" + id + ".json", 1, 1}
}

// decision is a decision as evidence.
func (s *survey) decision(id string) Evidence {
	if e, known := s.cited[id]; known {
		return e
	}
	if !s.knows(id) {
		return Evidence{Text: id}
	}
	d, at := s.withID(id), s.decided(id, "/decision")
	e := Evidence{File: at.file, Line: at.line, At: d.Timestamp, Text: d.Decision}
	s.cited[id] = e
	return e
}

// evidence is a spot as evidence.
func (at spot) evidence(text string) Evidence {
	return Evidence{File: at.file, Line: at.line, Text: text}
}
