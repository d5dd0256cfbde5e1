package forgemind

import (
	"cmp"
	"context"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/schema"
)

// A Decision is an entry of the Ledger.
type Decision = schema.Decision

// An UnknownDecision is the id of a decision that the Ledger has not.
type UnknownDecision = engine.UnknownDecision

// A Superseded is the id of a decision that holds no more, and of the one that
// replaced it.
type Superseded = engine.Superseded

// AddDecision records a decision in the Ledger, where nothing changes it any more,
// and shows it in the State and in the active session. It returns it as it was
// recorded: an empty ID, Timestamp or RecordedBy is filled in, and an empty
// DecisionMaker is RecordedBy. RecordedBy is the name that git signs commits with,
// else the login name. A decision of the boss whose priority is "high" fires the
// trigger of major ones; one that names neither maker nor recorder is the boss's.
// What it supersedes must be recorded (else *UnknownDecision) and hold
// (else *Superseded). One whose Status is schema.Proposed is not in force: it is
// recorded, and no more.
func (t *Tree) AddDecision(ctx context.Context, d Decision, priority string) (Decision, error) {
	d.Priority = cmp.Or(schema.Word(priority), d.Priority)
	recorded, _, err := t.tree.Decide(ctx, d)
	return recorded, err
}

// Decisions returns the decisions of the Ledger, the oldest first, and after them
// those that stand only in a view. Proposals, which are not in force, are left out, and
// so are files of the Ledger that hold none; Findings tells of those. schema.Current
// says which of the decisions hold.
func (t *Tree) Decisions(ctx context.Context) ([]Decision, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	all, _ := engine.Decisions(t.tree)
	return all, nil
}
