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
	// keepRecent is how many decisions the view holds; the Ledger holds all.
	keepRecent = 10
)

// ShowDecision adds a decision to recent_decisions, the State's view of the
// Ledger, and marks those that it supersedes there. One that somebody wrote there is
// not added; it gets its id. The oldest leave the view while it holds more than ten,
// but only those that recorded says are in the Ledger.
func ShowDecision(src []byte, d schema.Decision, recorded func(id string) bool) ([]byte, error) {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return nil, err
	}
	if doc.Find(recent) < 0 {
		if src, err = put(src, member{recent, []any{}}); err != nil {
			return nil, err
		}
	}
	if src, err = MarkSuperseded(src, d); err != nil {
		return nil, err
	}
	for _, s := range shown(doc) {
		if s.id != d.ID {
			continue
		}
		if !s.named {
			if src, err = put(src, member{fmt.Sprintf("%s/%d/id", recent, s.index), d.ID}); err != nil {
				return nil, err
			}
		}
		return trim(src, recorded)
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

// MarkSuperseded marks in recent_decisions those that d supersedes.
func MarkSuperseded(src []byte, d schema.Decision) ([]byte, error) {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return nil, err
	}
	for _, s := range shown(doc) {
		if s.id != "" && !s.superseded && slices.Contains(d.Supersedes, s.id) {
			if src, err = put(src, member{fmt.Sprintf("%s/%d/superseded_by", recent, s.index), d.ID}); err != nil {
				return nil, err
			}
		}
	}
	return src, nil
}

// trim takes the oldest recorded decisions out of a view of more than ten.
func trim(src []byte, recorded func(id string) bool) ([]byte, error) {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return nil, err
	}
	view := shown(doc)
	surplus := len(view) - keepRecent
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
	index int       // among the entries
	node  int       // of the document
	id    string    // by which the Ledger has it, or takes it in
	named bool      // the view says its id
	at    time.Time // zero where the view has no readable time
	raw   []byte

	superseded bool // the view says so
}

// shown lists the entries of recent_decisions.
func shown(doc *jsonedit.Doc) []shownDecision {
	list := doc.Find(recent)
	if list < 0 || doc.Nodes[list].Kind != jsonedit.Array {
		return nil
	}
	var all []shownDecision
	for i := range doc.Children(list) {
		s := shownDecision{index: len(all), node: i, raw: doc.Raw(i)}
		id, _ := doc.Str(doc.Member(i, "id"))
		at, _ := doc.Str(doc.Member(i, "timestamp"))
		if s.id = id; doc.Member(i, "decision") >= 0 {
			words, _ := doc.Str(doc.Member(i, "decision"))
			s.id = schema.AdoptedID(id, at, words)
		}
		s.named = s.id == id
		s.at, _ = schema.ParseTime(at)
		s.superseded = doc.Member(i, "superseded_by") >= 0
		all = append(all, s)
	}
	return all
}

// Shown returns the JSON texts of the decisions in the view, oldest first in
// the order of the document.
func Shown(src []byte) ([][]byte, error) {
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
