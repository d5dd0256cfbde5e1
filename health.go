package forgemind

import (
	"context"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/health"
	"github.com/forgemind/forgemind/validate"
)

// A HealthStatus is a level of the usage of a tree's window.
type HealthStatus string

// The statuses.
const (
	HealthOK       HealthStatus = health.Healthy
	HealthWarning  HealthStatus = health.Warning
	HealthCritical HealthStatus = health.Critical
	HealthUnknown  HealthStatus = health.Unknown // the tree has no State
)

// A Health describes the state of a tree, as `forgemind status` prints it.
type Health struct {
	Status         HealthStatus
	WindowUsed     int     // tokens of the State's window; 0 if there is none
	WindowTotal    int     // tokens
	WindowPercent  float64 // of WindowTotal, from 0 to 100
	Artifacts      int     // number of loaded artifacts
	Decisions      int
	OpenQuestions  int
	LastCompaction string // in words, such as "1 hour ago"; "never"
	Alerts         []Alert
}

// An Alert is a problem that a person should look at.
type Alert struct {
	Name    string // a fixed word for programs
	Message string
}

// Health returns the state of the tree.
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
		Status: HealthStatus(m.Context.Status), Artifacts: m.Context.LoadedArtifacts, Decisions: m.Context.DecisionsTracked,
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

// Findings validates all documents of the tree, against each other and the disk, with the
// severities of its config.json. A problem in a document is a finding, not an error.
func (t *Tree) Findings(ctx context.Context) ([]validate.Finding, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	report, err := engine.Validate(t.tree.Tree, validate.Options{})
	return report.Findings, err
}
