// Package jsonschema holds JSON values against the schemas of forgemind's documents. It
// knows the keywords that those use: [Of] gives nothing else, and a test compiles them all.
package jsonschema

import (
	"bytes"
	"slices"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A Schema is an embedded schema, or a part of one, compiled. Nil admits every value. It
// walks the tape of a parsed document; a value that it admits costs no allocation.
type Schema struct {
	types   uint8 // the admitted types, one bit each; 0 is all
	whole   bool  // of numbers only whole ones are admitted
	minimum []byte
	maximum []byte
	filled  bool // minLength is 1: a text is not empty
	pattern string
	time    bool     // format is date-time
	words   []string // of enum, or the one of const
	items   *Schema

	members  []member
	byName   map[string]int // an index of members
	required uint64         // bits of members
	rest     *Schema        // additionalProperties
	anyOf    []uint64       // bits of members, some of which must be there

	name, pointer string         // where the schema stands
	keywords      map[string]any // what it says
}

// A member is one that a schema names.
type member struct {
	name  string
	value *Schema
}

func typeBit(k jsonedit.Kind) uint8 {
	if k == jsonedit.False {
		k = jsonedit.True
	}
	return 1 << k
}

// Valid reports whether node i of a parsed document meets the schema.
func (s *Schema) Valid(d *jsonedit.Doc, i int) bool { return s.check(d, i, nil) }

// Fits reports whether the members of the object in node i meet the schema, whichever are
// missing.
func (s *Schema) Fits(d *jsonedit.Doc, i int) bool {
	for m := range d.Children(i) {
		if !s.Below(d.Key(m)).Valid(d, m) {
			return false
		}
	}
	return true
}

// check is Valid that gives list what is not met; where that is nil, the first ends the
// search.
func (s *Schema) check(d *jsonedit.Doc, i int, list *breaches) bool {
	if s == nil {
		return true
	}
	kind := d.Nodes[i].Kind
	if s.types != 0 && s.types&typeBit(kind) == 0 || s.whole && kind == jsonedit.Number && !jsonedit.Integral(d.Raw(i)) {
		return list.add(s, i, "type")
	}
	ok := true
	switch kind {
	case jsonedit.String:
		ok = s.checkText(d, i, list)
	case jsonedit.Number:
		ok = s.checkNumber(d, i, list)
	case jsonedit.Object:
		ok = s.checkObject(d, i, list)
	case jsonedit.Array:
		if s.items == nil {
			break // a long array of anything
		}
		for e := range d.Children(i) {
			if ok = s.items.check(d, e, list) && ok; !ok && list == nil {
				return false
			}
		}
	}
	if s.words != nil && !s.isWord(d, i) {
		keyword := "enum"
		if _, is := s.keywords["const"]; is {
			keyword = "const"
		}
		return list.add(s, i, keyword)
	}
	return ok
}

// textOf returns what the text in node i says; false for another value.
func textOf(d *jsonedit.Doc, i int) (text []byte, ok bool) {
	if d.Nodes[i].Kind != jsonedit.String {
		return nil, false
	}
	text = d.Raw(i)
	if bytes.IndexByte(text, '\\') >= 0 {
		return jsonedit.Unquote(text), true
	}
	return text[1 : len(text)-1], true
}

func (s *Schema) isWord(d *jsonedit.Doc, i int) bool {
	text, ok := textOf(d, i)
	return ok && slices.ContainsFunc(s.words, func(word string) bool { return word == string(text) })
}

func (s *Schema) checkText(d *jsonedit.Doc, i int, list *breaches) bool {
	if !s.filled && s.pattern == "" && !s.time {
		return true
	}
	text, _ := textOf(d, i)
	ok := true
	if s.filled && len(text) == 0 {
		ok = list.add(s, i, "minLength")
	}
	if s.pattern != "" && !matches(s.pattern, text) {
		ok = list.add(s, i, "pattern")
	}
	if s.time {
		if _, err := schema.ParseTime(string(text)); err != nil {
			ok = list.add(s, i, "format")
		}
	}
	return ok
}

// The patterns that schemas use.
const (
	idPattern  = `^[A-Za-z0-9_][A-Za-z0-9._-]*$`
	sumPattern = `^[0-9a-f]{64}$`
)

func matches(pattern string, text []byte) bool {
	if pattern == idPattern {
		return schema.ValidID(string(text))
	}
	return len(text) == 64 && len(bytes.Trim(text, "0123456789abcdef")) == 0
}

func (s *Schema) checkNumber(d *jsonedit.Doc, i int, list *breaches) bool {
	ok := true
	if s.minimum != nil && jsonedit.CompareNumbers(d.Raw(i), s.minimum) < 0 {
		ok = list.add(s, i, "minimum")
	}
	if s.maximum != nil && jsonedit.CompareNumbers(d.Raw(i), s.maximum) > 0 {
		ok = list.add(s, i, "maximum")
	}
	return ok
}

func (s *Schema) checkObject(d *jsonedit.Doc, i int, list *breaches) bool {
	ok, here, next := true, uint64(0), 0
	for m := range d.Children(i) {
		if repeated(d, m) {
			continue
		}
		value := s.rest
		if at := s.member(d, m, next); at >= 0 {
			here |= 1 << at
			value, next = s.members[at].value, at+1
		}
		if ok = value.check(d, m, list) && ok; !ok && list == nil {
			return false
		}
	}
	if s.required&^here != 0 {
		ok = list.add(s, i, "required")
	}
	if s.anyOf != nil && !slices.ContainsFunc(s.anyOf, func(bits uint64) bool { return bits&^here == 0 }) {
		ok = list.add(s, i, "anyOf")
	}
	return ok
}

// member returns the index of the member that node m has the name of, -1 if the schema
// names none. Documents mostly have them in the order of the schema: next is where it
// would be.
func (s *Schema) member(d *jsonedit.Doc, m, next int) int {
	node := &d.Nodes[m]
	name := d.Src[node.KeyStart+1 : node.KeyEnd-1]
	if next < len(s.members) && string(name) == s.members[next].name {
		return next
	}
	if bytes.IndexByte(name, '\\') >= 0 {
		name = jsonedit.Unquote(d.Src[node.KeyStart:node.KeyEnd])
	}
	if at, ok := s.byName[string(name)]; ok {
		return at
	}
	return -1
}

// repeated reports whether a member's name stood before in its object: the first counts.
func repeated(d *jsonedit.Doc, m int) bool {
	_, found := slices.BinarySearch(d.Duplicates, m)
	return found
}

// Names reports whether the schema names a member of that name.
func (s *Schema) Names(member string) bool {
	_, ok := s.byName[member]
	return ok
}

// Items returns the schema of the elements of an array; nil where there is none.
func (s *Schema) Items() *Schema {
	if s == nil {
		return nil
	}
	return s.items
}

// Below returns the schema of the member that names lead to; nil where none does.
func (s *Schema) Below(names ...string) *Schema {
	for _, name := range names {
		if s == nil {
			return nil
		}
		if at, ok := s.byName[name]; ok {
			s = s.members[at].value
		} else {
			s = s.rest
		}
	}
	return s
}
