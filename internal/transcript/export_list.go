package transcript

import (
	"bytes"
	"encoding/json"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// A piece is an element of an export's list, and where it stands.
type piece struct {
	offset int
	text   []byte
}

// elements are those of the list of messages of an export: of the array that src
// is, or that its member messages is, or one object a line. torn is the offset at
// which the text breaks off; -1 where it does not. header is what stands around
// the list.
//
// The text is not read as one JSON text, so that one that was cut off, or is wrong
// in one place, gives what stands in the others.
func elements(src []byte) (pieces []piece, torn int, header part) {
	at := 0
	if i := bytes.Index(src, []byte(`"messages"`)); i >= 0 && bytes.HasPrefix(bytes.TrimLeft(src, " \t\r\n"), []byte("{")) {
		if open := bytes.IndexByte(src[i:], '['); open >= 0 && len(bytes.Trim(src[i+len(`"messages"`):i+open], ": \t\r\n")) == 0 {
			at = i + open + 1
			header = around(src, i, at)
		}
	} else if open := len(src) - len(bytes.TrimLeft(src, " \t\r\n")); open < len(src) && src[open] == '[' {
		at = open + 1
	}
	for {
		at += len(src[at:]) - len(bytes.TrimLeft(src[at:], ", \t\r\n"))
		if at == len(src) {
			if header.doc != nil || len(pieces) > 0 && bytes.HasPrefix(bytes.TrimSpace(src), []byte("[")) {
				return pieces, at, header // the list does not end
			}
			return pieces, -1, header
		}
		if src[at] == ']' {
			return pieces, -1, header
		}
		end := objectEnd(src, at)
		if end < 0 {
			return pieces, at, header
		}
		pieces = append(pieces, piece{at, src[at:end]})
		at = end
	}
}

// around is the object around the list of messages that begins at list: what
// stands before it (the member begins at name), and behind it if that can be read.
func around(src []byte, name, list int) part {
	if end := bytes.LastIndexByte(src, ']'); end > list {
		if p, err := readPart(append(bytes.Clone(src[:list]), src[end:]...)); err == nil {
			return p
		}
	}
	p, _ := readPart(append(bytes.Clone(src[:name]), `"messages":[]}`...))
	return p
}

// objectEnd is where the object ends that begins at start; -1 where there is none
// or it does not end.
func objectEnd(src []byte, start int) int {
	if src[start] != '{' {
		return -1
	}
	depth, quoted := 0, false
	for i := start; i < len(src); i++ {
		switch c := src[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// A part is a value of an export's JSON, of which any member may be missing or of
// another kind than it should be. The zero part is such a missing one.
type part struct {
	doc  *jsonedit.Doc
	node int
}

func readPart(text []byte) (part, error) {
	doc, err := jsonedit.Parse(text)
	if err != nil {
		return part{}, err
	}
	return part{doc, 0}, nil
}

// at is the value below p that a path of member names leads to.
func (p part) at(names ...string) part {
	for _, name := range names {
		if p.doc == nil || p.doc.Nodes[p.node].Kind != jsonedit.Object {
			return part{}
		}
		i := p.doc.Member(p.node, name)
		if i < 0 || p.doc.Nodes[i].Kind == jsonedit.Null {
			return part{}
		}
		p.node = i
	}
	return p
}

func (p part) has(names ...string) bool { return p.at(names...).doc != nil }

// text is a string or the digits of a number; "" for anything else.
func (p part) text(names ...string) string {
	v := p.at(names...)
	if v.doc == nil {
		return ""
	}
	if v.doc.Nodes[v.node].Kind == jsonedit.Number {
		return string(v.doc.Raw(v.node))
	}
	s, _ := v.doc.Str(v.node)
	return s
}

func (p part) isTrue(names ...string) bool {
	v := p.at(names...)
	return v.doc != nil && string(v.doc.Raw(v.node)) == "true"
}

// list are the elements of an array, or the values of an object's members.
func (p part) list(names ...string) (all []part) {
	v := p.at(names...)
	if v.doc == nil {
		return nil
	}
	switch v.doc.Nodes[v.node].Kind {
	case jsonedit.Array, jsonedit.Object:
		for i := range v.doc.Children(v.node) {
			all = append(all, part{v.doc, i})
		}
	}
	return all
}

// key is the name that p has as a member.
func (p part) key() string { return p.doc.Key(p.node) }

// provenance is metadata that says where a message comes from. Members without a
// value are left out.
func provenance(source string, members ...string) json.RawMessage {
	all := map[string]string{"source": source}
	for i := 0; i+1 < len(members); i += 2 {
		if members[i+1] != "" {
			all[members[i]] = members[i+1]
		}
	}
	text, err := jsonedit.Value(all)
	if err != nil {
		panic(err) // texts
	}
	return text
}
