package health

import (
	"fmt"
	"strings"
	"time"

	"github.com/forgemind/forgemind/internal/text"
	"github.com/forgemind/forgemind/schema"
)

// Work counts the open work.
type Work struct {
	Pending int `json:"pending_actions"`
	Blocked int `json:"blocked"` // waiting for something
	Overdue int `json:"overdue"`
}

// work counts the pending actions and lists those that are overdue.
func (r *Report) work(actions []schema.Action, now time.Time) {
	var late []string
	for _, a := range actions {
		r.Work.Pending++
		if len(a.BlockedBy) > 0 {
			r.Work.Blocked++
		}
		if due, err := schema.ParseTime(a.Due); err == nil && due.Before(now) {
			r.Work.Overdue++
			late = append(late, fmt.Sprintf("%s %q, since %s", text.Limit(a.ID, 40), text.Limit(a.Action, 60), span(now.Sub(due))))
		}
	}
	switch len(late) {
	case 0:
	case 1:
		r.Monitoring.Alert("action-overdue", "1 action is overdue: %s", late[0])
	default:
		r.Monitoring.Alert("action-overdue", "%d actions are overdue: %s", len(late), some(late))
	}
}

// artifacts counts the loaded artifacts and reports those that are outdated.
func (r *Report) artifacts(artifacts []schema.Artifact) {
	var old []string
	for _, a := range artifacts {
		if !a.Loaded {
			continue
		}
		r.Monitoring.Context.LoadedArtifacts++
		if a.Outdated {
			old = append(old, text.Limit(a.ID, 40))
		}
	}
	if len(old) > 0 {
		r.Monitoring.Alert("artifact-outdated", "loaded, but outdated, for a decision that they name is superseded: %s", some(old))
	}
}

// some joins the first elements of a list and the number of the others.
func some(list []string) string {
	const most = 5
	if len(list) <= most {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:most], ", "), len(list)-most)
}
