package validate

import (
	"bytes"
	"slices"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/lazyregexp"
)

type property struct {
	name  string
	value *checker // nil where it is required and nothing else
}

type patternProperty struct {
	name  *lazyregexp.Regexp
	value *checker
}

func (c *checker) checkObject(d *jsonedit.Doc, i int, r *refusal) bool {
	ok := true
	if c.members != anySize {
		n := memberCount(d, i)
		if n < c.members.min {
			ok = r.add(c, i, "minProperties")
		}
		if c.members.max >= 0 && n > c.members.max {
			ok = r.add(c, i, "maxProperties")
		}
	}
	missing, hint, additional := c.required, 0, false
	for m, end := i+1, int(d.Nodes[i].Next); m < end; m = int(d.Nodes[m].Next) {
		if len(d.Duplicates) > 0 && repeated(d, m) {
			continue
		}
		node := &d.Nodes[m]
		key := d.Src[node.KeyStart+1 : node.KeyEnd-1]
		at := c.property(key, hint)
		if at < 0 && bytes.IndexByte(key, '\\') >= 0 {
			key = jsonedit.Unquote(d.Src[node.KeyStart:node.KeyEnd])
			at = c.property(key, hint)
		}
		named := false
		if at >= 0 {
			hint = at + 1
			missing &^= 1 << (at % maxProps)
			if p := c.props[at].value; p != nil {
				named = true
				ok = p.check(d, m, r) && ok
			}
		}
		for _, p := range c.patterns {
			if p.name.Match(key) {
				named = true
				ok = p.value.check(d, m, r) && ok
			}
		}
		if !named {
			additional = true
			ok = c.rest.check(d, m, r) && ok
		}
		if !ok && r == nil {
			return false
		}
	}
	if missing != 0 {
		ok = r.add(c, i, "required")
	}
	if additional && c.closed {
		ok = r.add(c, i, "additionalProperties")
	}
	return ok
}

// property is the index of a member by its name, -1 if the schema does not name
// it. Members mostly stand in the order of the schema, some left out: hint is
// where the next one would be.
func (c *checker) property(name []byte, hint int) int {
	const ahead = 6
	for k := hint; k < len(c.props) && k < hint+ahead; k++ {
		if string(name) == c.props[k].name {
			return k
		}
	}
	if k, ok := c.byName[string(name)]; ok {
		return k
	}
	return -1
}

// repeated says whether a member's name stood before in its object: the first
// counts.
func repeated(d *jsonedit.Doc, m int) bool {
	_, found := slices.BinarySearch(d.Duplicates, m)
	return found
}

// memberCount is how many members of different names an object has.
func memberCount(d *jsonedit.Doc, i int) int {
	n := int(d.Nodes[i].Len)
	if len(d.Duplicates) > 0 {
		for m := range d.Children(i) {
			if repeated(d, m) {
				n--
			}
		}
	}
	return n
}

// additional are the names of the members that the schema does not name.
func (c *checker) additional(d *jsonedit.Doc, i int) (names []string) {
	for m := range d.Children(i) {
		name := d.Key(m)
		named := slices.ContainsFunc(c.patterns, func(p patternProperty) bool { return p.name.MatchString(name) })
		k, ok := c.byName[name]
		if !named && (!ok || c.props[k].value == nil) && !repeated(d, m) {
			names = append(names, name)
		}
	}
	return names
}

// below returns the checker of the member that names lead to, which may be nil.
func (c *checker) below(names []string) *checker {
	for _, name := range names {
		if c == nil {
			return nil
		}
		at, known := c.byName[name]
		if !known {
			c = c.rest
			continue
		}
		c = c.props[at].value
	}
	return c
}
