package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/health"
	"github.com/forgemind/forgemind/internal/ledger"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/triggers"
)

// High is the priority that makes a boss's decision a major one.
const High = "high"

// Decide records a decision: first in the Ledger, then in the views, with one id. It
// fills in an empty ID, Timestamp or RecordedBy; an empty DecisionMaker becomes
// RecordedBy. Decisions in Supersedes must be recorded and not be superseded already. A
// project is named by its folder, its id or its name, and must exist. The decision is
// returned as it was recorded.
func (t *Tree) Decide(ctx context.Context, d schema.Decision, priority string) (schema.Decision, Outcome, error) {
	var recorded schema.Decision
	out, err := t.do(ctx, func(r *WorkingSet) error {
		recorded = d
		if err := r.place(&recorded); err != nil {
			return err
		}
		return r.Decide(&recorded, priority)
	})
	return recorded, out, err
}

// Decisions returns the decisions of the Ledger, followed by those that only a view
// has; and the files of the Ledger that hold no decision.
func Decisions(r fs.Reader) ([]schema.Decision, []ledger.Fault) {
	all, faults := ledger.All(r)
	return append(all, health.OnlyShown(r)...), faults
}

// Decide completes d, records it, and makes it the event. It is the boss's if one of
// the bosses made it, or if neither a maker nor an agent is named.
func (r *WorkingSet) Decide(d *schema.Decision, priority string) error {
	person := d.DecisionMaker == "" && d.RecordedBy == "" && r.event.Agent == "" // at the terminal, not by an agent
	if err := r.complete(d); err != nil {
		return err
	}
	r.event = Event{
		Event: triggers.Event{
			Message:      d.Decision,
			Priority:     priority,
			BossDecision: person || slices.Contains(bosses(r.config), d.DecisionMaker),
		},
		Agent:    d.RecordedBy,
		Decision: d,
	}
	if err := ledger.Record(r.tx, r.home, *d); err != nil {
		return err
	}
	if err := r.announceSuperseded(*d); err != nil {
		return err
	}
	return r.showDecision(*d)
}

// complete fills in the empty fields of d and checks what d supersedes.
func (r *WorkingSet) complete(d *schema.Decision) error {
	if err := MaskRecord(r, d); err != nil {
		return err
	}
	if len(d.Supersedes) > 0 {
		if err := r.adopt(); err != nil {
			return err
		}
		all, _ := ledger.All(r.tx)
		err := supersedable(all, d.Supersedes)
		var unknown *UnknownDecisionError
		if errors.As(err, &unknown) {
			unknown.Why = r.refused[unknown.ID]
		}
		if err != nil {
			return err
		}
	}
	if d.ID == "" {
		var unknown error // whether an id is taken
		id, err := schema.NewID("DEC-", r.tree.edge.Random, func(id string) bool {
			_, taken, err := ledger.Find(r.tx, id)
			unknown = err
			return taken && err == nil
		})
		if err = errors.Join(unknown, err); err != nil {
			return err
		}
		d.ID = id
	}
	if d.Timestamp == "" {
		d.Timestamp = schema.FormatTime(r.at)
	}
	r.Sign(&d.RecordedBy)
	d.DecisionMaker = cmp.Or(d.DecisionMaker, d.RecordedBy)
	d.Immutable = true
	return nil
}

// supersedable refuses a supersession that would make the chain of decisions invalid.
func supersedable(all []schema.Decision, ids schema.IDs) error {
	standing := schema.Current(all)
	for _, id := range ids {
		if !slices.ContainsFunc(all, func(d schema.Decision) bool { return d.ID == id }) {
			return &UnknownDecisionError{ID: id, Known: all}
		}
		if by, ok := standing.SupersededBy(id); ok {
			return &SupersededError{ID: id, By: by}
		}
	}
	return nil
}

// An UnknownDecisionError reports the id of a decision that the Ledger lacks.
type UnknownDecisionError struct {
	ID    string
	Known []schema.Decision
	Why   string // why the Ledger lacks a decision that a view shows; "" if no view shows it
}

func (e *UnknownDecisionError) Error() string {
	if e.Why != "" {
		return fmt.Sprintf("decision %q is not in the Ledger: %s", e.ID, e.Why)
	}
	return fmt.Sprintf("decision %q is not in the Ledger", e.ID)
}

// A SupersededError reports that the decision ID was superseded by the decision By.
type SupersededError struct{ ID, By string }

func (e *SupersededError) Error() string {
	return fmt.Sprintf("decision %s is superseded already, by %s: supersede that one", e.ID, e.By)
}

// bosses returns the agents whose decisions are the boss's; never empty.
func bosses(c schema.Config) []string {
	if c.Agents != nil && len(c.Agents.Boss) > 0 {
		return c.Agents.Boss
	}
	return schema.DefaultBosses()
}

// showDecision adds a recorded decision to the views that the tree has.
func (r *WorkingSet) showDecision(d schema.Decision) error {
	recorded := func(id string) bool { _, ok, err := ledger.Find(r.tx, id); return ok && err == nil }
	err := edit(r.tx, fs.State, func(src []byte) ([]byte, error) { return state.ShowDecision(src, d, recorded) })
	if err != nil && !isMissing(err) {
		return err
	}
	id, err := r.activeSession()
	if err != nil || id == "" {
		return err
	}
	return r.editHot(id, func(h *session.Hot) error { return h.ShowDecision(d) })
}
