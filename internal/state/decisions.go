package state

import (
	"fmt"
	"slices"
	"time"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

const (
	recent = "/recent_decisions"
	// KeepRecent is the number of decisions in the view. The Ledger has all.
	KeepRecent = 10
)

// ShowDecision adds a decision to recent_decisions, which is the State's view of the Ledger, and
// marks the decisions that it supersedes. If the view has more than ten decisions, the oldest ones
// for which recorded returns true are removed, because the Ledger has them.
func ShowDecision(src []byte, d schema.Decision, recorded func(id string) bool) ([]byte, error) {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return nil, err
	}
	list := doc.Find(recent)
	if list < 0 {
		if src, err = put(src, member{recent, []any{}}); err != nil {
			return nil, err
		}
	} else if seen := shown(doc); slices.ContainsFunc(seen, func(s shownDecision) bool { return s.id == d.ID }) {
		return src, nil
	}
	for _, s := range shown(doc) {
		if s.id != "" && !s.superseded && slices.Contains(d.Supersedes, s.id) {
			if src, err = put(src, member{fmt.Sprintf("%s/%d/superseded_by", recent, s.index), d.ID}); err != nil {
				return nil, err
			}
		}
	}
	value, err := jsonedit.Value(d)
	if err != nil {
		return nil, err
	}
	if src, err = jsonedit.Append(src, recent, value); err != nil {
		return nil, err
	}
	return trim(src, recorded)
}

// trim removes the oldest recorded decisions from a view of more than ten.
func trim(src []byte, recorded func(id string) bool) ([]byte, error) {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return nil, err
	}
	view := shown(doc)
	surplus := len(view) - KeepRecent
	if surplus <= 0 {
		return src, nil
	}
	slices.SortStableFunc(view, func(a, b shownDecision) int { return a.at.Compare(b.at) })
	leave := map[int]bool{}
	for _, s := range view[:len(view)-1] {
		if len(leave) < surplus && s.id != "" && recorded(s.id) {
			leave[s.node] = true
		}
	}
	return jsonedit.Filter(src, recent, func(_ *jsonedit.Doc, i int) bool { return !leave[i] })
}

type shownDecision struct {
	index int // index in the list
	node  int // node of the document
	id    string
	at    time.Time // zero if the view has no valid time
	raw   []byte

	superseded bool // as the view has it
}

// shown returns the entries of recent_decisions.
func shown(doc *jsonedit.Doc) []shownDecision {
	list := doc.Find(recent)
	if list < 0 || doc.Nodes[list].Kind != jsonedit.Array {
		return nil
	}
	var all []shownDecision
	for i := range doc.Children(list) {
		s := shownDecision{index: len(all), node: i, raw: doc.Raw(i)}
		if m := doc.Member(i, "id"); m >= 0 {
			s.id, _ = doc.Str(m)
		}
		if m := doc.Member(i, "timestamp"); m >= 0 {
			at, _ := doc.Str(m)
			s.at, _ = schema.ParseTime(at)
		}
		s.superseded = doc.Member(i, "superseded_by") >= 0
		all = append(all, s)
	}
	return all
}

// ShownDecisions returns the JSON texts of the decisions in the view, in the order of the document.
func ShownDecisions(src []byte) ([][]byte, error) {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return nil, err
	}
	var raws [][]byte
	for _, s := range shown(doc) {
		raws = append(raws, s.raw)
	}
	return raws, nil
}
