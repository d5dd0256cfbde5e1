package main

import (
	"fmt"
	"time"

	"github.com/forgemind/forgemind/internal/health"
	"github.com/forgemind/forgemind/internal/query"
	"github.com/forgemind/forgemind/schema"
)

// heavy is the least score of an alert. Below it a finding is a hint.
const heavy = 50

// alertStale adds an alert for each kind of findings with a large score. A finding that may be out
// of date gives no alert.
func alertStale(report *health.Report, g query.AuditGlance) {
	if !g.Current {
		return
	}
	for _, k := range g.Kinds {
		switch {
		case k.Score < heavy, k.Kind == "overdue-action": // it has an alert of its own
		case k.Count == 1:
			report.Monitoring.Alert("stale-"+k.Kind, "%s: %s", k.File, k.First)
		default:
			report.Monitoring.Alert("stale-"+k.Kind, "%d times, first in %s: %s", k.Count, k.File, k.First)
		}
	}
}

// sayAudit prints the known findings of audit and their age.
func (p *program) sayAudit(g query.AuditGlance, looked bool) string {
	if !looked {
		return "not checked yet; run 'forgemind audit'"
	}
	stale := "nothing stale"
	if g.Stale > 0 {
		stale = count(g.Stale, "thing") + " stale"
	}
	switch at, err := schema.ParseTime(g.At); {
	case g.At == "":
		return stale + ", without git's history; 'forgemind audit' also reads it"
	case err != nil || !g.Current:
		return fmt.Sprintf("%s when 'forgemind audit' last ran, %s; the tree has changed since", stale, p.when(at))
	default:
		return fmt.Sprintf("%s, as 'forgemind audit' found %s", stale, p.when(at))
	}
}

// when returns how long ago a time was, for people.
func (p *program) when(at time.Time) string {
	ago := p.Now().Sub(at)
	switch {
	case ago < time.Minute:
		return "just now"
	case ago < time.Hour:
		return count(int(ago/time.Minute), "minute") + " ago"
	case ago < 48*time.Hour:
		return count(int(ago/time.Hour), "hour") + " ago"
	}
	return "on " + at.UTC().Format(time.DateOnly)
}
