package hook

import (
	"path/filepath"
	"runtime"
)

// A Scope says whose settings are meant.
type Scope string

// The scopes.
const (
	Project Scope = "project" // those of the project, which its people share
	Local   Scope = "local"   // the user's own, for this project
	User    Scope = "user"    // the user's, for all projects
)

// An Agent is a program that can run our hooks.
type Agent struct {
	ID, Name string
	client   string                      // begins what it calls itself to an MCP server; "" where it shows no prompts
	binaries []string                    // as they are found on the PATH
	folder   string                      // of its settings: in a project, and at the user's home
	variable string                      // the environment's word for the folder at home
	homeOf   bool                        // the variable names what holds the folder
	config   string                      // its folder below the user's folder of settings, where it has none at home
	marks    []string                    // what else in a project shows that it is used
	spots    func(Scope, program) []spot // the hooks come first
}

// A part is a kind of piece.
type part string

const (
	partHooks   part = "hooks"
	partStatus  part = "statusline"
	partServer  part = "mcp"
	partBlock   part = "block"
	partCommand part = "command"
	partSetting part = "setting" // of a command
	partFormer  part = "earlier command"
	partRole    part = "role"
)

// A spot is a piece and its file: below the project directory, or at User below
// the agent's folder.
type spot struct {
	name  string
	part  part
	piece piece
}

// Agents are the agents that we know, in the order in which they are listed.
func Agents() []Agent {
	return []Agent{
		{ID: "claude", Name: "Claude Code", client: "claude-code", binaries: []string{"claude"}, folder: ".claude", variable: "CLAUDE_CONFIG_DIR", marks: []string{"CLAUDE.md"}, spots: claudeSpots},
		{ID: "codex", Name: "Codex", binaries: []string{"codex"}, folder: ".codex", variable: "CODEX_HOME", spots: codexSpots},
		{ID: "cursor", Name: "Cursor", client: "cursor", binaries: []string{"cursor", "cursor-agent"}, folder: ".cursor", spots: cursorSpots},
		{ID: "gemini", Name: "Gemini CLI", client: "gemini-cli", binaries: []string{"gemini"}, folder: ".gemini", variable: "GEMINI_CLI_HOME", homeOf: true, marks: []string{"GEMINI.md"}, spots: geminiSpots},
		{ID: "copilot", Name: "Copilot", binaries: []string{"copilot"}, folder: ".copilot", variable: "COPILOT_HOME",
			marks: []string{".github/hooks", ".github/copilot", ".github/copilot-instructions.md", ".github/prompts", ".github/skills", ".github/agents"}, spots: copilotSpots},
		{ID: "opencode", Name: "opencode", client: "opencode", binaries: []string{"opencode"}, folder: ".opencode", variable: "OPENCODE_CONFIG_DIR", config: "opencode",
			marks: []string{"opencode.json", "opencode.jsonc"}, spots: opencodeSpots},
	}
}

// AgentIDs are the ids of Agents.
func AgentIDs() []string {
	var ids []string
	for _, a := range Agents() {
		ids = append(ids, a.ID)
	}
	return ids
}

// home is the agent's folder at the user's home; "" where that is not known.
func (a Agent) home(w World) string {
	if a.variable != "" {
		if dir := w.Getenv(a.variable); filepath.IsAbs(dir) {
			if a.homeOf {
				dir = filepath.Join(dir, a.folder)
			}
			return filepath.Clean(dir)
		}
	}
	if dir := w.Getenv("XDG_CONFIG_HOME"); a.config != "" && filepath.IsAbs(dir) {
		return filepath.Join(dir, a.config)
	}
	switch {
	case w.Home == "":
		return ""
	case a.config != "":
		return filepath.Join(w.Home, ".config", a.config)
	}
	return filepath.Join(w.Home, a.folder)
}

// localSettings are the user's own of Claude Code, in a project.
const localSettings = ".claude/settings.local.json"

func claudeSpots(scope Scope, prog program) []spot {
	h := &hooks{agent: "claude", program: prog, guard: true, strict: "Claude Code", events: []event{
		{"SessionStart", "", 10}, {"UserPromptSubmit", "", 10}, {"PreToolUse", "Bash|Read|Edit|MultiEdit|Write|NotebookEdit|Task|Agent", 10},
		{"PostToolUse", "Edit|MultiEdit|Write|NotebookEdit", 10}, {"PostToolUseFailure", "Bash", 10}, {"SubagentStart", "", 10},
		{"PreCompact", "", 10}, {"PostCompact", "", 10}, {"Stop", "", 10}, {"StopFailure", "", 10}, {"SessionEnd", "", 10},
	}}
	line := statusLine(prog, h.strict)
	switch scope {
	case Local:
		return []spot{{localSettings, partHooks, h}, {localSettings, partStatus, line}}
	case User: // its servers stand in ~/.claude.json, which Claude Code itself writes all the time
		return append([]spot{{"settings.json", partHooks, h}, {"settings.json", partStatus, line}, {"CLAUDE.md", partBlock, &block{userBriefing}}},
			claudeManner.files("")...)
	}
	return append([]spot{{".claude/settings.json", partHooks, h}, {localSettings, partStatus, line}, // a line is everybody's own
		{".mcp.json", partServer, server(prog, h.strict, false)}, {"CLAUDE.md", partBlock, &block{briefing}}},
		claudeManner.files(".claude")...)
}

func codexSpots(scope Scope, prog program) []spot {
	h := &hooks{agent: "codex", program: prog, guard: true, windows: true, strict: "Codex", events: []event{
		{"SessionStart", "", 10}, {"UserPromptSubmit", "", 10}, {"PreToolUse", "Bash|apply_patch|Edit|Write|spawn_agent", 10},
		{"PostToolUse", "apply_patch|Edit|Write", 10}, {"SubagentStart", "", 10}, {"PreCompact", "", 10}, {"PostCompact", "", 10}, {"Stop", "", 10},
		{"Interrupt", "", 3}, {"SessionEnd", "", 3}, // it gives no more
	}}
	switch scope {
	case Local:
		return nil
	case User:
		return append([]spot{{"hooks.json", partHooks, h}, {"config.toml", partServer, tomlServer{prog}}, {"AGENTS.md", partBlock, &block{userBriefing}}},
			codexManner.files("")...)
	}
	return append([]spot{{".codex/hooks.json", partHooks, h}, {".codex/config.toml", partServer, tomlServer{prog}}, {"AGENTS.md", partBlock, &block{briefing}}},
		codexManner.files(".codex")...)
}

func cursorSpots(scope Scope, prog program) []spot {
	h := &hooks{agent: "cursor", program: prog, form: flat, version: true, strict: "Cursor", events: []event{
		{"sessionStart", "", 10}, {"beforeSubmitPrompt", "", 10}, {"afterFileEdit", "", 10}, {"preCompact", "", 10},
		{"afterAgentResponse", "", 10}, {"stop", "", 10}, {"sessionEnd", "", 10},
	}}
	mcp := server(prog, h.strict, false)
	switch scope {
	case Local:
		return nil
	case User: // its rules for all projects are no file
		return append([]spot{{"hooks.json", partHooks, h}, {"mcp.json", partServer, mcp}}, cursorManner.files("")...)
	}
	return append([]spot{{".cursor/hooks.json", partHooks, h}, {".cursor/mcp.json", partServer, mcp}, {"AGENTS.md", partBlock, &block{briefing}}},
		cursorManner.files(".cursor")...)
}

func geminiSpots(scope Scope, prog program) []spot {
	const second = 1000 // it counts milliseconds
	h := &hooks{agent: "gemini", program: prog, guard: runtime.GOOS != "windows", events: []event{
		{"SessionStart", "", 10 * second}, {"BeforeAgent", "", 10 * second}, {"AfterTool", "read_file|write_file|replace", 10 * second},
		{"PreCompress", "", 10 * second}, {"AfterAgent", "", 10 * second}, {"SessionEnd", "", 10 * second},
	}}
	mcp := server(prog, "", false)
	switch scope {
	case Local:
		return nil
	case User:
		return append([]spot{{"settings.json", partHooks, h}, {"settings.json", partServer, mcp}, {"GEMINI.md", partBlock, &block{userBriefing}}},
			geminiManner.files("")...)
	}
	return append([]spot{{".gemini/settings.json", partHooks, h}, {".gemini/settings.json", partServer, mcp}, {"GEMINI.md", partBlock, &block{briefing}}},
		geminiManner.files(".gemini")...)
}

func copilotSpots(scope Scope, prog program) []spot {
	h := &hooks{agent: "copilot", program: prog, guard: true, form: twofold, version: true, strict: "Copilot", events: []event{
		{"sessionStart", "", 10}, {"userPromptSubmitted", "", 10}, {"preToolUse", "", 10}, {"postToolUse", "", 10}, {"subagentStart", "", 10},
		{"preCompact", "", 10}, {"agentStop", "", 10}, {"sessionEnd", "", 10},
	}}
	switch scope {
	case Local:
		return nil
	case User:
		return append([]spot{{"hooks/forgemind.json", partHooks, h}, {"mcp-config.json", partServer, server(prog, h.strict, true)},
			{"copilot-instructions.md", partBlock, &block{userBriefing}}}, copilotManner.files("")...)
	}
	return append([]spot{{".github/hooks/forgemind.json", partHooks, h}, {".mcp.json", partServer, server(prog, h.strict, false)}, {"AGENTS.md", partBlock, &block{briefing}}},
		copilotManner.files(".github")...)
}

func opencodeSpots(scope Scope, prog program) []spot {
	hooks := plugin{prog}
	switch scope {
	case Local:
		return nil
	case User:
		return append([]spot{{"plugins/forgemind.js", partHooks, hooks}, {"opencode.json", partServer, opencodeServer(prog)}, {"AGENTS.md", partBlock, &block{userBriefing}}},
			opencodeManner.files("")...)
	}
	return append([]spot{{".opencode/plugins/forgemind.js", partHooks, hooks}, {"opencode.json", partServer, opencodeServer(prog)}, {"AGENTS.md", partBlock, &block{briefing}}},
		opencodeManner.files(".opencode")...)
}
