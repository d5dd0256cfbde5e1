package engine

import (
	"fmt"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/memory"
	"github.com/forgemind/forgemind/internal/transcript"
	"github.com/forgemind/forgemind/schema"
)

// mostNoted is the largest number of participants whose notes get a decision: in a
// large chat few participants are agents.
const mostNoted = 10

// noteCondensed adds the decision of a condensation to the notes of the participants,
// and to the project's knowledge if it belongs there. If a note cannot be written, the
// transaction gets a note and goes on. The error reports a record that the disk could
// not read: without it, a participant would never get the decision.
func (r *WorkingSet) noteCondensed(c condense.Condensation, d schema.Decision) (names []string, unread error) {
	note := func(e memory.Entry) {
		e.Text, e.Rationale, e.Time, e.ID = d.Decision, d.Rationale, d.Timestamp, d.ID
		if c.Topic != "" {
			e.Text = c.Topic + ": " + d.Decision
		}
		name, err := r.remember(e)
		switch {
		case fs.IsUnread(err):
			unread = err
		case err != nil:
			r.addNote(err.Error())
		case !slices.Contains(names, name):
			names = append(names, name)
		}
	}
	human := bosses(r.config)
	agents := slices.DeleteFunc(slices.Clone(c.Participants), func(who string) bool { return who == transcript.UnknownAgent || slices.Contains(human, who) })
	for _, who := range agents[:min(len(agents), mostNoted)] {
		note(memory.Entry{Type: memory.BossDecision, Agent: who})
	}
	if n := len(agents); n > mostNoted {
		r.addNote(fmt.Sprintf("of %d participants the first %d have the decision in their notes", n, mostNoted))
	}
	if kind := condense.Knowledge(c); kind != "" {
		note(memory.Entry{Type: kind})
	}
	return names, unread
}
