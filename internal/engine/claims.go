package engine

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/schema"
)

// A chat bridge says in the lines that it appends who speaks, and nobody here can check that. What they ask
// for is condensed; a decision of a discussion that they take part in is proposed, unless config.json trusts
// the speakers.

// doubt finds out for whom only lines of a bridge speak in a discussion, whom config.json does not trust. If
// all that these say is that it is to be condensed, nothing of them counts.
func (r *round) doubt(s *said) {
	talk := s.name
	if s.thread != nil {
		talk = s.thread.Talk()
	}
	own := condense.IsOwn(r.tx, talk)
	doubts := func(m schema.Message) bool { return !own(m) && !trusts(r.config.Discussions, s.channel, m.Agent) }
	said := slices.DeleteFunc(slices.Clone(s.messages), func(m schema.Message) bool { return !condense.SaysMore(m) })
	if s.thread == nil { // the last condensation, with which the stretch begins
		all, _, _ := condense.Talk(r.tx, talk) // as it was read a moment ago
		n := len(all) - len(condense.Stretch(all))
		said = append(said, all[max(n-1, 0):n]...)
	}
	for _, m := range said {
		if who := cmp.Or(m.Agent, "somebody"); doubts(m) && !slices.Contains(s.claimants, who) {
			s.claimants = append(s.claimants, who)
		}
	}
	counting := slices.DeleteFunc(slices.Clone(s.messages), doubts)
	if len(s.claimants) == 0 && len(counting) > 0 {
		s.counting = counting
	}
}

// trusts reports whether the lines that speak for somebody in a channel are believed.
func trusts(d *schema.Discussions, channel, speaker string) bool {
	if d == nil {
		return false
	}
	for name, speakers := range d.Trusted {
		if name != "*" && condense.ChannelID(name) != condense.ChannelID(channel) {
			continue
		}
		if slices.Contains(speakers, "*") || speaker != "" && slices.Contains(speakers, speaker) {
			return true
		}
	}
	return false
}

// tellProposed tells that what a discussion came to is proposed.
func (r *round) tellProposed(id string, s said) {
	who := strings.Join(s.claimants, ", ")
	r.mask(&who)
	r.tell(fmt.Sprintf("decision %s is proposed, for lines of a chat bridge speak for %s there: 'forgemind decision promote %[1]s' puts it in force; discussions.trusted in config.json names whom to believe",
		id, clipped(who)))
}

// isProposed reports whether the decision of that id is a proposal that waits to be accepted.
func (r *round) isProposed(id string) bool {
	if d, err := records.GetDecision(r.tx, id); err != nil || !d.IsProposed() {
		return false
	}
	if _, isNew := r.tx.Staged()[path.Join(r.home, fs.DecisionsDir, id+".json")]; isNew {
		return true
	}
	_, answered := StandingOf(r.tx).SupersededBy(id)
	return !answered
}

// tellAccepted has notes tell of a decision that accepted the proposal that a condensation came to.
func (r *round) tellAccepted(f condense.Filed, d schema.Decision) {
	r.noteCondensed(f.Condensation, d)
	if !schema.SameWords(f.Decision, d.Decision) {
		r.tell(f.File + ": " + otherwise(d))
	}
}
