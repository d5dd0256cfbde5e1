package query

import (
	"context"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/audit"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/schema"
)

// Audit returns the stale references in the documents of r. A CONTEXT.md is behind if a
// refresh would change it. Errors are those of audit.Audit.
func Audit(ctx context.Context, r fs.Reader, o audit.Options) (audit.Report, error) {
	o.Contexts = contextLags
	return audit.Audit(ctx, r, o)
}

// contextLags returns in which sections the CONTEXT.md of every project is out of date.
func contextLags(r fs.Reader, decisions []schema.Decision) ([]audit.Lag, error) {
	projects, _, err := condense.Projects(r) // validate reports invalid projects
	if err != nil {
		return nil, err
	}
	var all []audit.Lag
	for _, p := range projects {
		lags, err := condense.Stale(r, p, decisions)
		if err != nil {
			all = append(all, audit.Lag{Name: p.Context, Text: "it cannot be refreshed: " + err.Error()})
		}
		for _, l := range lags {
			all = append(all, audit.Lag{Name: l.Name, Line: l.Line, Decision: l.Decision, Text: l.String(), ByHand: l.State == condense.Edited || l.State == condense.Own})
		}
	}
	return all, nil
}
