package validate

import (
	"cmp"
	"slices"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// maxBreaches is how many breaches of one document are kept; the others are
// counted. It is more than are reported, as some say the same.
const maxBreaches = 2 * maxFaults

// A breach is one keyword of a schema that a value does not meet.
type breach struct {
	node    int
	keyword string // "" for a schema that admits nothing
	of      *checker
}

// where is the pointer of the keyword in its schema.
func (b breach) where() string {
	if b.keyword == "" {
		return b.of.pointer
	}
	return b.of.pointer + "/" + b.keyword
}

// breaches returns what a value of a document does not meet of its schema, in the order
// of the values in it, and how many more there are: none where it meets all of it.
func (c *checker) breaches(d *jsonedit.Doc, value int) (list []breach, more int) {
	r := refusal{value: -1}
	c.check(d, value, &r)
	slices.SortFunc(r.breaches, func(a, b breach) int {
		return cmp.Or(cmp.Compare(a.node, b.node), cmp.Compare(a.keyword, b.keyword), cmp.Compare(a.where(), b.where()))
	})
	return r.breaches, r.more
}

// A refusal gathers breaches.
type refusal struct {
	breaches []breach
	more     int  // breaches that were not kept
	value    int  // which is held against a branch of a choice; -1 for a whole document
	mistaken bool // the branch is for another type or another constant than the value
}

// add takes a breach down. It says what the value is then: not met.
func (r *refusal) add(c *checker, i int, keyword string) bool {
	switch {
	case r == nil:
		return false
	case i == r.value && (keyword == "type" || keyword == "enum" || keyword == "const"):
		r.mistaken = true
	}
	if len(r.breaches) == maxBreaches {
		r.more++
		return false
	}
	r.breaches = append(r.breaches, breach{i, keyword, c})
	return false
}

// choice takes down that a value meets no branch of a choice: what it does not
// meet of the branch that was meant, if that can be told, else the choice itself.
func (r *refusal) choice(c *checker, i int, keyword string, branches []*checker, d *jsonedit.Doc) bool {
	if r == nil {
		return false
	}
	var meant *refusal
	for _, b := range branches {
		of := refusal{value: i}
		b.check(d, i, &of)
		switch {
		case of.mistaken:
		case meant != nil:
			return r.add(c, i, keyword)
		default:
			meant = &of
		}
	}
	if meant == nil {
		return r.add(c, i, keyword)
	}
	kept := min(len(meant.breaches), maxBreaches-len(r.breaches))
	r.breaches = append(r.breaches, meant.breaches[:kept]...)
	r.more += meant.more + len(meant.breaches) - kept
	return false
}
