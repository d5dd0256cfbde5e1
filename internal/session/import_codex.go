package session

import (
	"encoding/json"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A codexLine is a line of a rollout: a payload in an envelope.
type codexLine struct {
	Timestamp json.RawMessage `json:"timestamp"`
	Type      string          `json:"type"`
	Payload   codexItem       `json:"payload"`
}

// A codexItem is what the model was given or gave, or an event for people.
type codexItem struct {
	Type      string          `json:"type"`
	ID        string          `json:"id"`
	Role      string          `json:"role"`
	Content   json.RawMessage `json:"content"`
	Name      string          `json:"name"`
	CallID    string          `json:"call_id"`
	Arguments string          `json:"arguments"`
	Input     string          `json:"input"`
	Action    json.RawMessage `json:"action"`
	Output    json.RawMessage `json:"output"`
	Message   json.RawMessage `json:"message"`
	Info      json.RawMessage `json:"info"` // of a token_count
	CWD       string          `json:"cwd"`
	Git       struct {
		Branch string `json:"branch"`
	} `json:"git"`
}

func isCodex(doc *jsonedit.Doc) bool {
	switch member(doc, "type") {
	case "session_meta", "response_item", "event_msg", "turn_context", "compacted":
		return has(doc, "payload", jsonedit.Object)
	}
	return false
}

// codex reads a Codex rollout. What people said stands in it twice, as an item
// and as an event; an event that says what an item says is left out.
func (im *intake) codex() {
	type item struct {
		record
		codexLine
	}
	var items []item
	said := map[string]bool{}
	for _, r := range im.records {
		it := item{record: r}
		if !im.decode(r, &it.codexLine) {
			continue
		}
		if it.Type == "response_item" && it.Payload.Type == "message" {
			said[it.Payload.Role+textOf(it.Payload.Content)] = true
		}
		items = append(items, it)
	}
	cwd, branch := "", ""
	calls := map[string]string{}
	for _, it := range items {
		p := &it.Payload
		if it.Type == "session_meta" {
			im.session, branch = p.ID, p.Git.Branch
		}
		if (it.Type == "session_meta" || it.Type == "turn_context") && p.CWD != "" {
			cwd = p.CWD
		}
		m := schema.Message{Timestamp: timeIn(it.Timestamp), Agent: "codex"}
		switch it.Type {
		case "response_item":
			m = codexMessage(m, p, calls)
		case "event_msg":
			m = codexEvent(m, p, said)
		case "compacted":
			m.Role, m.Kind, m.Content = "system", "summary", str(p.Message)
		}
		if m.Content != "" {
			im.note(&m, cwd, branch)
			im.add(it.record, m)
		}
		switch {
		case it.Type == "compacted":
			im.compacted()
		case it.Type == "event_msg" && p.Type == "token_count":
			tokens, limit := codexUsage(p.Info)
			im.state(Usage{tokens, limit, "codex", timeIn(it.Timestamp)})
		}
	}
}

// codexMessage is the message of an item, without content where it has none.
func codexMessage(m schema.Message, p *codexItem, calls map[string]string) schema.Message {
	switch p.Type {
	case "message":
		text := textOf(p.Content)
		m.Role = roleIn(p.Role)
		if m.Role == "user" {
			m.Agent = "user"
		}
		if m.Role == "assistant" || m.Role == "user" && !codexOwn(text) {
			m.Content = text
		}
	case "function_call", "custom_tool_call", "local_shell_call":
		name, input := p.Name, json.RawMessage(p.Arguments)
		if p.Type == "local_shell_call" {
			name, input = "shell", p.Action
		}
		if p.Type == "custom_tool_call" {
			input = json.RawMessage(p.Input)
		}
		calls[p.CallID] = name
		m = callOf(m, name, nil)
		if text := compactJSON(input); text != "" {
			m.Content += " " + text
		}
	case "function_call_output", "custom_tool_call_output":
		tool, text := calls[p.CallID], codexOutput(p.Output)
		if !asks(tool) {
			return resultOf(m, tool, text)
		}
		var given struct {
			Answers map[string]json.RawMessage `json:"answers"`
		}
		if jsonedit.Decode([]byte(text), &given) == nil && len(given.Answers) == 1 {
			for _, answer := range given.Answers {
				text = answerText(answer)
			}
		}
		return answerOf(m, tool, text)
	}
	return m
}

// codexEvent is the message of an event that no item says.
func codexEvent(m schema.Message, p *codexItem, said map[string]bool) schema.Message {
	switch p.Type {
	case "user_message":
		m.Role, m.Agent = "user", "user"
	case "agent_message":
		m.Role = "assistant"
	default:
		return m
	}
	if text := str(p.Message); !said[m.Role+text] {
		m.Content = text
	}
	return m
}

// codexOwn says whether Codex itself put a text into the user's turn.
func codexOwn(text string) bool {
	for _, mark := range []string{
		"<environment_context>", "<user_instructions>", "<permissions instructions>", "<turn_aborted>", "<skill>", "<INSTRUCTIONS>", "# AGENTS.md instructions",
	} {
		if strings.HasPrefix(strings.TrimSpace(text), mark) {
			return true
		}
	}
	return false
}

// codexOutput is what a tool gave: text, blocks, or text in an object in text.
func codexOutput(raw json.RawMessage) string {
	text := textOf(raw)
	var in struct {
		Output  json.RawMessage `json:"output"`
		Content json.RawMessage `json:"content"`
	}
	for _, object := range []string{text, string(raw)} {
		if strings.HasPrefix(object, "{") && jsonedit.Decode([]byte(object), &in) == nil {
			if out := textOf(in.Output); out != "" {
				return out
			}
			if out := textOf(in.Content); out != "" {
				return out
			}
		}
	}
	return text
}
