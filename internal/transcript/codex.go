package transcript

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A codexLine is a line of a rollout: a payload in an envelope. In old rollouts the first line
// describes the session, and the others are bare items.
type codexLine struct {
	Timestamp json.RawMessage `json:"timestamp"`
	Type      string          `json:"type"`
	Payload   codexItem       `json:"payload"`
	codexBare
}

type codexBare struct {
	ID    json.RawMessage `json:"id"`
	Role  string          `json:"role"`
	State string          `json:"record_type"`
	Git   codexGit        `json:"git"`
}

type codexGit struct {
	Branch string `json:"branch"`
}

// A codexItem is an input or output of the model, or an event for people.
type codexItem struct {
	Type      string          `json:"type"`
	ID        string          `json:"id"`
	Role      string          `json:"role"`
	Content   json.RawMessage `json:"content"`
	Name      string          `json:"name"`
	Server    string          `json:"namespace"` // of an MCP tool, in newer versions
	CallID    string          `json:"call_id"`
	Arguments json.RawMessage `json:"arguments"` // JSON in text, mostly
	Input     json.RawMessage `json:"input"`
	Action    json.RawMessage `json:"action"`
	Output    json.RawMessage `json:"output"`
	Message   json.RawMessage `json:"message"`
	Info      json.RawMessage `json:"info"` // of a token_count event
	CWD       string          `json:"cwd"`
	Git       codexGit        `json:"git"`
	Turns     int             `json:"num_turns"` // the number of turns that were taken back
}

func isCodex(doc *jsonedit.Doc) bool {
	switch member(doc, "type") {
	case "session_meta", "response_item", "event_msg", "turn_context", "compacted":
		return has(doc, "payload", jsonedit.Object)
	case "":
		return member(doc, "record_type") == "state" || has(doc, "id", jsonedit.String) && has(doc, "timestamp", jsonedit.String) && has(doc, "instructions")
	}
	return isCodexItem(doc)
}

// isCodexItem reports whether a record is a bare item, as in OpenAI's API.
func isCodexItem(doc *jsonedit.Doc) bool {
	switch member(doc, "type") {
	case "function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output", "local_shell_call":
		return has(doc, "call_id", jsonedit.String)
	case "reasoning":
		return has(doc, "summary", jsonedit.Array)
	case "message":
		kind, _ := doc.Str(doc.Find("/content/0/type"))
		return kind == "input_text" || kind == "output_text"
	}
	return false
}

// open decodes a bare item as the payload that it is.
func (l *codexLine) open(r record) {
	switch {
	case l.State != "":
		l.Type = l.State
	case l.Payload.Type != "" || l.Type == "session_meta" || l.Type == "turn_context" || l.Type == "compacted" || enveloped(r):
	case l.Type == "" && l.Role == "":
		l.Type, l.Payload.ID, l.Payload.Git = "session_meta", str(l.ID), l.Git
	case jsonedit.Decode(r.raw, &l.Payload) == nil:
		l.Payload.Type = cmp.Or(l.Type, "message")
		l.Type = "response_item"
	}
}

// enveloped reports whether a record is an envelope, whatever its payload is.
func enveloped(r record) bool {
	doc, err := jsonedit.Parse(r.raw)
	return err == nil && has(doc, "payload", jsonedit.Object)
}

// codex reads a Codex rollout. It has the text of people twice, as an item and as an event; the
// second one is left out.
func (im *intake) codex() {
	pairs := codexPairs{}
	cwd, branch := "", ""
	calls := map[string]string{}
	log := im.codexLog()
	summaries := codexSummaries(log)
	for i, r := range log {
		var l codexLine
		if !im.decode(r, &l) {
			continue
		}
		l.open(r)
		p := &l.Payload
		if im.why = im.kind(l.Type, p.Type); l.Type == "response_item" {
			im.why = im.kind(l.Type + " " + p.Type)
		}
		if l.Type == "session_meta" && im.session == "" { // later ones are of the session that this one was forked from
			im.session, branch, im.time = p.ID, p.Git.Branch, timeIn(l.Timestamp)
		}
		if (l.Type == "session_meta" || l.Type == "turn_context") && p.CWD != "" {
			cwd = p.CWD
		}
		m := schema.Message{Timestamp: timeIn(l.Timestamp), Agent: "codex"}
		switch l.Type {
		case "response_item":
			m = codexMessage(m, p, calls)
			switch {
			case p.Type == "reasoning":
				im.why = "thinking"
			case p.Type == "message" && m.Content == "":
				im.why = "notice to the model"
			case summaries[i]:
				im.why, m.Content = "told as a summary", ""
			case p.Type == "message" && pairs.second(m, 1):
				im.why, m.Content = "duplicate", ""
			}
		case "event_msg":
			if m = codexEvent(m, p); m.Content != "" && pairs.second(m, -1) {
				im.why, m.Content = "duplicate", ""
			}
		case "compacted":
			m.Role, m.Kind, m.Content = "system", "summary", codexSummary(str(p.Message))
		}
		if m.Content != "" {
			im.note(&m, cwd, branch)
			im.add(r, m)
		}
		switch {
		case l.Type == "compacted":
			im.compacted()
		case l.Type == "event_msg" && p.Type == "token_count":
			tokens, limit := codexUsage(p.Info)
			im.state(Usage{tokens, limit, "codex", timeIn(l.Timestamp)})
		}
	}
}

// codexMessage returns the message of an item. It has no content if the item has none.
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
		name, input := p.Name, p.Arguments
		if p.Type == "local_shell_call" {
			name, input = "shell", p.Action
		}
		if own := strings.TrimSuffix(p.Server, "__") + "__" + name; ownTool.MatchString(own) {
			name = own
		}
		if p.Type == "custom_tool_call" {
			input = p.Input
		}
		if text := str(input); text != "" {
			input = json.RawMessage(text)
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

// codexPairs counts for each text how many more items than events have it; a negative number
// counts events.
type codexPairs map[string]int

// second reports whether the message of an item (one is 1) or of an event (-1) was read from the
// other already.
func (c codexPairs) second(m schema.Message, one int) bool {
	key := m.Role + m.Content
	c[key] += one
	return c[key]*one <= 0
}

// codexEvent returns the message of an event. It has no content if the event has none.
func codexEvent(m schema.Message, p *codexItem) schema.Message {
	switch p.Type {
	case "user_message":
		m.Role, m.Agent = "user", "user"
	case "agent_message":
		m.Role = "assistant"
	default:
		return m
	}
	m.Content = str(p.Message)
	return m
}

// codexOwn reports whether Codex itself put a text into the user's turn.
func codexOwn(text string) bool {
	for _, mark := range []string{
		"<environment_context>", "<user_instructions>", "<permissions instructions>", "<turn_aborted>", "<subagent_notification>", "<hook_prompt", "<skill>", "<INSTRUCTIONS>", "# AGENTS.md instructions",
		"Another language model started to solve this problem", "You are performing a CONTEXT CHECKPOINT COMPACTION",
	} {
		if strings.HasPrefix(strings.TrimSpace(text), mark) {
			return true
		}
	}
	return false
}

// codexOutput returns the output of a tool: text, blocks, or text in an object in text.
func codexOutput(raw json.RawMessage) string {
	text := textOf(raw)
	var in struct {
		Output  json.RawMessage `json:"output"`
		Content json.RawMessage `json:"content"`
	}
	for _, object := range []string{text, string(raw)} {
		if !strings.HasPrefix(object, "{") {
			continue
		}
		if fixed := mend([]byte(object)); fixed != nil {
			object = string(fixed)
		}
		if jsonedit.Decode([]byte(object), &in) == nil {
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

// codexLog returns the rollout without the turns that the user took back.
func (im *intake) codexLog() []record {
	if !bytes.Contains(im.src, []byte(`"thread_rolled_back"`)) {
		return im.records
	}
	var log []record
	var turns []int // indexes in log at which they begin
	for _, r := range im.records {
		var l codexLine
		if jsonedit.Decode(r.raw, &l) == nil {
			switch p := &l.Payload; {
			case l.Type == "response_item" && p.Type == "message" && p.Role == "user" && !codexOwn(textOf(p.Content)):
				turns = append(turns, len(log))
			case p.Type == "thread_rolled_back" && p.Turns > 0 && len(turns) > 0:
				turns = turns[:max(1, len(turns)-p.Turns+1)]
				for range log[turns[len(turns)-1]:] {
					im.leave("taken back")
				}
				log = log[:turns[len(turns)-1]]
				turns = turns[:len(turns)-1]
			}
		}
		log = append(log, r)
	}
	return log
}
