package query

import (
	"cmp"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/schema"
)

// Things returns the things of a tree of the given kinds; without kinds, all except messages
// and chunks. They are sorted by kind, and by time within a kind. Secrets are masked.
// Documents that cannot be read are left out; validate reports them.
func Things(tree *fs.Tree, kinds []string) []Thing {
	g := gather(tree, kinds, true)
	all := slices.DeleteFunc(g.all, func(t Thing) bool { return t.repeats })
	decided := map[string]string{} // the times of the decisions that supersede others
	for _, d := range g.standing.All() {
		if len(d.Supersedes) > 0 {
			decided[d.ID] = d.Timestamp
		}
	}
	answers := answersOf(g)
	for i := range all {
		t := &all[i]
		if c, ok := answers[t.ID]; ok && t.Kind == records.Question.Name && t.Closed {
			t.ClosedAt, t.Text = c.AnsweredAt, t.Text+"\nanswer: "+c.Answer
		}
		t.ClosedAt = cmp.Or(t.ClosedAt, decided[t.SupersededBy], t.closedAt())
		t.Title, t.Text, t.By = masked(t.Title), masked(t.Text), masked(t.By)
	}
	order := Kinds()
	slices.SortStableFunc(all, func(a, b Thing) int {
		return cmp.Or(slices.Index(order, a.Kind)-slices.Index(order, b.Kind), compareTimes(a.Time, b.Time), strings.Compare(a.ID, b.ID))
	})
	return all
}

// answersOf returns the answers to questions by the ids of the questions, if g wants
// questions.
func answersOf(g gathering) map[string]schema.Clarification {
	answers := map[string]schema.Clarification{}
	if !g.wants(records.Question.Name) {
		return answers
	}
	c := gathering{tree: g.tree, kinds: []string{kindClarification}, known: map[string]bool{}}
	c.clarifications()
	for _, t := range c.all {
		if answer, ok := t.value.(schema.Clarification); ok && answer.ID != "" {
			answers[answer.ID] = answer
		}
	}
	return answers
}

// closedAt returns when a thing was closed, from its own record; "" if the record does not
// have that.
func (t *Thing) closedAt() string {
	switch v := t.value.(type) {
	case schema.Done:
		return v.Completed
	case schema.Thread:
		return cmp.Or(v.Archived, v.Resolved)
	}
	if !t.Closed {
		return ""
	}
	for _, c := range slices.Backward(t.record.InOrder()) {
		if c.Set["status"] != nil {
			return c.At
		}
	}
	return ""
}
