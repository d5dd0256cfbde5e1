//go:build clients && unix

package clients

var gemini = client{
	agent: "gemini", pkg: "@google/gemini-cli", version: "0.61.0", program: "gemini", window: 900_000,
	settings: func(project, model string) (name, text string) {
		return ".gemini/settings.json", `{"security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": false}}, "general": {"enableAutoUpdate": false}, "privacy": {"usageStatisticsEnabled": false}}`
	},
	environment: func(model string) []string {
		return []string{"GEMINI_API_KEY=none", "GOOGLE_GEMINI_BASE_URL=" + model}
	},
	arguments: func(prompt string, goesOn bool) []string {
		arguments := []string{"-p", prompt, "--yolo", "-m", "gemini-2.5-pro"}
		if goesOn {
			arguments = append(arguments, "--resume", "latest")
		}
		return arguments
	},
	read: func(file string) call { return call{tool: "read_file", arguments: object{"file_path": file}} },
	edit: func(file, old, new string) call {
		return call{tool: "replace", arguments: object{"file_path": file, "instruction": "Add the trees", "old_string": old, "new_string": new}}
	},
	run: func(command string) call {
		return call{tool: "run_shell_command", arguments: object{"command": command, "description": "Look at the wall"}}
	},
}
