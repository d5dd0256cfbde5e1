package validate

import (
	"bytes"
	"math"
	"regexp"
	"strconv"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// A verdict is what a checker says about a value. The schema library would say
// the same wherever it is not doubt.
type verdict uint8

const (
	doubt verdict = iota
	yes
	no
)

// A checker says whether values plainly meet a schema. It is made from the same
// embedded schema as the library's, and walks the tape of a parsed document
// without allocating.
type checker struct {
	any    bool  // admits everything
	never  bool  // admits nothing
	unsure bool  // uses what only the library knows
	kinds  uint8 // admitted kinds, one bit each; 0 is all
	whole  bool  // of numbers only whole ones are admitted

	consts               [][]byte // enum or const: the texts of the values; nil for none
	format               string
	walk                 *walk // pattern
	slow                 *regexp.Regexp
	minLength, maxLength int // of strings, in characters; -1 for none
	low, high            float64
	lowOpen, highOpen    bool

	props              []property
	byName             map[string]int
	patterns           []patternProperty
	required           uint64   // bits of props
	rest               *checker // additionalProperties; nil admits all
	minProps, maxProps int

	prefix             []*checker // prefixItems
	items              *checker
	minItems, maxItems int
	unique             bool

	allOf, anyOf, oneOf []*checker
	not                 *checker
	when, then, other   *checker // if, then, else
}

type property struct {
	name  string
	value *checker // nil admits all
}

type patternProperty struct {
	name  *regexp.Regexp
	value *checker
}

func kindBit(k jsonedit.Kind) uint8 {
	if k == jsonedit.False {
		k = jsonedit.True
	}
	return 1 << k
}

// document judges a whole document. Of repeated members the library sees the
// first only.
func (c *checker) document(d *jsonedit.Doc) verdict {
	if len(d.Duplicates) > 0 {
		return doubt
	}
	return c.check(d, 0)
}

// check judges node i of a parsed document.
func (c *checker) check(d *jsonedit.Doc, i int) verdict {
	switch {
	case c == nil || c.any:
		return yes
	case c.never:
		return no
	}
	n := &d.Nodes[i]
	if c.kinds != 0 && c.kinds&kindBit(n.Kind) == 0 {
		return no
	}
	v := yes
	if c.unsure {
		v = doubt
	}
	if c.consts != nil {
		v = and(v, c.checkConst(d.Src[n.Start:n.End], n.Kind))
	}
	switch n.Kind {
	case jsonedit.String:
		v = and(v, c.checkString(d.Src[n.Start+1:n.End-1]))
	case jsonedit.Number:
		v = and(v, c.checkNumber(d.Src[n.Start:n.End]))
	case jsonedit.Object:
		v = and(v, c.checkObject(d, i))
	case jsonedit.Array:
		v = and(v, c.checkArray(d, i))
	}
	if v == no || c.allOf == nil && c.anyOf == nil && c.oneOf == nil && c.not == nil && c.when == nil {
		return v
	}
	return and(v, c.checkBranches(d, i))
}

// and joins the verdicts on two conditions that both must hold.
func and(a, b verdict) verdict {
	switch {
	case a == no || b == no:
		return no
	case a == yes && b == yes:
		return yes
	}
	return doubt
}

func (c *checker) checkBranches(d *jsonedit.Doc, i int) verdict {
	v := yes
	for _, b := range c.allOf {
		v = and(v, b.check(d, i))
	}
	if c.anyOf != nil {
		met, unmet := tally(c.anyOf, d, i)
		v = and(v, decide(met > 0, unmet == len(c.anyOf)))
	}
	if c.oneOf != nil {
		met, unmet := tally(c.oneOf, d, i)
		v = and(v, decide(met == 1 && unmet == len(c.oneOf)-1, met > 1 || unmet == len(c.oneOf)))
	}
	if c.not != nil {
		inner := c.not.check(d, i)
		v = and(v, decide(inner == no, inner == yes))
	}
	if c.when != nil {
		switch c.when.check(d, i) {
		case yes:
			v = and(v, c.then.check(d, i))
		case no:
			v = and(v, c.other.check(d, i))
		default:
			v = and(v, doubt)
		}
	}
	return v
}

func tally(branches []*checker, d *jsonedit.Doc, i int) (met, unmet int) {
	for _, b := range branches {
		switch b.check(d, i) {
		case yes:
			met++
		case no:
			unmet++
		}
	}
	return met, unmet
}

func decide(isYes, isNo bool) verdict {
	switch {
	case isYes:
		return yes
	case isNo:
		return no
	}
	return doubt
}

// checkConst compares texts: equal texts are equal values. Strings and numbers
// can be written in several ways, so only a string without escapes differs for
// sure.
func (c *checker) checkConst(raw []byte, kind jsonedit.Kind) verdict {
	for _, text := range c.consts {
		if bytes.Equal(text, raw) {
			return yes
		}
	}
	if kind == jsonedit.String && bytes.IndexByte(raw, '\\') < 0 ||
		kind == jsonedit.Null || kind == jsonedit.True || kind == jsonedit.False {
		return no
	}
	return doubt
}

func (c *checker) checkString(s []byte) verdict {
	v := yes
	if c.minLength > 1 || c.maxLength >= 0 || c.slow != nil {
		if bytes.IndexByte(s, '\\') >= 0 {
			return doubt
		}
		if len(s) < 4*c.minLength && utf8.RuneCount(s) < c.minLength ||
			c.maxLength >= 0 && len(s) > c.maxLength && utf8.RuneCount(s) > c.maxLength ||
			c.slow != nil && !c.slow.Match(s) {
			return no
		}
	} else if c.minLength == 1 && len(s) == 0 {
		return no
	}
	// Neither of these two accepts a text with an escape in it.
	if c.walk != nil && !c.walk.match(s) {
		v = doubt
	}
	if c.format != "" && (c.format != "date-time" || !plainTime(s)) {
		v = doubt
	}
	return v
}

func (c *checker) checkNumber(raw []byte) verdict {
	n, ok := smallInt(raw)
	v := float64(n)
	if !ok {
		if c.whole {
			return doubt // 1.0 and 1e2 are whole
		}
		if math.IsInf(c.low, -1) && math.IsInf(c.high, 1) {
			return yes
		}
		var err error
		if v, err = strconv.ParseFloat(string(raw), 64); err != nil || len(raw) > 15 && (v == c.low || v == c.high) {
			return doubt // rounding may reach a limit, but crosses none
		}
	}
	if v < c.low || v > c.high || c.lowOpen && v == c.low || c.highOpen && v == c.high {
		return no
	}
	return yes
}

func (c *checker) checkObject(d *jsonedit.Doc, i int) verdict {
	n := &d.Nodes[i]
	if c.minProps > 0 || c.maxProps >= 0 {
		if int(n.Len) < c.minProps || c.maxProps >= 0 && int(n.Len) > c.maxProps {
			return no
		}
	}
	if c.props == nil && c.patterns == nil && c.rest == nil {
		return yes
	}
	v, missing, hint := yes, c.required, 0
	for m := i + 1; m < int(n.Next); m = int(d.Nodes[m].Next) {
		node := &d.Nodes[m]
		key := d.Src[node.KeyStart+1 : node.KeyEnd-1]
		at := -1
		// Members mostly stand in the order of the schema, some left out.
		const ahead = 6
		for k := hint; k < len(c.props) && k < hint+ahead; k++ {
			if string(key) == c.props[k].name {
				at = k
				break
			}
		}
		if at < 0 {
			if k, ok := c.byName[string(key)]; ok {
				at = k
			}
		}
		named := at >= 0
		if named {
			hint = at + 1
			missing &^= 1 << at
			if p := c.props[at].value; p != nil {
				v = and(v, p.check(d, m))
			}
		} else if bytes.IndexByte(key, '\\') >= 0 {
			return doubt
		}
		for _, p := range c.patterns {
			if p.name.Match(key) {
				named = true
				v = and(v, p.value.check(d, m))
			}
		}
		if !named && c.rest != nil {
			v = and(v, c.rest.check(d, m))
		}
		if v == no {
			return no
		}
	}
	if missing != 0 {
		return no
	}
	return v
}

func (c *checker) checkArray(d *jsonedit.Doc, i int) verdict {
	n := &d.Nodes[i]
	if int(n.Len) < c.minItems || c.maxItems >= 0 && int(n.Len) > c.maxItems {
		return no
	}
	v := yes
	if c.unique && n.Len > 1 {
		v = distinct(d, i)
	}
	if c.items == nil && c.prefix == nil {
		return v
	}
	k := 0
	for e := i + 1; e < int(n.Next); e = int(d.Nodes[e].Next) {
		item := c.items
		if k < len(c.prefix) {
			item = c.prefix[k]
		}
		k++
		if v = and(v, item.check(d, e)); v == no {
			return no
		}
	}
	return v
}

// distinct says whether the elements of a short list of plain strings differ.
func distinct(d *jsonedit.Doc, i int) verdict {
	const short = 32
	n := &d.Nodes[i]
	if n.Len > short {
		return doubt
	}
	for e := i + 1; e < int(n.Next); e++ {
		raw := d.Src[d.Nodes[e].Start:d.Nodes[e].End]
		if d.Nodes[e].Kind != jsonedit.String || bytes.IndexByte(raw, '\\') >= 0 {
			return doubt
		}
		for b := i + 1; b < e; b++ {
			if bytes.Equal(raw, d.Src[d.Nodes[b].Start:d.Nodes[b].End]) {
				return no
			}
		}
	}
	return yes
}
