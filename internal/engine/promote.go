package engine

import (
	"cmp"
	"context"
	"fmt"

	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// Accept records the decision that a proposal of the Ledger asks for, with the maker that it names,
// else who recorded it. It supersedes the proposal, and what that asks to supersede if it still
// holds. It is the boss's if the maker is one, whatever the proposal says. The error is an
// *UnknownDecision or a *Superseded, or says that the decision is not proposed.
func (t *Tree) Accept(ctx context.Context, id, agent string) (schema.Decision, Outcome, error) {
	var recorded schema.Decision
	out, err := t.do(ctx, func(r *round) error {
		d, err := records.GetDecision(r.tx, id)
		switch {
		case missing(err):
			all, _, _ := records.Decisions(r.tx)
			return &UnknownDecision{ID: id, Known: all}
		case err != nil:
			return err
		case !d.IsProposed():
			return fmt.Errorf("decision %s is not proposed", id)
		}
		replaced := schema.IDs{d.ID}
		for _, old := range d.Supersedes {
			if err := r.supersedable(schema.IDs{old}); err != nil {
				r.tell(fmt.Sprintf("the new decision does not supersede what %s asks for: %v", d.ID, err))
				continue
			}
			replaced = append(replaced, old)
		}
		d.DecisionMaker = cmp.Or(d.DecisionMaker, d.RecordedBy, "unknown")
		d.ID, d.Timestamp, d.Status, d.RecordedBy, d.Boss, d.Supersedes = "", "", "", agent, false, replaced
		recorded = d
		return r.record(&recorded)
	})
	return recorded, out, err
}

// Promote records a decision that a message of the active session states and that
// was only detected: in the Ledger and in the hot context, with the message's
// author as its maker.
func (t *Tree) Promote(ctx context.Context, message, agent string) (schema.Decision, Outcome, error) {
	var recorded schema.Decision
	out, err := t.doInSession(ctx, agent, func(r *round) error {
		l, err := r.openActive()
		if err != nil {
			return err
		}
		var known []string
		for _, m := range l.Messages() {
			d, ok := session.DetectedIn(m)
			if ok {
				known = append(known, m.ID)
			}
			if m.ID != message {
				continue
			}
			if !ok {
				return fmt.Errorf("message %.60q states no decision that was detected", message)
			}
			recorded = schema.Decision{
				ID:       session.DecisionID(m), // as when it is taken in by a trigger
				Decision: d.Decision, Rationale: d.Rationale, Timestamp: m.Timestamp, DecisionMaker: m.Agent,
				RecordedBy: agent, Origin: schema.OriginDetected, Confidence: d.Confidence, Priority: priority(m.Priority),
			}
			return r.record(&recorded)
		}
		return &session.Unknown{What: "message with a detected decision", Which: message, Known: known}
	})
	return recorded, out, err
}
