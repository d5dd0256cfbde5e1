//go:build clients && unix

package clients

import "fmt"

var copilot = client{
	agent: "copilot", pkg: "@github/copilot", version: "1.0.102", program: "copilot", window: 125_000,
	settings: func(project, model string) (name, text string) {
		return ".copilot/config.json", fmt.Sprintf(`{"trustedFolders": [%q]}`, project)
	},
	environment: func(model string) []string {
		return []string{"COPILOT_PROVIDER_BASE_URL=" + model + "/v1", "COPILOT_PROVIDER_TYPE=openai", "COPILOT_PROVIDER_API_KEY=none", "COPILOT_MODEL=model",
			"COPILOT_OFFLINE=true", "COPILOT_AUTO_UPDATE=false"}
	},
	arguments: func(prompt string, goesOn bool) []string {
		arguments := []string{"-p", prompt, "--allow-all-tools", "--allow-all-paths"}
		if goesOn {
			arguments = append(arguments, "--continue")
		}
		return arguments
	},
	read: func(file string) call { return call{tool: "view", arguments: object{"path": file}} },
	edit: func(file, old, new string) call {
		return call{tool: "edit", arguments: object{"path": file, "old_str": old, "new_str": new}}
	},
	run: func(command string) call {
		return call{tool: "bash", arguments: object{"command": command, "description": "Look at the wall"}}
	},
}
