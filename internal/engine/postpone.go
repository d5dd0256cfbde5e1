package engine

import (
	"fmt"
	"slices"

	"github.com/forgemind/forgemind/triggers"
)

// postpone removes the firings that would shorten the conversation. Their triggers stay
// armed, so that they fire at the next change if their conditions still hold.
func (r *WorkingSet) postpone(out *triggers.Outcome) {
	out.Firings = slices.DeleteFunc(out.Firings, func(f triggers.Firing) bool {
		if !slices.ContainsFunc(f.Actions, isCompaction) {
			return false
		}
		out.Record = out.Record.Rearm(f.Trigger, f.Previous)
		r.addNote(fmt.Sprintf("an import compacts nothing: trigger %s (%s) fires with the next change; 'forgemind compact --dry-run' shows what would leave", f.Trigger, f.Reason))
		return true
	})
}

// isCompaction reports whether an action takes messages out of the conversation.
func isCompaction(action string) bool {
	switch action {
	case "trigger_compaction", "summarize_and_compress", "curate", "cluster_messages", "archive_session":
		return true
	}
	return false
}
