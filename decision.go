package forgemind

import (
	"context"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/schema"
)

// A Decision is recorded once and never changed; a newer one may supersede it.
type Decision struct {
	ID                   string
	Timestamp            string // RFC 3339
	Decision             string // the text
	Rationale            string // why
	AlternativesRejected []string
	Impact               []string
	DecisionMaker        string
	RecordedBy           string
	Supersedes           []string // ids of the decisions that it replaces
	SupersededBy         string   // id of the decision that replaced it; "" if it is in force
	Project              string
	Channel              string
	Files                []string // slash paths that it is about
	Origin               Origin
	Confidence           float64 // ratio; of a decision that was detected in a message
}

// An Origin is the way in which a decision was recorded. An empty one is OriginExplicit.
type Origin string

// The origins of decisions.
const (
	OriginExplicit Origin = "explicit" // somebody recorded it
	OriginDetected Origin = "detected" // it was detected in a message
	OriginImported Origin = "imported" // only a view showed it
)

func (d Decision) stored() schema.Decision {
	return schema.Decision{
		ID: d.ID, Timestamp: d.Timestamp, Decision: d.Decision, Rationale: d.Rationale, AlternativesRejected: d.AlternativesRejected, Impact: d.Impact,
		DecisionMaker: d.DecisionMaker, RecordedBy: d.RecordedBy, Supersedes: d.Supersedes, Project: d.Project, Channel: d.Channel, Files: d.Files,
		Origin: string(d.Origin), Confidence: d.Confidence,
	}
}

func decisionOf(d schema.Decision) Decision {
	return Decision{
		ID: d.ID, Timestamp: d.Timestamp, Decision: d.Decision, Rationale: d.Rationale, AlternativesRejected: d.AlternativesRejected, Impact: d.Impact,
		DecisionMaker: d.DecisionMaker, RecordedBy: d.RecordedBy, Supersedes: d.Supersedes, Project: d.Project, Channel: d.Channel, Files: d.Files,
		Origin: Origin(d.Origin), Confidence: d.Confidence,
	}
}

// AddDecision records a decision, which is never changed afterwards. It returns the decision
// as recorded: an empty ID, Timestamp or RecordedBy is filled in, and an empty DecisionMaker
// is RecordedBy. RecordedBy is the name that git signs commits with, else the login name. A
// decision of the boss of high priority fires the trigger of major decisions. The error is an
// *UnknownDecisionError if a decision that it supersedes is not recorded, and a
// *SupersededError if one was superseded before.
func (t *Tree) AddDecision(ctx context.Context, d Decision, priority Priority) (Decision, error) {
	recorded, _, err := t.tree.Decide(ctx, d.stored(), string(priority))
	return decisionOf(recorded), apiError(err)
}

// Decisions returns the recorded decisions, the oldest first, followed by those that only a
// view has. A file that cannot be read as a decision is left out; Findings reports it.
func (t *Tree) Decisions(ctx context.Context) ([]Decision, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	recorded, _ := engine.Decisions(t.tree)
	standing := engine.StandingOf(t.tree)
	all := each(recorded, decisionOf)
	for i := range all {
		all[i].SupersededBy, _ = standing.SupersededBy(all[i].ID)
	}
	return all, nil
}
