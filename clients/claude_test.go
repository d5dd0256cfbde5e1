//go:build clients && unix

package clients

import "encoding/json"

var claudeCode = client{
	agent: "claude", pkg: "@anthropic-ai/claude-code", version: "2.1.332", program: "claude", compaction: "/compact",
	environment: func(model string) []string {
		return []string{"ANTHROPIC_BASE_URL=" + model, "ANTHROPIC_API_KEY=none", "DISABLE_TELEMETRY=1", "DISABLE_ERROR_REPORTING=1", "DISABLE_UPDATES=1",
			"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1"}
	},
	arguments: func(prompt string, goesOn bool) []string {
		arguments := []string{"-p", prompt, "--model", "claude-sonnet-4-5", "--permission-mode", "acceptEdits", "--allowedTools", "Bash"}
		if goesOn {
			arguments = append(arguments, "--continue")
		}
		return arguments
	},
	read: func(file string) call { return call{tool: "Read", arguments: object{"file_path": file}} },
	edit: func(file, old, new string) call {
		return call{tool: "Edit", arguments: object{"file_path": file, "old_string": old, "new_string": new}}
	},
	run: func(command string) call {
		return call{tool: "Bash", arguments: object{"command": command, "description": "Look at the wall"}}
	},
	question: &call{tool: "AskUserQuestion", arguments: object{"questions": []any{object{"question": "Which pear?", "header": "Pear", "multiSelect": false,
		"options": []any{object{"label": "Comice", "description": "Tastes best"}, object{"label": "Conference", "description": "Keeps"}}}}}},
	answer: askClaude,
}

// askClaude answers a question as a program does that uses Claude Code: in JSON, over its standard
// input and output.
func askClaude(s *scene, prompt, answer string) {
	command := s.process("claude", "-p", "--model", "claude-sonnet-4-5", "--continue", "--permission-prompt-tool", "stdio",
		"--input-format", "stream-json", "--output-format", "stream-json", "--verbose")
	in, err := command.StdinPipe()
	if err != nil {
		s.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		s.Fatal(err)
	}
	if err := command.Start(); err != nil {
		s.Fatal(err)
	}
	send := json.NewEncoder(in).Encode
	send(object{"type": "user", "message": object{"role": "user", "content": prompt}})
	for lines := json.NewDecoder(out); ; {
		var line struct {
			Type      string
			RequestID string `json:"request_id"`
			Request   struct{ Input object }
		}
		if lines.Decode(&line) != nil {
			break // it ends
		}
		switch line.Type {
		case "control_request":
			if line.Request.Input == nil {
				s.Fatal("Claude Code wants something else than an answer")
			}
			line.Request.Input["answers"] = object{"Which pear?": answer}
			send(object{"type": "control_response", "response": object{"subtype": "success", "request_id": line.RequestID,
				"response": object{"behavior": "allow", "updatedInput": line.Request.Input}}})
		case "result":
			in.Close()
		}
	}
	if err := command.Wait(); err != nil {
		s.Fatal(err)
	}
}
