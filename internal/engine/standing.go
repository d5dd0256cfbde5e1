package engine

import (
	"cmp"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// StandingOf says which decisions of a tree hold: those of the Ledger, those that
// stand only in a view, and those of a hot context that is no longer shown. It is
// what every view goes by.
func StandingOf(r fs.Reader, shown ...schema.KeyDecision) schema.Standing {
	all, _ := AllDecisions(r) // what cannot be read is for validate to report
	for _, d := range shown {
		all = append(all, d.Record())
	}
	return schema.Current(all)
}

// withoutSuperseded is a hot context without the decisions that do not hold.
func withoutSuperseded(src []byte, standing schema.Standing) ([]byte, error) {
	if src == nil {
		return nil, nil
	}
	return jsonedit.Filter(src, "/key_decisions", func(doc *jsonedit.Doc, d int) bool {
		var shown schema.KeyDecision
		if jsonedit.Decode([]byte(doc.Raw(d)), &shown) == nil && len(standing.WithoutProposals([]schema.KeyDecision{shown})) == 0 {
			return false
		}
		id, _ := doc.Str(doc.Member(d, "id"))
		other, _ := doc.Str(doc.Member(d, "decision_id"))
		return standing.Holds(cmp.Or(id, other))
	})
}
