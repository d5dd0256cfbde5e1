package transcript

import (
	"bytes"
	"encoding/json"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/schema"
)

// forgemindTool is the tool of a call by which an agent asks forgemind itself. What it
// gives is a copy of records, which would be found before them.
const forgemindTool = "mcp__forgemind__"

var (
	// ownName matches the names of forgemind's tools in Claude Code (also of a plug-in), in
	// Codex, in the Gemini CLI and in Copilot.
	ownName = lazyregexp.New(`^(?:mcp__(?:plugin_\w+_)?forgemind__|mcp_forgemind_|forgemind-)`)
	// ownCommand matches a command line that runs forgemind and nothing else.
	ownCommand    = lazyregexp.New(`^\s*(?:\S*/)?forgemind(?:\.exe)?(?:\s[^|&;<>$` + "`" + `()\n]*)?$`)
	toolInCode    = lazyregexp.New(`\btools\.\w+`)
	ownToolInCode = lazyregexp.New(`\btools\.mcp__forgemind__\w+`)
)

// isAsked reports whether m is a call by which an agent asks forgemind, or what that gave. What
// the user says to it is the user's word.
func isAsked(m *schema.Message) bool {
	return m.Role != "user" && (m.ToolName == forgemindTool || ownName.MatchString(m.ToolName))
}

// called returns the tool that a call is of: forgemindTool where it asks forgemind by MCP, or
// in a shell, and nothing else.
func called(tool string, input json.RawMessage) string {
	switch {
	case ownName.MatchString(tool):
		return forgemindTool
	case !bytes.Contains(input, []byte("forgemind")):
	case ownCommand.MatchString(commandIn(input)):
		return forgemindTool
	case tool == "exec": // code by which Codex calls tools
		if own := ownToolInCode.FindAllString(string(input), -1); len(own) > 0 && len(own) == len(toolInCode.FindAllString(string(input), -1)) {
			return forgemindTool
		}
	}
	return tool
}

// commandIn returns the command line in the input of a tool that runs one; "" for others.
func commandIn(input json.RawMessage) string {
	if text := str(input); text != "" {
		input = json.RawMessage(text)
	}
	var in struct {
		Command json.RawMessage `json:"command"`
		Cmd     string          `json:"cmd"`
	}
	if jsonedit.Decode(input, &in) != nil {
		return ""
	}
	var words []string
	switch {
	case in.Cmd != "":
		return in.Cmd
	case jsonedit.Decode(in.Command, &words) == nil && len(words) == 3: // bash -lc LINE
		return words[2]
	}
	return str(in.Command)
}
