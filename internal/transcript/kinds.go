package transcript

import (
	"slices"
	"strings"
)

// silent are the kinds of records, by tool, that are known and in which nobody says
// anything to anybody. A kind that ends with a dot stands for all that begin so.
var silent = map[string][]string{
	"claude-code": {
		"agent-color", "agent-name", "agent-setting", "api-request", "api-request-blob", "api-request-shape", "atis-latch", "attribution-snapshot",
		"content-replacement", "cost-state", "file-history-delta", "file-history-snapshot", "last-prompt", "mode", "permission-mode", "pr-link", "progress",
		"queue-operation", "speculation-accept", "tag", "task-summary", "tools-used", "worktree-state",
		"auth_status", "keep_alive", "prompt_suggestion", "rate_limit_event", "result", "stream_event", "tool_progress", "tool_use_summary", // as it streams
	},
	"codex": {
		"session_meta", "turn_context", "state", "world_state", "token_usage_record", "response_item", "event_msg", "compacted",
		"response_item message", "response_item reasoning", "response_item function_call", "response_item function_call_output", "response_item custom_tool_call",
		"response_item custom_tool_call_output", "response_item local_shell_call", "response_item web_search_call", "response_item image_generation_call",
		"thread.started", "turn.started", "turn.completed", "turn.failed", "error", "item.started", "item.updated", "item.completed", "item.completed agent_message",
		"item.completed command_execution", "item.completed file_change", "item.completed mcp_tool_call", "item.completed web_search", "item.completed reasoning",
		"item.completed todo_list", "item.completed collab_tool_call", "item.completed error", // as exec --json prints it
		"response_item tool_search_call", "response_item tool_search_output", "response_item ghost_snapshot", "response_item compaction", "response_item other",
	},
	"cursor":     {"turn_ended"},
	"gemini-cli": {"", "info", "warning", "error", "about", "help", "stats", "quit", "compression", "init", "result", "tool_use", "tool_result", "message"},
	"copilot": {
		"abort", "assistant.", "auto_mode_switch.", "capabilities.", "command.", "commands.", "elicitation.", "exit_plan_mode.", "external_tool.", "hook.", "mcp.",
		"mode.", "model.", "pending_messages.", "permission.", "sampling.", "session.", "skill.", "subagent.", "system.", "tool.", "user_input.",
	},
}

// kind is the reason of a record of that kind that gave no message. A kind that is
// not known is counted, so that it can be told: a newer version of the tool may write
// down talk in it.
func (rd *reader) kind(kind string, more ...string) string {
	reason := ofKind(append([]string{kind}, more...)...)
	known := slices.ContainsFunc(silent[rd.tool], func(name string) bool {
		return name == kind || strings.HasSuffix(name, ".") && strings.HasPrefix(kind, name)
	})
	if !known {
		rd.strange = reason
	}
	return reason
}
