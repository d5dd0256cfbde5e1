package validate

import (
	"bytes"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/lazyregexp"
)

// A checker checks values against a schema. It is compiled from an embedded schema and
// works on the tape of a parsed document. Simple values cause no allocation.
type checker struct {
	any     bool  // accepts everything
	never   bool  // accepts nothing
	whole   bool  // numbers must be integers
	kinds   uint8 // accepted kinds, one bit each; 0 means all
	further uint8 // the kinds with further conditions
	general bool  // conditions for all kinds: enum, const, or other schemas

	props    []property
	byName   map[string]int
	patterns []patternProperty
	required uint64   // bits of props
	rest     *checker // additionalProperties; nil accepts all
	closed   bool     // additionalProperties is false
	members  size

	enum, constant constants
	limits         []limit // of numbers

	time      bool // format: date-time
	unescaped bool // strings must be decoded, not only checked for being empty
	walk      *walk
	pattern   *lazyregexp.Regexp
	length    size // of strings, in characters

	prefix   []*checker // prefixItems
	items    *checker
	elements size
	unique   bool

	allOf, anyOf, oneOf []*checker
	not                 *checker
	when, then, other   *checker // if, then, else

	schema, pointer string         // the place of the schema
	says            map[string]any // its keywords; nil for a boolean
}

// A size is a minimum and a maximum number.
type size struct{ min, max int } // max -1: any number

var anySize = size{0, -1}

func kindBit(k jsonedit.Kind) uint8 {
	if k == jsonedit.False {
		k = jsonedit.True
	}
	return 1 << k
}

// check reports whether node i of a parsed document satisfies the schema. It adds all
// violations to r; if r is nil, it stops at the first.
func (c *checker) check(d *jsonedit.Doc, i int, r *refusal) bool {
	switch {
	case c == nil || c.any:
		return true
	case c.never:
		return r.add(c, i, "")
	}
	kind := d.Nodes[i].Kind
	if c.kinds != 0 && c.kinds&kindBit(kind) == 0 {
		return r.add(c, i, "type")
	}
	var n int64
	small := false // it is a number with the value n
	if kind == jsonedit.Number {
		raw := d.Raw(i)
		if n, small = smallInt(raw); !small && c.whole && !jsonedit.Integral(raw) {
			return r.add(c, i, "type") // 1.0 and 1e2 are integers
		}
	}
	if c.further&kindBit(kind) == 0 {
		return true
	}
	ok := true
	switch kind {
	case jsonedit.String:
		ok = c.checkString(d, i, r)
	case jsonedit.Number:
		ok = c.checkNumber(d, i, n, small, r)
	case jsonedit.Object:
		ok = c.checkObject(d, i, r)
	case jsonedit.Array:
		ok = c.checkArray(d, i, r)
	}
	if c.general && (ok || r != nil) {
		ok = c.checkGeneral(d, i, r) && ok
	}
	return ok
}

// checkGeneral checks the conditions for values of any kind.
func (c *checker) checkGeneral(d *jsonedit.Doc, i int, r *refusal) bool {
	ok := true
	if c.enum != nil && !c.enum.hold(d, i) {
		ok = r.add(c, i, "enum")
	}
	if c.constant != nil && !c.constant.hold(d, i) {
		ok = r.add(c, i, "const")
	}
	for _, b := range c.allOf {
		ok = b.check(d, i, r) && ok
	}
	if c.anyOf != nil && countMatches(c.anyOf, d, i) == 0 {
		ok = r.choice(c, i, "anyOf", c.anyOf, d)
	}
	if c.oneOf != nil {
		switch countMatches(c.oneOf, d, i) {
		case 0:
			ok = r.choice(c, i, "oneOf", c.oneOf, d)
		case 1:
		default:
			ok = r.add(c, i, "oneOf")
		}
	}
	if c.not != nil && c.not.check(d, i, nil) {
		ok = r.add(c, i, "not")
	}
	if c.when != nil {
		branch := c.other
		if c.when.check(d, i, nil) {
			branch = c.then
		}
		ok = branch.check(d, i, r) && ok
	}
	return ok
}

// countMatches counts the branches that a value satisfies.
func countMatches(branches []*checker, d *jsonedit.Doc, i int) (n int) {
	for _, b := range branches {
		if b.check(d, i, nil) {
			n++
		}
	}
	return n
}

func (c *checker) checkString(d *jsonedit.Doc, i int, r *refusal) bool {
	n := &d.Nodes[i]
	s := d.Src[n.Start+1 : n.End-1]
	if c.unescaped && bytes.IndexByte(s, '\\') >= 0 {
		s = jsonedit.Unquote(d.Raw(i))
	}
	ok := true
	if c.length.min > 0 && (len(s) == 0 || c.length.min > 1 && utf8.RuneCount(s) < c.length.min) {
		ok = r.add(c, i, "minLength")
	}
	if c.length.max >= 0 && len(s) > c.length.max && utf8.RuneCount(s) > c.length.max {
		ok = r.add(c, i, "maxLength")
	}
	if c.pattern != nil && (c.walk == nil || !c.walk.match(s)) && !c.pattern.Match(s) {
		ok = r.add(c, i, "pattern")
	}
	if c.time && !isTimeText(s) {
		ok = r.add(c, i, "format")
	}
	return ok
}

func (c *checker) checkArray(d *jsonedit.Doc, i int, r *refusal) bool {
	ok, n := true, int(d.Nodes[i].Len)
	if n < c.elements.min {
		ok = r.add(c, i, "minItems")
	}
	if c.elements.max >= 0 && n > c.elements.max {
		ok = r.add(c, i, "maxItems")
	}
	if c.unique && !distinct(d, i) {
		ok = r.add(c, i, "uniqueItems")
	}
	if c.items == nil && c.prefix == nil {
		return ok // a long array without conditions for its elements
	}
	k := 0
	for e := i + 1; e < int(d.Nodes[i].Next) && (ok || r != nil); e = int(d.Nodes[e].Next) {
		item := c.items
		if k < len(c.prefix) {
			item = c.prefix[k]
		}
		k++
		ok = item.check(d, e, r) && ok
	}
	return ok
}

// distinct reports whether all elements of an array have different values.
func distinct(d *jsonedit.Doc, i int) bool {
	seen := make(map[string]bool, d.Nodes[i].Len)
	var text []byte
	for e := range d.Children(i) {
		text = d.Canonical(text[:0], e)
		if seen[string(text)] {
			return false
		}
		seen[string(text)] = true
	}
	return true
}
