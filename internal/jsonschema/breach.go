package jsonschema

import (
	"cmp"
	"slices"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// maxBreaches limits the breaches of one value that are kept; the others are counted.
const maxBreaches = 2000

// A Breach is one keyword of a schema that a value does not meet.
type Breach struct {
	Node    int // of the value
	Keyword string
	Says    any // the value of the keyword, decoded
}

// breaches gathers them.
type breaches struct {
	list []Breach
	more int // that were not kept
}

// Breaches returns what node i of a document does not meet of the schema, in the order of
// the values in it, and how many more breaches there are; none where it meets all of it.
func (s *Schema) Breaches(d *jsonedit.Doc, i int) (list []Breach, more int) {
	var found breaches
	s.check(d, i, &found)
	slices.SortFunc(found.list, func(a, b Breach) int {
		return cmp.Or(cmp.Compare(a.Node, b.Node), cmp.Compare(a.Keyword, b.Keyword))
	})
	return found.list, found.more
}

// add takes a breach down, and returns false: the value does not meet the schema.
func (b *breaches) add(of *Schema, node int, keyword string) bool {
	switch {
	case b == nil:
	case len(b.list) == maxBreaches:
		b.more++
	default:
		b.list = append(b.list, Breach{node, keyword, of.keywords[keyword]})
	}
	return false
}
