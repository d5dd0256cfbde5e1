package triggers

import (
	"github.com/forgemind/forgemind/internal/text"
)

// Actions returns the names of all actions, in the order of the documentation. An
// action of a trigger that is not in this list is a finding.
func Actions() []string {
	return []string{
		"unload_previous_layer_details",
		"load_new_layer_templates",
		"update_available_commands",
		"refresh_clarity_tracking",

		"update_context_clarity",
		"refresh_available_actions",
		"update_progress_tracking",

		"add_to_immutable_decisions",
		"update_project_state",
		"invalidate_outdated_context",
		"save_to_memory",

		"trigger_compaction",
		"summarize_and_compress",
		"preserve_critical_info",

		"restore_historical_context",
		"load_previous_layer_state",
		"reset_clarity_if_needed",
		"invalidate_forward_progress",

		"full_sync_all_files",
		"create_session_summary",
		"save_context_snapshot",
		"clear_temporary_data",

		"condense_discussion",
		"archive_idle_threads",
		"refresh_project_context",
		"update_session_summary",
		"cluster_messages",
		"archive_session",
		"curate",
		"recover_chunks",
	}
}

// Known reports whether action is in Actions.
func Known(action string) bool {
	for _, a := range Actions() {
		if a == action {
			return true
		}
	}
	return false
}

// Nearest returns the name in Actions that is most similar to the misspelled action,
// "" if none is similar enough to suggest.
func Nearest(action string) string {
	return nearest(action, Actions())
}

// nearest returns the candidate with the smallest edit distance to word, "" if the
// distance exceeds a third of word's length.
func nearest(word string, candidates []string) string {
	best, least := "", len(word)/3+1
	for _, c := range candidates {
		if gap := len(c) - len(word); gap >= least || -gap >= least {
			continue
		}
		if d := text.Distance(word, c); d < least {
			best, least = c, d
		}
	}
	return best
}
