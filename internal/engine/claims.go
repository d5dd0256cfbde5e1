package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/schema"
)

// A chat bridge says in the lines that it appends who speaks, and nobody here can check that. What they ask
// for is condensed; a decision of a discussion that they take part in is proposed, unless config.json trusts
// the speakers.

// claimants returns the speakers, each once, for whom only lines of a bridge speak in a discussion, and whom
// config.json does not trust.
func (r *round) claimants(s said) (all []string) {
	talk := s.name
	if s.thread != nil {
		talk = s.thread.Talk()
	}
	for _, m := range condense.Claims(r.tx, talk, s.messages) {
		who := cmp.Or(m.Agent, "somebody")
		if !trusts(r.config.Discussions, s.channel, m.Agent) && !slices.Contains(all, who) {
			all = append(all, who)
		}
	}
	return all
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
	return id != "" && slices.ContainsFunc(StandingOf(r.tx).Proposed(), func(d schema.Decision) bool { return d.ID == id })
}

// tellAccepted has notes tell of a decision that accepted the proposal that a condensation came to.
func (r *round) tellAccepted(f condense.Filed, d schema.Decision) {
	r.noteCondensed(f.Condensation, d)
	if !schema.SameWords(f.Decision, d.Decision) {
		r.tell(f.File + ": " + otherwise(d))
	}
}
