package engine

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/schema"
)

// recordCondensed stages the condensation's decision. Its id derives from the
// discussion and its words: where the Ledger has it, the condensation that wrote
// it there is returned instead.
func (r *round) recordCondensed(c *condense.Condensation, s said, at time.Time, edited bool) (*schema.Decision, *Condensed, error) {
	d := schema.Decision{
		ID:            schema.DerivedID("DEC-", []byte(s.key+"\n"+c.Decision)),
		Timestamp:     schema.FormatTime(at),
		Decision:      strings.Join(strings.Fields(c.Decision), " "),
		Rationale:     strings.Join(strings.Fields(c.Rationale), " "),
		DecisionMaker: makers(c.Participants),
		RecordedBy:    r.actor(),
		Channel:       channelOf(c.Channel),
		Origin:        schema.OriginDetected,
		Confidence:    0.8, // as of a message that a phrase gives away
	}
	if edited {
		d.Origin, d.Confidence = schema.OriginExplicit, 0
	} else if who := s.counts()[len(s.counts())-1].Agent; who != "" {
		d.RecordedBy = who // all of a draft follows from the discussion: two clones write the same file
	}
	if projects, _, err := condense.Projects(r.tx); err == nil {
		if p := condense.ProjectOf(projects, c.Channel); p != nil {
			d.Project = p.Slug()
		}
	}
	proposal := schema.DerivedID("DEC-", []byte(s.key+"\n"+c.Decision+"\n"+schema.Proposed))
	known, err := r.recordedAs(d.ID, proposal, len(s.claimants) > 0)
	if err != nil {
		return nil, nil, err
	}
	if known != "" {
		c.DecisionID = known
		return r.recordedIn(known)
	}
	if len(s.claimants) > 0 {
		d.ID, d.Status = proposal, schema.Proposed
	}
	c.DecisionID = d.ID
	if err := r.resolveSuperseded(c, &d); err != nil {
		return nil, nil, err
	}
	if err := r.complete(&d); err != nil {
		return nil, nil, err
	}
	_, err = r.add(records.Decision, d.ID, d)
	return &d, nil, err
}

// recordedAs returns the id under which the Ledger has the decision called id, or that which a discussion
// proposed: its own, or that of the decision that accepted it. A proposal that nobody accepted counts if only
// lines of a bridge say it again. It is "" if there is none.
func (r *round) recordedAs(id, proposal string, claimed bool) (string, error) {
	if _, known, err := records.Decision.Find(r.tx, id); err != nil || known {
		return id, err
	}
	if _, asked, err := records.Decision.Find(r.tx, proposal); err != nil || !asked {
		return "", err
	}
	if by := StandingOf(r.tx).Accepted(proposal); by != proposal || claimed {
		return by, nil
	}
	return "", nil
}

// recordedIn returns the condensation that the decision called id stands in, or if there is none the decision,
// for the Ledger keeps what a lost condensation said.
func (r *round) recordedIn(id string) (*schema.Decision, *Condensed, error) {
	if before, err := r.condensationOf(id); err != nil || before != nil {
		return nil, before, err
	}
	recorded, err := records.GetDecision(r.tx, id)
	return &recorded, nil, err
}

// condensationOf returns the condensation that a decision of the Ledger stands in; nil
// for none.
func (r *round) condensationOf(id string) (*Condensed, error) {
	all, _, err := condense.Condensations(r.tx)
	if err != nil {
		return nil, err
	}
	for _, f := range all {
		if f.DecisionID == id {
			return &Condensed{Condensation: f.Condensation, File: f.File, Already: true}, nil
		}
	}
	return nil, nil
}

// condensedAlike returns the condensation of messages from elsewhere that came to no
// decision, and so has none in the Ledger to be known by: the one that says the
// same. nil for none.
func (r *round) condensedAlike(c condense.Condensation, s said) (*Condensed, error) {
	if s.thread != nil || s.name != "" {
		return nil, nil
	}
	all, _, err := condense.Condensations(r.tx)
	if err != nil {
		return nil, err
	}
	for _, f := range all {
		if f.DecisionID == "" && bytes.Equal(f.Markdown(), c.Markdown()) {
			return &Condensed{Condensation: f.Condensation, File: f.File, Already: true}, nil
		}
	}
	return nil, nil
}

// resolveSuperseded gives d the decisions of the Ledger that c says it replaces.
// What names none stays in words; of what holds no more it tells.
func (r *round) resolveSuperseded(c *condense.Condensation, d *schema.Decision) error {
	if len(c.Supersedes) == 0 {
		return nil
	}
	all, _, _ := records.Decisions(r.tx)
	c.Supersedes = condense.ResolveNames(c.Supersedes, sameMatter(r.tx, c.Channel, all))
	for _, name := range c.Supersedes {
		err := r.supersedable(schema.IDs{name})
		var unknown *UnknownDecision
		switch {
		case err == nil:
			d.Supersedes = append(d.Supersedes, name)
		case errors.As(err, &unknown):
			r.tell(fmt.Sprintf("what it supersedes stays in words, for no decision of the Ledger is meant by %q alone", clipped(name)))
		default:
			r.tell(err.Error())
		}
	}
	return nil
}

// makers returns who decided, for people: those who took part.
func makers(participants []string) string {
	const most = 3
	if n := len(participants); n > most {
		return strings.Join(participants[:most], ", ") + fmt.Sprintf(" and %d more", n-most)
	}
	return strings.Join(participants, ", ")
}
