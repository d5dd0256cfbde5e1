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
		rank := slices.Index(priorities, g.Priority)
		if rank < 0 {
			rank = slices.Index(priorities, Medium)
		}
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
