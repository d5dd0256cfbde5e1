package engine

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/ledger"
	"github.com/forgemind/forgemind/internal/text"
	"github.com/forgemind/forgemind/schema"
)

// recordCondensed stages the condensation's decision. Its id derives from the
// discussion and its text. If the Ledger has that id, recordCondensed returns the
// condensation that recorded it.
func (r *WorkingSet) recordCondensed(c *condense.Condensation, s discussionText, at time.Time, edited bool) (*schema.Decision, *Condensed, error) {
	d := schema.Decision{
		ID:            schema.DerivedID("DEC-", []byte(s.key+"\n"+c.Decision)),
		Timestamp:     schema.FormatTime(at),
		Decision:      strings.Join(strings.Fields(c.Decision), " "),
		Rationale:     strings.Join(strings.Fields(c.Rationale), " "),
		DecisionMaker: decisionMakers(c.Participants),
		RecordedBy:    r.Actor(),
		Channel:       channelOf(c.Channel),
		Origin:        schema.OriginDetected,
		Confidence:    0.8, // as for a message in which a phrase was found
	}
	d.AlternativesRejected = c.Rejected
	if edited {
		d.Origin, d.Confidence = schema.OriginExplicit, 0
	} else if who := s.messages[len(s.messages)-1].Agent; who != "" {
		d.RecordedBy = who // all of a draft derives from the discussion: two clones write the same file
	}
	if s.written {
		d.Origin, d.Confidence = schema.OriginImported, 0
	}
	if projects, _, err := condense.Projects(r.tx); err == nil {
		if p := condense.ProjectOf(projects, c.Channel); p != nil {
			d.Project = p.Slug()
		}
	}
	c.DecisionID = d.ID
	if _, known, err := ledger.Find(r.tx, d.ID); err != nil {
		return nil, nil, err
	} else if known {
		before, err := r.condensationOf(d.ID)
		if err != nil || before != nil {
			return nil, before, err
		}
		recorded, err := ledger.Get(r.tx, d.ID) // the Ledger has the text of a lost condensation
		return &recorded, nil, err
	}
	if err := r.resolveSuperseded(c, &d); err != nil {
		return nil, nil, err
	}
	if err := r.complete(&d); err != nil {
		return nil, nil, err
	}
	if err := ledger.Record(r.tx, r.home, d); err != nil {
		return nil, nil, err
	}
	if err := r.announceSuperseded(d); err != nil {
		return nil, nil, err
	}
	r.counted.Decisions++
	return &d, nil, r.showDecision(d)
}

// condensationOf returns the condensation that holds a decision of the Ledger; nil for
// none.
func (r *WorkingSet) condensationOf(id string) (*Condensed, error) {
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

// condensedAlike returns the condensation with the same content as c, nil for none. It
// is for messages from elsewhere without a decision: the Ledger has no id to find them
// by.
func (r *WorkingSet) condensedAlike(c condense.Condensation, s discussionText) (*Condensed, error) {
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

// resolveSuperseded adds to d the decisions of the Ledger that c says it replaces. A
// phrase that matches no decision stays text; a decision that is no longer in force
// gets a note.
func (r *WorkingSet) resolveSuperseded(c *condense.Condensation, d *schema.Decision) error {
	if len(c.Supersedes) == 0 {
		return nil
	}
	if err := r.adopt(); err != nil {
		return err
	}
	all, _ := ledger.All(r.tx)
	c.Supersedes = condense.ResolveNames(c.Supersedes, relatedDecisions(r.tx, c.Channel, all))
	for _, name := range c.Supersedes {
		err := supersedable(all, schema.IDs{name})
		var unknown *UnknownDecisionError
		switch {
		case err == nil:
			d.Supersedes = append(d.Supersedes, name)
		case errors.As(err, &unknown):
			r.addNote(fmt.Sprintf("what it supersedes is kept as text, because %q does not match exactly one decision of the Ledger", text.Limit(name, 80)))
		default:
			r.addNote(err.Error())
		}
	}
	return nil
}

// decisionMakers returns the names of the participants, shortened, as the makers of a
// decision.
func decisionMakers(participants []string) string {
	const most = 3
	if n := len(participants); n > most {
		return strings.Join(participants[:most], ", ") + fmt.Sprintf(" and %d more", n-most)
	}
	return strings.Join(participants, ", ")
}
