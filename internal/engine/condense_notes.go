package engine

import (
	"fmt"
	"slices"

	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/memory"
	"github.com/forgemind/forgemind/internal/transcript"
	"github.com/forgemind/forgemind/schema"
)

// mostNoted is in how many participants' notes a decision is told: of a crowd in a
// chat few are agents.
const mostNoted = 10

// noteCondensed puts the decision of a condensation into the notes of those who
// took part, and into the project's knowledge where it is that. A note that can't
// be written is told; it is none of the condensation's.
func (r *round) noteCondensed(c condense.Condensation, d schema.Decision) (names []string) {
	note := func(e memory.Entry) {
		e.Text, e.Rationale, e.Time, e.ID = d.Decision, d.Rationale, d.Timestamp, d.ID
		if c.Topic != "" {
			e.Text = c.Topic + ": " + d.Decision
		}
		name, err := r.remember(e)
		switch {
		case err != nil:
			r.tell(err.Error())
		case !slices.Contains(names, name):
			names = append(names, name)
		}
	}
	human := r.config.Bosses()
	agents := slices.DeleteFunc(slices.Clone(c.Participants), func(who string) bool { return who == transcript.UnknownSpeaker || slices.Contains(human, who) })
	for _, who := range agents[:min(len(agents), mostNoted)] {
		note(memory.Entry{Type: memory.BossDecision, Agent: who})
	}
	if n := len(agents); n > mostNoted {
		r.tell(fmt.Sprintf("of %d participants the first %d have the decision in their notes", n, mostNoted))
	}
	if kind := condense.Knowledge(c); kind != "" {
		note(memory.Entry{Type: kind})
	}
	return names
}
