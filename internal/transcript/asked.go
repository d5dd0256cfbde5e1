package transcript

import (
	"bytes"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/schema"
)

// forgemindTool takes the place of the tool of a message in which an agent asks forgemind, or
// forgemind answers. Such a message copies records, and is left out.
const forgemindTool = "mcp__forgemind__"

var (
	// ownName matches the names of forgemind's tools in Claude Code (also of a plug-in), in
	// Codex, in the Gemini CLI, in Copilot and in opencode.
	ownName = lazyregexp.New(`^(?:mcp__(?:plugin_[\w-]+_)?forgemind__|mcp_forgemind_|forgemind[-_])`)
	// ownCommand matches a command line that runs forgemind and nothing else.
	ownCommand = lazyregexp.New(`^[ \t]*(?:[\w.~/-]*/)?forgemind(?:\.exe)?(?:[ \t][^|&;<>$` + "`" + `()\r\n]*)?(?:2>(?:&1|/dev/null)[ \t]*)?\s*$`)
	// toolsInCode and ownToolInCode match what the code that Codex runs says of its tools.
	toolsInCode   = lazyregexp.New(`\btools\b`)
	ownToolInCode = lazyregexp.New(`\btools\.mcp__forgemind__\w+`)
)

// A calling is a call of a tool.
type calling struct {
	tool  string
	input json.RawMessage
}

// asked returns the tool of the message of the call: forgemindTool where it asks forgemind, by
// MCP or in a shell, and does nothing else.
func (c calling) asked() string {
	switch {
	case ownName.MatchString(c.tool):
		return forgemindTool
	case !bytes.Contains(c.input, []byte("forgemind")):
	case c.tool == "exec":
		if own := ownToolInCode.FindAllString(string(c.input), -1); len(own) > 0 && len(own) == len(toolsInCode.FindAllString(string(c.input), -1)) {
			return forgemindTool
		}
	case slices.Contains(shells, c.tool) && runsForgemind(c.input):
		return forgemindTool
	}
	return c.tool
}

// gave returns the tool of the message of what the call gave. Why a call failed, or was
// refused, stands in no record.
func (c calling) gave(failed bool) string {
	if failed {
		return c.tool
	}
	return c.asked()
}

// isAsked reports whether m is a question to forgemind, or its answer.
func isAsked(m *schema.Message) bool { return m.ToolName == forgemindTool }

// shells are the tools of clients that run a command line.
var shells = []string{
	"Bash", "PowerShell", "bash", "powershell", "shell", "shell_command", "exec_command", "local_shell", "run_shell_command",
	"Shell", "run_terminal_cmd", "run_terminal_command", "run_terminal_command_v2", "run_in_terminal", "terminal",
}

// runsForgemind reports whether the input of a shell is a command line that runs forgemind and
// nothing else.
func runsForgemind(input json.RawMessage) bool {
	var in struct {
		Command json.RawMessage `json:"command"`
		Cmd     string          `json:"cmd"`
	}
	if jsonedit.Decode(input, &in) != nil {
		return false
	}
	line := in.Cmd
	var words []string
	if jsonedit.Decode(in.Command, &words) != nil {
		line += str(in.Command)
	} else if len(words) > 0 {
		switch program := path.Base(words[0]); {
		case program == "forgemind":
			return true
		case len(words) == 3 && strings.HasSuffix(program, "sh") && (words[1] == "-c" || words[1] == "-lc"):
			line = words[2]
		}
	}
	return ownCommand.MatchString(line)
}
