package hook

import (
	"path"
	"path/filepath"
)

// A Scope names the settings that an installation changes.
type Scope string

// The scopes.
const (
	Project Scope = "project" // those of the project, shared by its people
	Local   Scope = "local"   // the user's own for this project
	User    Scope = "user"    // the user's for all projects
)

// An Agent is a program that can run forgemind's hooks.
type Agent struct {
	ID, Name string
	binaries []string                    // names of its programs on the PATH
	folder   string                      // folder of its settings, in a project and in the user's home
	variable string                      // environment variable with the folder in the home
	homeOf   bool                        // the variable names the parent of the folder
	marks    []string                    // other files in a project that show that the agent is used
	spots    func(Scope, program) []spot // the spot of the hooks comes first
}

// A part is a kind of piece.
type part string

const (
	partHooks   part = "hooks"
	partStatus  part = "statusline"
	partServer  part = "mcp"
	partBlock   part = "block"
	partCommand part = "command"
	partRole    part = "role"
)

// A spot is a piece with its file. The path is relative to the project directory or, at User, to the
// agent's folder.
type spot struct {
	name  string
	part  part
	piece piece
}

// Agents returns the known agents in the order in which they are listed.
func Agents() []Agent {
	return []Agent{
		{ID: "claude", Name: "Claude Code", binaries: []string{"claude"}, folder: ".claude", variable: "CLAUDE_CONFIG_DIR", marks: []string{"CLAUDE.md"}, spots: claudeSpots},
		{ID: "codex", Name: "Codex", binaries: []string{"codex"}, folder: ".codex", variable: "CODEX_HOME", spots: codexSpots},
		{ID: "cursor", Name: "Cursor", binaries: []string{"cursor", "cursor-agent"}, folder: ".cursor", spots: cursorSpots},
		{ID: "gemini", Name: "Gemini CLI", binaries: []string{"gemini"}, folder: ".gemini", variable: "GEMINI_CLI_HOME", homeOf: true, marks: []string{"GEMINI.md"}, spots: geminiSpots},
		{ID: "copilot", Name: "Copilot", binaries: []string{"copilot"}, folder: ".copilot", variable: "COPILOT_HOME",
			marks: []string{".github/hooks", ".github/copilot", ".github/copilot-instructions.md", ".github/prompts", ".github/agents"}, spots: copilotSpots},
	}
}

// AgentIDs returns the ids of Agents.
func AgentIDs() []string {
	var ids []string
	for _, a := range Agents() {
		ids = append(ids, a.ID)
	}
	return ids
}

// home returns the agent's folder in the user's home, or "" if it is unknown.
func (a Agent) home(w Machine) string {
	if a.variable != "" {
		if dir := w.Getenv(a.variable); filepath.IsAbs(dir) {
			if a.homeOf {
				dir = filepath.Join(dir, a.folder)
			}
			return filepath.Clean(dir)
		}
	}
	if w.Home == "" {
		return ""
	}
	return filepath.Join(w.Home, a.folder)
}

// localSettings is the file with the user's own settings for Claude Code in a project.
const localSettings = ".claude/settings.local.json"

func claudeSpots(scope Scope, prog program) []spot {
	h := &hooks{agent: "claude", program: prog, strict: "Claude Code", events: []event{
		{"SessionStart", "", 10}, {"UserPromptSubmit", "", 10}, {"PreToolUse", "Edit|MultiEdit|Write|NotebookEdit", 10},
		{"PostToolUse", "Edit|MultiEdit|Write|NotebookEdit", 10},
		{"PreCompact", "", 10}, {"PostCompact", "", 10}, {"Stop", "", 10}, {"SessionEnd", "", 10},
	}}
	line := statusLine(prog, h.strict)
	switch scope {
	case Local:
		return []spot{{localSettings, partHooks, h}, {localSettings, partStatus, line}}
	case User: // its servers are in ~/.claude.json, which Claude Code writes all the time
		return append([]spot{{"settings.json", partHooks, h}, {"settings.json", partStatus, line}, {"CLAUDE.md", partBlock, &block{userBriefing}}},
			files(claudeManner, "commands", "agents", ".md")...)
	}
	return append([]spot{{".claude/settings.json", partHooks, h}, {localSettings, partStatus, line}, // a status line is a personal choice
		{".mcp.json", partServer, server(prog, h.strict, false)}, {"CLAUDE.md", partBlock, &block{briefing}}},
		files(claudeManner, ".claude/commands", ".claude/agents", ".md")...)
}

func codexSpots(scope Scope, prog program) []spot {
	h := &hooks{agent: "codex", program: prog, strict: "Codex", events: []event{
		{"SessionStart", "", 10}, {"UserPromptSubmit", "", 10}, {"PreToolUse", "apply_patch|Edit|Write", 10}, {"PostToolUse", "apply_patch|Edit|Write", 10},
		{"PreCompact", "", 10}, {"PostCompact", "", 10}, {"Stop", "", 10}, {"SessionEnd", "", 3}, // it grants no longer timeout
	}}
	switch scope {
	case Local:
		return nil
	case User:
		return append([]spot{{"hooks.json", partHooks, h}, {"config.toml", partServer, tomlServer{prog}}, {"AGENTS.md", partBlock, &block{userBriefing}}},
			files(codexManner, "prompts", "agents", ".toml")...)
	}
	return append([]spot{{".codex/hooks.json", partHooks, h}, {".codex/config.toml", partServer, tomlServer{prog}}, {"AGENTS.md", partBlock, &block{briefing}}},
		files(codexManner, "", ".codex/agents", ".toml")...) // prompts belong to the user
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
	case User: // rules for all projects are not in a file
		return append([]spot{{"hooks.json", partHooks, h}, {"mcp.json", partServer, mcp}}, files(cursorManner, "commands", "agents", ".md")...)
	}
	return append([]spot{{".cursor/hooks.json", partHooks, h}, {".cursor/mcp.json", partServer, mcp}, {"AGENTS.md", partBlock, &block{briefing}}},
		files(cursorManner, ".cursor/commands", ".cursor/agents", ".md")...)
}

func geminiSpots(scope Scope, prog program) []spot {
	const second = 1000 // timeouts are in milliseconds
	h := &hooks{agent: "gemini", program: prog, events: []event{
		{"SessionStart", "", 10 * second}, {"BeforeAgent", "", 10 * second}, {"AfterTool", "write_file|replace", 10 * second},
		{"PreCompress", "", 10 * second}, {"AfterAgent", "", 10 * second}, {"SessionEnd", "", 10 * second},
	}}
	mcp := server(prog, "", false)
	switch scope {
	case Local:
		return nil
	case User:
		return append([]spot{{"settings.json", partHooks, h}, {"settings.json", partServer, mcp}, {"GEMINI.md", partBlock, &block{userBriefing}}},
			files(geminiManner, "commands", "agents", ".md")...)
	}
	return append([]spot{{".gemini/settings.json", partHooks, h}, {".gemini/settings.json", partServer, mcp}, {"GEMINI.md", partBlock, &block{briefing}}},
		files(geminiManner, ".gemini/commands", ".gemini/agents", ".md")...)
}

func copilotSpots(scope Scope, prog program) []spot {
	h := &hooks{agent: "copilot", program: prog, form: twofold, version: true, strict: "Copilot", events: []event{
		{"sessionStart", "", 10}, {"userPromptSubmitted", "", 10}, {"postToolUse", "", 10}, {"preCompact", "", 10},
		{"agentStop", "", 10}, {"sessionEnd", "", 10},
	}}
	switch scope {
	case Local:
		return nil
	case User:
		return append([]spot{{"hooks/forgemind.json", partHooks, h}, {"mcp-config.json", partServer, server(prog, h.strict, true)},
			{"copilot-instructions.md", partBlock, &block{userBriefing}}}, files(copilotManner, "", "agents", ".agent.md")...) // prompts belong to the project
	}
	return append([]spot{{".github/hooks/forgemind.json", partHooks, h}, {".mcp.json", partServer, server(prog, h.strict, false)}, {"AGENTS.md", partBlock, &block{briefing}}},
		files(copilotManner, ".github/prompts", ".github/agents", ".agent.md")...)
}

// files returns the spots of an agent's command files, which are in the folder commands, and of its
// roles.
func files(m commandFormat, commands, agents, ending string) []spot {
	var all []spot
	for _, s := range slashes {
		if commands != "" {
			all = append(all, spot{path.Join(commands, s.file()+m.ending()), partCommand, m.command(s)})
		}
	}
	for _, r := range roles {
		all = append(all, spot{path.Join(agents, "forgemind-"+r.name+ending), partRole, m.role(r)})
	}
	return all
}
