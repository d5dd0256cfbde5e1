package validate

import (
	"cmp"
	"slices"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// maxBreaches is the number of breaches of one document that are kept; the others are
// counted. More are kept than reported, because some have the same message.
const maxBreaches = 2 * maxFaults

// A violation is a keyword of a schema that a value violates.
type violation struct {
	node    int
	keyword string // "" for a schema that accepts nothing
	of      *checker
}

// where returns the pointer of the keyword in its schema.
func (b violation) where() string {
	if b.keyword == "" {
		return b.of.pointer
	}
	return b.of.pointer + "/" + b.keyword
}

// breaches returns the violations of the schema by a document, in the order of its
// values, and the number of those that were not kept.
func (c *checker) breaches(d *jsonedit.Doc) (list []violation, more int) { return c.breachesAt(d, 0) }

// breachesAt returns the violations by node i of a document; see breaches.
func (c *checker) breachesAt(d *jsonedit.Doc, i int) (list []violation, more int) {
	r := refusal{value: -1}
	c.check(d, i, &r)
	slices.SortFunc(r.breaches, func(a, b violation) int {
		return cmp.Or(cmp.Compare(a.node, b.node), cmp.Compare(a.keyword, b.keyword), cmp.Compare(a.where(), b.where()))
	})
	return r.breaches, r.more
}

// A refusal collects breaches.
type refusal struct {
	breaches []violation
	more     int  // the number of breaches that were not kept
	value    int  // the value checked against a branch of a choice; -1 for a whole document
	mistaken bool // the branch is for another type or another constant than the value has
}

// add adds a breach. It returns false, the result of the check.
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
	r.breaches = append(r.breaches, violation{i, keyword, c})
	return false
}

// choice records that a value matches no branch of a choice: the breaches of the branch
// that was probably meant, if there is one, else the choice itself.
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
