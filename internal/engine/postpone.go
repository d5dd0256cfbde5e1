package engine

import (
	"fmt"
	"slices"

	"github.com/forgemind/forgemind/triggers"
)

// postpone takes the firings out that would make the conversation shorter. Their
// triggers stay armed, so that they fire at the next change if they still hold.
func (r *round) postpone(out *triggers.Outcome) {
	out.Firings = slices.DeleteFunc(out.Firings, func(f triggers.Firing) bool {
		if !slices.ContainsFunc(f.Actions, shortens) {
			return false
		}
		out.Record = out.Record.Rearm(f.Trigger, f.Previous)
		r.tell(fmt.Sprintf("an import compacts nothing: trigger %s (%s) fires with the next message", f.Trigger, f.Reason))
		return true
	})
}

// shortens reports whether an action takes messages out of the conversation.
func shortens(action string) bool {
	switch action {
	case compactAction, "summarize_and_compress", "curate", clusterAction, archiveSessionAction:
		return true
	}
	return false
}
