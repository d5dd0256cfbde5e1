package transcript

import (
	"encoding/json"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A codexRanItem is an item of what `codex exec --json` prints. Their ids are those of one run,
// not of the session.
type codexRanItem struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	Command   string          `json:"command"`
	Output    string          `json:"aggregated_output"`
	ExitCode  *int            `json:"exit_code"`
	Changes   json.RawMessage `json:"changes"`
	Server    string          `json:"server"`
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
	Result    json.RawMessage `json:"result"`
	Error     json.RawMessage `json:"error"`
	Query     string          `json:"query"`
	Prompt    string          `json:"prompt"` // of a subagent
}

// codexRan takes in an item that is done. What the user asked is not printed.
func (rd *reader) codexRan(r record, item *codexRanItem) {
	m := schema.Message{Agent: "codex"}
	switch item.Type {
	case "agent_message":
		m.Role, m.Content = "assistant", item.Text
		rd.noted(r, m)
	case "command_execution":
		input, _ := jsonedit.Value(struct {
			Command string `json:"command"`
		}{item.Command})
		rd.noted(r, callOf(m, "shell", input))
		rd.noted(r, resultOf(m, calling{"shell", input}.gave(item.ExitCode != nil && *item.ExitCode != 0), item.Output))
	case "file_change":
		rd.noted(r, callOf(m, "apply_patch", item.Changes))
	case "mcp_tool_call":
		name := "mcp__" + item.Server + "__" + item.Tool
		rd.noted(r, callOf(m, name, item.Arguments))
		var result struct {
			Content json.RawMessage `json:"content"`
			Message json.RawMessage `json:"message"` // of an error
		}
		failed := len(item.Error) > 0 && string(item.Error) != "null"
		if failed {
			item.Result = item.Error
		}
		if jsonedit.Decode(item.Result, &result) == nil {
			rd.noted(r, resultOf(m, calling{name, item.Arguments}.gave(failed), textOf(result.Content)+textOf(result.Message)))
		}
	case "collab_tool_call":
		input, _ := jsonedit.Value(struct {
			Prompt string `json:"prompt"`
		}{item.Prompt})
		rd.noted(r, callOf(m, item.Tool, input))
	case "web_search":
		input, _ := jsonedit.Value(struct {
			Query string `json:"query"`
		}{item.Query})
		rd.noted(r, callOf(m, "web_search", input))
	}
}
