package session

import (
	"slices"

	"github.com/forgemind/forgemind/schema"
)

// Objective is what a session is to reach first: of the goals that are a part of
// no other one, those in progress before the others, then by priority, then as
// they stand; "" where there is none.
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

// priorities are those of goals, the most urgent first.
var priorities = []string{High, Medium, Low}

// urgency is the rank of a priority, the most urgent first; one that is not
// known is medium.
func urgency(priority string) int {
	if rank := slices.Index(priorities, priority); rank >= 0 {
		return rank
	}
	return slices.Index(priorities, Medium)
}
