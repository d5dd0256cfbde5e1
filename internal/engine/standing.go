package engine

import (
	"cmp"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// StandingOf returns which decisions of a tree are in force, for every view: it
// considers those of the Ledger, those that only a view has, and shown, those of a hot
// context that is no longer a view.
func StandingOf(r fs.Reader, shown ...schema.KeyDecision) schema.Standing {
	all, _ := Decisions(r) // validate reports decisions that cannot be read
	for _, d := range shown {
		all = append(all, d.Record())
	}
	return schema.Current(all)
}

// withoutSuperseded returns a hot context without the decisions that are no longer in
// force.
func withoutSuperseded(src []byte, standing schema.Standing) ([]byte, error) {
	if src == nil {
		return nil, nil
	}
	return jsonedit.Filter(src, "/key_decisions", func(doc *jsonedit.Doc, d int) bool {
		id, _ := doc.Str(doc.Member(d, "id"))
		other, _ := doc.Str(doc.Member(d, "decision_id"))
		_, superseded := standing.SupersededBy(cmp.Or(id, other))
		return !superseded
	})
}
