package main

import (
	"fmt"
	"time"

	"github.com/forgemind/forgemind/internal/health"
	"github.com/forgemind/forgemind/internal/query"
	"github.com/forgemind/forgemind/schema"
)

// heavy is the score from which on something stale is an alert; below it is a hint.
const heavy = 50

// alertStale adds an alert for each kind of staleness that counts. What was stale
// before something changed is no alert.
func alertStale(report *health.Report, g query.AuditGlance, at func(name string) string) {
	if !g.Current {
		return
	}
	for _, k := range g.Kinds {
		switch {
		case k.Score < heavy, k.Kind == "overdue-action": // which has an alert of its own
		case k.Count == 1:
			report.Monitoring.Alert("stale-"+k.Kind, "%s: %s", at(k.File), k.First)
		default:
			report.Monitoring.Alert("stale-"+k.Kind, "%d times, first in %s: %s", k.Count, at(k.File), k.First)
		}
	}
}

// sayAudit says what is known of what is stale, and of when.
func (p *program) sayAudit(g query.AuditGlance, looked bool) string {
	if !looked {
		return "nobody looked yet; 'forgemind audit' does"
	}
	stale := "nothing stale"
	if g.Stale > 0 {
		stale = count(g.Stale, "thing") + " stale"
	}
	switch at, err := schema.ParseTime(g.At); {
	case g.At == "":
		return stale + ", without git's history; 'forgemind audit' looks at that, too"
	case err != nil || !g.Current:
		return fmt.Sprintf("%s when 'forgemind audit' last looked, %s; it is behind by now", stale, p.when(at))
	default:
		return fmt.Sprintf("%s, as 'forgemind audit' found %s", stale, p.when(at))
	}
}

// when is a time as people say it: how long ago.
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
