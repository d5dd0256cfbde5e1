package transcript

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// A piece is an element of an export's list, with its place.
type piece struct {
	offset int
	text   []byte
}

// elements returns the elements of an export's list of messages: of the array in src, of its member
// messages, or one object on each line. torn is the offset at which a truncated text ends, or -1.
// header is the object around the list.
//
// The text is not parsed as one JSON text, so that a text that is truncated, or wrong in one place,
// gives the elements in the other places.
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

// around returns the object around the list of messages that begins at list: the members before it
// (its own begins at name), and those after it if they can be read.
func around(src []byte, name, list int) part {
	if end := bytes.LastIndexByte(src, ']'); end > list {
		if p, err := readPart(append(bytes.Clone(src[:list]), src[end:]...)); err == nil {
			return p
		}
	}
	p, _ := readPart(append(bytes.Clone(src[:name]), `"messages":[]}`...))
	return p
}

// objectEnd returns the end of the object that begins at start; -1 if none begins there or it
// does not end.
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

// A part is a value of an export's JSON. Any member of it may be missing or of the wrong kind; the
// zero part stands for a missing one.
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

// at returns the value at a path of member names below p.
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

// text returns a string or the digits of a number; "" for anything else.
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

// list returns the elements of an array, or the values of an object's members.
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

// key returns the member name of p.
func (p part) key() string { return p.doc.Key(p.node) }

// provenance returns metadata that names the source of a message. Members without a value are left
// out.
func provenance(source string, members ...string) json.RawMessage {
	var b strings.Builder
	members = append([]string{"source", source}, members...)
	for i := 0; i+1 < len(members); i += 2 {
		if members[i+1] == "" {
			continue
		}
		name, err := jsonedit.Value(members[i])
		if err != nil {
			continue
		}
		value, err := jsonedit.Value(members[i+1])
		if err != nil {
			continue
		}
		b.WriteString(",")
		b.Write(name)
		b.WriteString(":")
		b.Write(value)
	}
	return json.RawMessage("{" + strings.TrimPrefix(b.String(), ",") + "}")
}
