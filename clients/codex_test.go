//go:build clients && unix

package clients

import "fmt"

var codex = client{
	agent: "codex", pkg: "@openai/codex", version: "0.171.0", program: "codex", window: 260_000,
	settings: func(project, model string) (name, text string) {
		return ".codex/config.toml", fmt.Sprintf(`model_provider = "model"
model_auto_compact_token_limit = 200000
[model_providers.model]
name = "model"
base_url = "%s/v1"
wire_api = "responses"
env_key = "MODEL_KEY"
[projects."%s"]
trust_level = "trusted"
`, model, project)
	},
	environment: func(model string) []string { return []string{"MODEL_KEY=none"} },
	arguments: func(prompt string, goesOn bool) []string {
		arguments := []string{"exec", "-m", "gpt-5", "-s", "danger-full-access", "--dangerously-bypass-hook-trust"}
		if goesOn {
			arguments = append(arguments, "resume", "--last")
		}
		return append(arguments, prompt)
	},
	read: func(file string) call { return call{tool: "exec_command", arguments: object{"cmd": "cat " + file}} },
	edit: func(file, old, new string) call {
		return call{tool: "exec_command", arguments: object{"cmd": fmt.Sprintf("apply_patch <<'END'\n*** Begin Patch\n*** Update File: %s\n@@\n-%s\n+%s\n*** End Patch\nEND", file, old, new)}}
	},
	run: func(command string) call { return call{tool: "exec_command", arguments: object{"cmd": command}} },
}
