package health

import (
	"fmt"
	"strings"
	"time"

	"github.com/forgemind/forgemind/schema"
)

// Work is what is still to be done.
type Work struct {
	Pending int `json:"pending_actions"`
	Blocked int `json:"blocked"` // wait for something
	Overdue int `json:"overdue"`
}

// work counts the pending actions, and says which should be done by now.
func (r *Report) work(actions []schema.Action, now time.Time) {
	var late []string
	for _, a := range actions {
		r.Work.Pending++
		if len(a.BlockedBy) > 0 {
			r.Work.Blocked++
		}
		if due, err := schema.ParseTime(a.Due); err == nil && due.Before(now) {
			r.Work.Overdue++
			late = append(late, fmt.Sprintf("%s %q, since %s", cut(a.ID, 40), cut(a.Action, 60), span(now.Sub(due))))
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

// artifacts counts what is loaded, and says what of it holds no more.
func (r *Report) artifacts(artifacts []schema.Artifact) {
	var old, changed []string
	for _, a := range artifacts {
		if !a.Loaded {
			continue
		}
		r.Monitoring.Context.LoadedArtifacts++
		if a.Outdated {
			old = append(old, cut(a.ID, 40))
		}
		if a.Changed() {
			changed = append(changed, cut(a.ID, 40))
		}
	}
	if len(old) > 0 {
		r.Monitoring.Alert("artifact-outdated", "loaded, but outdated, for a decision that they name is superseded: %s", some(old))
	}
	if len(changed) > 0 {
		r.Monitoring.Alert("artifact-changed", "loaded, but changed since; 'forgemind load' gives it anew: %s", some(changed))
	}
}

// some joins the first of a list, and says how many more there are.
func some(list []string) string {
	const most = 5
	if len(list) <= most {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:most], ", "), len(list)-most)
}

// cut shortens a stranger's text to n characters.
func cut(text string, n int) string {
	if r := []rune(text); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return text
}
