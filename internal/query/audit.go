package query

import (
	"context"
	"slices"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/audit"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/schema"
)

// Audit says what is stale in what r reads. A CONTEXT.md is behind where a
// refresh would change it. Errors are those of audit.Audit.
func Audit(ctx context.Context, r fs.Reader, o audit.Options) (audit.Report, error) {
	o.Contexts, o.Threads, o.Condensations = contextLags, outcomes, written
	return audit.Audit(ctx, r, o)
}

// outcomes returns what was decided in threads and is in no condensation.
func outcomes(r fs.Reader, now time.Time) (all []audit.Outcome, err error) {
	threads, _, err := condense.Threads(r) // what is no thread is validate's to tell
	if err != nil {
		return nil, err
	}
	decided, err := engine.Outcomes(r, threads, now)
	for _, t := range threads {
		if text, ok := decided[t.Talk()]; ok {
			files := append([]string{t.File}, condense.FilesOf(r, t.Talk())...)
			there := slices.IndexFunc(files, func(name string) bool { _, err := r.Read(name); return err == nil })
			all = append(all, audit.Outcome{Thread: t.ID, Called: t.Called(), File: files[max(there, 0)], Text: text})
		}
	}
	return all, err
}

// written returns what the condensations of a tree say of their decisions. One that cannot be read is not among
// them.
func written(r fs.Reader) (all []audit.Written, err error) {
	list, _, err := condense.Condensations(r)
	for _, c := range list {
		all = append(all, audit.Written{File: c.File, Decision: c.Decision, ID: c.DecisionID})
	}
	return all, err
}

// contextLags says in what the CONTEXT.md of every project is behind.
func contextLags(r fs.Reader, decisions []schema.Decision) ([]audit.Lag, error) {
	projects, _, err := condense.Projects(r) // what is no project is validate's to tell
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
			all = append(all, audit.Lag{Name: l.Name, Line: l.Line, Decision: l.Decision, Text: l.String()})
		}
	}
	return all, nil
}
