package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/schema"
)

// A chat bridge says in the lines that it appends who speaks, and nobody here can check that. What they ask
// for is condensed; a decision in them is proposed, unless config.json trusts the speaker.

// claimants returns the speakers, each once, whose lines alone say what a draft of a discussion decides, and
// whom config.json does not trust.
func (r *round) claimants(c condense.Condensation, s said) (all []string) {
	talk := s.name
	if s.thread != nil {
		talk = s.thread.Talk()
	}
	for _, m := range condense.Claims(r.tx, talk, c.Deciding) {
		who := cmp.Or(m.Agent, "somebody")
		if !trusts(r.config.Discussions, s.channel, m.Agent) && !slices.Contains(all, who) {
			all = append(all, who)
		}
	}
	return all
}

// trusts reports whether the decisions of a speaker in the lines of a channel count.
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
func (r *round) tellProposed(d schema.Decision, s said) {
	r.tell(fmt.Sprintf("decision %s is proposed, for only lines of a chat bridge say that %s took it: 'forgemind decision promote %[1]s' puts it in force; discussions.trusted in config.json names whom to believe",
		d.ID, clipped(strings.Join(s.claimants, ", "))))
}

// isProposed reports whether the decision of that id is a proposal that waits to be accepted.
func (r *round) isProposed(id string) bool {
	return slices.ContainsFunc(StandingOf(r.tx).Proposed(), func(d schema.Decision) bool { return d.ID == id })
}

// accepted returns the decision of that id, or if it is a proposal that was accepted the decision that did.
func (r *round) accepted(id string) (schema.Decision, error) {
	d, err := records.GetDecision(r.tx, id)
	if err != nil || !d.IsProposed() {
		return d, err
	}
	if by, ok := StandingOf(r.tx).SupersededBy(id); ok {
		if next, err := records.GetDecision(r.tx, by); err == nil && sameWords(next.Decision, d.Decision) {
			return next, nil
		}
	}
	return d, nil
}

// accept stages what follows for a condensation that came to a proposal if a decision says the same: the
// condensation names the decision, and notes tell of it. It reports whether that is so.
func (r *round) accept(f condense.Filed, d schema.Decision) (bool, error) {
	proposal, err := records.GetDecision(r.tx, f.DecisionID)
	if missing(err) || err == nil && (!proposal.IsProposed() || !sameWords(proposal.Decision, d.Decision)) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	src, err := r.tx.Read(f.File)
	if err != nil {
		return false, err
	}
	c := f.Condensation
	c.DecisionID = d.ID
	r.tx.Write(f.File, condense.WithRecord(src, c))
	r.noteCondensed(c, d)
	return true, nil
}
