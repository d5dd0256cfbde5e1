package session

import (
	"slices"

	"github.com/forgemind/forgemind/schema"
)

// Objective returns the most important goal of a session. Only goals that are no part of another
// count. Those in progress come first, then the order is by priority, then by place. The result is
// "" if there is none.
func Objective(hot schema.HotContext) string {
	best, least := "", len(priorities)*2+1
	for _, g := range hot.ActiveGoals {
		if g.ParentGoalID != "" || g.Status == Complete {
			continue
		}
		rank := urgency(g.Priority)
		if g.Status != InProgress {
			rank += len(priorities)
		}
		if rank < least {
			best, least = g.Goal, rank
		}
	}
	return best
}

// priorities lists the priorities of goals, most urgent first.
var priorities = []string{High, Medium, Low}

// urgency returns the rank of a priority, 0 for the most urgent. An unknown priority counts as
// medium.
func urgency(priority string) int {
	if rank := slices.Index(priorities, priority); rank >= 0 {
		return rank
	}
	return slices.Index(priorities, Medium)
}
