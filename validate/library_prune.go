package validate

import "github.com/forgemind/forgemind/internal/jsonedit"

// The library keeps a kilobyte for every value it refuses: a document of a few
// megabytes can be made to cost gigabytes. Of large documents it is therefore
// shown what the checker refuses, up to a limit, with stand-ins that keep every
// pointer as it is.
const (
	manyValues = 20000 // that a document is large with
	maxRefused = 2000  // values that are shown
)

// A pruner decodes a document without most of what the checker accepts.
type pruner struct {
	doc     *jsonedit.Doc
	certain bool // what the checker doubts is passed over too
	left    int
}

// passes says whether a value need not be shown.
func (p *pruner) passes(c *checker, i int) bool {
	v := c.check(p.doc, i)
	return v == yes || p.certain && v == doubt
}

// spend takes one from what may be shown; false when it is used up.
func (p *pruner) spend() bool {
	p.left--
	return p.left >= 0
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
// by the first that is accepted.
func (p *pruner) array(c *checker, i int) []any {
	var standIn any
	found := false
	for e := range p.doc.Children(i) {
		if c.items != nil && c.prefix == nil && c.items.check(p.doc, e) == yes {
			standIn, found = decoded(p.doc, e), true
			break
		}
	}
	out := []any{} // most of a long array may not be shown
	for e := range p.doc.Children(i) {
		item := c.items
		if len(out) < len(c.prefix) {
			item = c.prefix[len(out)]
		}
		switch {
		case !p.passes(item, e):
			if !p.spend() {
				return out
			}
			out = append(out, p.value(item, e))
		case found:
			out = append(out, standIn)
		default:
			out = append(out, p.value(item, e))
		}
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
		if passes := p.passes(value, m); !named && passes || !passes && !p.spend() {
			continue
		}
		out[name] = p.value(value, m)
	}
	return out
}
