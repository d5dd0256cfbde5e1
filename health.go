package forgemind

import (
	"context"

	"github.com/forgemind/forgemind/internal/health"
	"github.com/forgemind/forgemind/validate"
)

// A Health is how a tree is, as `forgemind status` tells it.
type Health struct {
	Status         string  // healthy, warning, critical; unknown without a State
	WindowUsed     int     // tokens of the State's window; 0 where it has none
	WindowTotal    int     // tokens
	WindowPercent  float64 // of WindowTotal, from 0 to 100
	Artifacts      int     // that are loaded
	Decisions      int
	OpenQuestions  int
	LastCompaction string // in words, such as "1 hour ago"; "never"
	Alerts         []Alert
}

// An Alert is something that a person should look at.
type Alert struct {
	Name    string // a word for programs
	Message string
}

// Health looks at the tree.
func (t *Tree) Health(ctx context.Context) (Health, error) {
	if err := ctx.Err(); err != nil {
		return Health{}, err
	}
	report, err := health.Look(t.tree.Tree, t.edge.Now())
	if err != nil {
		return Health{}, err
	}
	m := report.Monitoring
	h := Health{
		Status: m.Context.Status, Artifacts: m.Context.LoadedArtifacts, Decisions: m.Context.DecisionsTracked,
		OpenQuestions: m.Context.OpenQuestions, LastCompaction: m.Context.LastCompaction,
	}
	if w := report.Window; w != nil {
		h.WindowUsed, h.WindowTotal, h.WindowPercent = w.UsedTokens, w.TotalTokens, w.UsagePercent
	}
	for _, a := range m.Alerts {
		h.Alerts = append(h.Alerts, Alert{a.Alert, a.Message})
	}
	return h, nil
}

// Findings judges all documents of the tree, against each other and the disk, with
// the severities that its config.json gives to rules. What is wrong in a document
// is a finding, no error.
func (t *Tree) Findings(ctx context.Context) ([]validate.Finding, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	report, err := validate.Tree(t.tree, validate.Options{})
	return report.Findings, err
}
