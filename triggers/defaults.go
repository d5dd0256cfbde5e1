package triggers

import "github.com/forgemind/forgemind/schema"

// MaxTriggers limits the triggers of a configuration, because each costs time and
// memory.
const MaxTriggers = 500

// Configured returns the triggers of a configuration: the first MaxTriggers of those that it
// lists, or the Defaults.
func Configured(c schema.Config) []schema.Trigger {
	if c.RefreshTriggers == nil {
		return Defaults()
	}
	return c.RefreshTriggers[:min(len(c.RefreshTriggers), MaxTriggers)]
}

// Defaults returns the six triggers that apply if config.json lists none.
func Defaults() []schema.Trigger {
	return []schema.Trigger{
		{
			Name:      "layer_transition",
			Enabled:   true,
			Condition: "current_layer != previous_layer",
			Actions: []string{
				"unload_previous_layer_details",
				"load_new_layer_templates",
				"update_available_commands",
				"refresh_clarity_tracking",
			},
		},
		{
			Name:      "clarity_significant_change",
			Enabled:   true,
			Condition: "abs(current_clarity - previous_clarity) >= 10",
			Actions: []string{
				"update_context_clarity",
				"refresh_available_actions",
				"update_progress_tracking",
			},
		},
		{
			Name:      "boss_major_decision",
			Enabled:   true,
			Condition: "is_boss_decision(message) AND priority == 'high'",
			Actions: []string{
				"add_to_immutable_decisions",
				"update_project_state",
				"invalidate_outdated_context",
				"save_to_memory",
			},
		},
		{
			Name:      "context_window_threshold",
			Enabled:   true,
			Condition: "context_usage_percent > 70",
			Actions: []string{
				"trigger_compaction",
				"summarize_and_compress",
				"preserve_critical_info",
			},
		},
		{
			Name:      "backtrack_initiated",
			Enabled:   true,
			Condition: "command == 'facilitator backtrack'",
			Actions: []string{
				"restore_historical_context",
				"load_previous_layer_state",
				"reset_clarity_if_needed",
				"invalidate_forward_progress",
			},
		},
		{
			Name:      "session_end",
			Enabled:   true,
			Condition: "command == 'facilitator end session'",
			Actions: []string{
				"full_sync_all_files",
				"create_session_summary",
				"save_context_snapshot",
				"clear_temporary_data",
			},
		},
	}
}
