package brief

import (
	"iter"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/schema"
)

// deadEnds returns what was tried and given up, the latest first: in turns what a
// decision superseded, what one that holds rejected, and goals and layers that
// were abandoned.
func (rec *Records) deadEnds(c chronicle, cut cuts, most int) (all []Item, total int) {
	abandoned := rec.abandoned(cut)
	for i := 0; i < max(len(c.tried), len(c.reject), len(abandoned)) && len(all) < most; i++ {
		if i < len(c.tried) {
			all = append(all, rec.tried(c.tried[i], cut))
		}
		if i < len(c.reject) {
			all = append(all, rejected(c.reject[i], cut))
		}
		if i < len(abandoned) {
			all = append(all, abandoned[i])
		}
	}
	return all, len(abandoned) + c.superseded + c.rejected
}

// rejected returns what was decided against.
func rejected(d *schema.Decision, cut cuts) Item {
	var texts []string
	for _, text := range d.AlternativesRejected[:min(len(d.AlternativesRejected), 5)] {
		texts = append(texts, quoted(text, cut.short))
	}
	return Item{ID: mark(d.ID), Date: day(d.Timestamp), Text: "rejected " + strings.Join(texts, ", ") + " in favour of " + quoted(d.Decision, cut.short)}
}

// tried returns the counter-memory of a superseded decision: what took its place, and
// what holds by now.
func (rec *Records) tried(s succession, cut cuts) Item {
	text := "tried " + quoted(s.old.Decision, cut.short) + ", replaced by " + mark(s.by.ID) + " " + quoted(s.by.Decision, cut.short) + " on " + day(s.by.Timestamp)
	if holds := rec.holds(s.by.ID); holds != s.by.ID {
		text += ", by now by " + mark(holds)
	}
	return Item{ID: mark(s.old.ID), Date: day(s.old.Timestamp), Text: text}
}

// holds returns the id of the decision that holds by now in place of the one with an id,
// which is the same where nothing superseded it.
func (rec *Records) holds(id string) string {
	for range rec.Standing.All() {
		next, superseded := rec.Standing.SupersededBy(id)
		if !superseded {
			break
		}
		id = next
	}
	return id
}

// DeadEndsFor yields the dead ends that a prompt names, the latest first, each with the
// reason. records is not called where the prompt says too little to name one. A sentence
// names a dead end in which stands the id, a file, or a name of it (Redis, net/http); all the
// words of it, at least two, that what took its place does not have; half of these, if the
// sentence asks why or to go back; or nothing but words of it.
func DeadEndsFor(prompt string, records func() *Records) iter.Seq[Item] {
	return func(yield func(Item) bool) {
		if asked := sentencesOf(prompt); len(asked) > 0 {
			records().deadEndsFor(asked, yield)
		}
	}
}

// How many are looked at where a prompt names dead ends.
const (
	mostRejected = 20   // alternatives of a decision
	mostGone     = 2000 // decisions with any, and superseded ones, the latest
)

func (rec *Records) deadEndsFor(asked []sentence, yield func(Item) bool) {
	cut := cutsFor(DefaultTokens)
	tell := func(i Item, why string) bool {
		if why = plain(why, cut.why); why != "" {
			i.Text += " — because " + why
		}
		return yield(i)
	}
	decisions := rec.Standing.All()
	at := make(map[string]*schema.Decision, len(decisions))
	for i := range decisions {
		at[decisions[i].ID] = &decisions[i]
	}
	looked := 0
	for i := range slices.Backward(decisions) {
		d := &decisions[i]
		id, superseded := rec.Standing.SupersededBy(d.ID)
		if superseded || len(d.AlternativesRejected) > 0 {
			if looked++; looked > mostGone {
				break
			}
		}
		switch {
		case superseded:
			by, now := at[id], at[rec.holds(id)]
			gone := newSubject(d.Decision, termSet(by.Decision, now.Decision))
			gone.call(append([]string{d.ID}, d.Files...), slices.Concat(by.Files, now.Files))
			if gone.namedIn(asked) && !tell(rec.tried(succession{d.ID, d, by}, cut), by.Rationale) {
				return
			}
		case len(d.AlternativesRejected) > 0:
			kept := termSet(d.Decision)
			named := func(other string) bool { return newSubject(other, kept).namedIn(asked) }
			if slices.ContainsFunc(d.AlternativesRejected[:min(len(d.AlternativesRejected), mostRejected)], named) && !tell(rejected(d, cut), d.Rationale) {
				return
			}
		}
	}
	var goals []string
	for _, g := range rec.Hot.ActiveGoals {
		if !isOne(g.Status, givenUp) {
			goals = append(goals, g.Goal)
		}
	}
	kept := termSet(goals...)
	for _, g := range rec.Hot.ActiveGoals {
		if !isOne(g.Status, givenUp) {
			continue
		}
		gone := newSubject(g.Goal, kept)
		gone.call([]string{g.ID}, nil)
		if gone.namedIn(asked) && !tell(abandonedGoal(g, cut), "") {
			return
		}
	}
}
