package validate

import "github.com/forgemind/forgemind/internal/jsonedit"

// The library keeps a kilobyte for every value it refuses: a document of a few
// megabytes can be made to cost gigabytes. Of large documents it is therefore
// shown what the checker refuses, up to a limit, with stand-ins that keep every
// pointer as it is.
const (
	manyValues = 20000 // that a document is large with
	maxShown   = 2000  // values that the checker refuses, and as many that it doubts
)

// A pruner decodes a document without most of what the checker accepts.
type pruner struct {
	doc     *jsonedit.Doc
	refused int // how many refused values may still be shown
	doubted int // how many doubtful ones
	leftOut bool
}

// shows says whether a value is shown: not what is accepted, and not more than
// the limits.
func (p *pruner) shows(v verdict) bool {
	left := &p.refused
	switch v {
	case yes:
		return false
	case doubt:
		left = &p.doubted
	}
	*left--
	p.leftOut = p.leftOut || *left < 0
	return *left >= 0
}

// value is the value i, which c judges.
func (p *pruner) value(c *checker, i int) any {
	switch {
	case c == nil || c.any:
		return nil // nobody looks at it
	case c.allOf != nil || c.anyOf != nil || c.oneOf != nil || c.not != nil || c.when != nil || c.unsure || c.unique || c.patterns != nil:
		return decoded(p.doc, i)
	}
	switch p.doc.Nodes[i].Kind {
	case jsonedit.Array:
		return p.array(c, i)
	case jsonedit.Object:
		return p.object(c, i)
	}
	return decoded(p.doc, i)
}

// array keeps the place of every element: one that is not shown is stood in for
// by the first that is accepted. Without one the array ends where the limit does.
func (p *pruner) array(c *checker, i int) []any {
	out := []any{} // most of a long array may not be shown
	var standIn any
	found := false
	for e := range p.doc.Children(i) {
		item := c.items
		if len(out) < len(c.prefix) {
			item = c.prefix[len(out)]
		}
		v := item.check(p.doc, e)
		if v == yes && !found {
			standIn, found = p.value(item, e), len(out) >= len(c.prefix)
			out = append(out, standIn)
			continue
		}
		if p.shows(v) {
			out = append(out, p.value(item, e))
			continue
		}
		if !found {
			return out
		}
		out = append(out, standIn)
	}
	return out
}

// object keeps the members that the schema names.
func (p *pruner) object(c *checker, i int) map[string]any {
	if c.minProps > 0 || c.maxProps >= 0 {
		out, _ := decoded(p.doc, i).(map[string]any)
		return out
	}
	out := map[string]any{}
	for m := range p.doc.Children(i) {
		name := p.doc.Key(m)
		value := c.rest
		k, named := c.byName[name]
		if named {
			value = c.props[k].value
		}
		if _, ok := out[name]; ok {
			continue
		}
		if named || p.shows(value.check(p.doc, m)) {
			out[name] = p.value(value, m)
		}
	}
	return out
}
