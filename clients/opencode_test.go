//go:build clients && unix

package clients

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"
)

var opencode = client{
	agent: "opencode", pkg: "opencode-ai", version: "1.18.33", program: "opencode", window: 199_000,
	settings: func(project, model string) (name, text string) {
		return ".config/opencode/opencode.json", fmt.Sprintf(`{"model": "story/model", "small_model": "story/model", "provider": {"story": {
	"npm": "@ai-sdk/openai-compatible", "options": {"baseURL": "%s/v1", "apiKey": "none"},
	"models": {"model": {"tool_call": true, "limit": {"context": 200000, "output": 8000}}}}}}`, model)
	},
	environment: func(model string) []string { // for plugins it fetches a package of its own
		return []string{"OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_LSP_DOWNLOAD=1",
			"NO_PROXY=127.0.0.1,localhost,registry.npmjs.org", "no_proxy=127.0.0.1,localhost,registry.npmjs.org"}
	},
	arguments: func(prompt string, goesOn bool) []string {
		arguments := []string{"run", prompt}
		if goesOn {
			arguments = append(arguments, "--continue")
		}
		return arguments
	},
	read: func(file string) call { return call{tool: "read", arguments: object{"filePath": file}} },
	edit: func(file, old, new string) call {
		return call{tool: "edit", arguments: object{"filePath": file, "oldString": old, "newString": new}}
	},
	run: func(command string) call {
		return call{tool: "bash", arguments: object{"command": command, "description": "Look at the wall"}}
	},
	question: &call{tool: "question", arguments: object{"questions": []any{object{"question": "Which pear?", "header": "Pear",
		"options": []any{object{"label": "Comice", "description": "Tastes best"}, object{"label": "Conference", "description": "Keeps"}}}}}},
	answer: askOpencode,
}

// askOpencode answers a question by way of opencode's server.
func askOpencode(s *scene, prompt, answer string) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		s.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	listener.Close()
	server := s.process("opencode", "serve", "--port", port)
	out, err := server.StdoutPipe()
	if err != nil {
		s.Fatal(err)
	}
	if err := server.Start(); err != nil {
		s.Fatal(err)
	}
	defer server.Wait()
	defer server.Cancel()
	for lines := bufio.NewScanner(out); lines.Scan() && !strings.Contains(lines.Text(), "listening"); {
	}

	request := func(method, path string, body any) *http.Response {
		r, err := http.NewRequestWithContext(s.Context(), method, "http://127.0.0.1:"+port+path, bytes.NewReader(mustJSON(body)))
		if err != nil {
			s.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			s.Fatal(err)
		}
		s.Cleanup(func() { response.Body.Close() })
		if response.StatusCode >= 300 {
			s.Fatalf("%s %s: %s", method, path, response.Status)
		}
		return response
	}
	var sessions []struct{ ID string }
	if err := json.NewDecoder(request("GET", "/session", nil).Body).Decode(&sessions); err != nil || len(sessions) == 0 {
		s.Fatalf("%v: %d sessions", err, len(sessions))
	}
	session := "/session/" + sessions[0].ID
	// What `opencode run` began may not ask.
	request("PATCH", session, object{"permission": []any{object{"permission": "question", "pattern": "*", "action": "allow"}}})
	happened := bufio.NewScanner(request("GET", "/event", nil).Body)
	happened.Buffer(nil, 10<<20)
	request("POST", session+"/prompt_async", object{"parts": []any{object{"type": "text", "text": prompt}}})
	for happened.Scan() {
		var event struct {
			Type       string
			Properties struct{ ID string }
		}
		json.Unmarshal(bytes.TrimPrefix(happened.Bytes(), []byte("data: ")), &event)
		switch event.Type {
		case "question.asked":
			request("POST", "/question/"+event.Properties.ID+"/reply", object{"answers": [][]string{{answer}}})
		case "session.idle":
			// Only then the plugin tells the answer, and nothing says when it did.
			for end := time.Now().Add(time.Minute); !strings.Contains(s.command("forgemind message list"), s.model.line.answer); {
				if time.Now().After(end) {
					s.Fatal("opencode: the answer is not told")
				}
			}
			return
		}
	}
	s.Fatal("opencode: the server ended before its answer")
}
