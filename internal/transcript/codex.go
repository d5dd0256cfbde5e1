package transcript

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/schema"
)

// A codexLine is a line of a rollout: a payload in an envelope. In old ones the
// first line is the session's, and the others are bare items.
type codexLine struct {
	Timestamp json.RawMessage `json:"timestamp"`
	Type      string          `json:"type"`
	Payload   codexItem       `json:"payload"`
	Thread    string          `json:"thread_id"` // what exec --json prints
	Item      codexRanItem    `json:"item"`
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

// A codexItem is what the model was given or gave, or an event for people.
type codexItem struct {
	Type      string          `json:"type"`
	ID        string          `json:"id"`
	Role      string          `json:"role"`
	Content   json.RawMessage `json:"content"`
	Name      string          `json:"name"`
	Namespace string          `json:"namespace"` // of the tool: an MCP server
	CallID    string          `json:"call_id"`
	Arguments json.RawMessage `json:"arguments"` // JSON in text, mostly
	Input     json.RawMessage `json:"input"`
	Action    json.RawMessage `json:"action"`
	Output    json.RawMessage `json:"output"`
	Message   json.RawMessage `json:"message"`
	Info      json.RawMessage `json:"info"` // of a token_count
	CWD       string          `json:"cwd"`
	Git       codexGit        `json:"git"`
	Turns     int             `json:"num_turns"` // that were taken back
	Thread    string          `json:"thread_source"`
	Forked    json.RawMessage `json:"forked_from_id"` // the id of the parent session
	Turn      json.RawMessage `json:"turn_id"`
	Source    json.RawMessage `json:"source"`
}

func isCodex(doc *jsonedit.Doc) bool {
	switch member(doc, "type") {
	case "session_meta", "response_item", "event_msg", "turn_context", "compacted":
		return has(doc, "payload", jsonedit.Object)
	case "thread.started":
		return has(doc, "thread_id")
	case "item.started", "item.updated", "item.completed":
		return has(doc, "item", jsonedit.Object)
	case "turn.started", "turn.completed", "turn.failed":
		return true
	case "":
		return member(doc, "record_type") == "state" || has(doc, "id", jsonedit.String) && has(doc, "timestamp", jsonedit.String) && has(doc, "instructions")
	}
	return isCodexItem(doc)
}

// isCodexItem says whether a record is a bare item, as OpenAI's API takes them.
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

// open takes a bare item for what it stands for.
func (l *codexLine) open(r record) {
	switch {
	case l.Thread != "" || l.Item.Type != "" || l.Type == "error" || strings.HasPrefix(l.Type, "turn."): // as exec --json prints it
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

// codex reads a Codex rollout. What people said stands in it twice, as an item
// and as an event; the one that comes second is left out.
func (rd *reader) codex() {
	pairs := codexPairs{}
	cwd, branch := "", ""
	calls := map[string]string{}
	var fork codexFork
	rd.codexBack()
	summaries := rd.codexSummaries()
	for i, r := range rd.records {
		var l codexLine
		if !rd.decode(r, &l) {
			continue
		}
		l.open(r)
		p := &l.Payload
		if rd.why = rd.kind(l.Type, p.Type); l.Type == "response_item" {
			rd.why = rd.kind(l.Type + " " + p.Type)
		}
		if l.Type == "thread.started" {
			rd.session = l.Thread
		} else if l.Type == "item.completed" {
			rd.why = rd.kind(l.Type + " " + l.Item.Type)
			rd.codexRan(r, &l.Item)
			continue
		}
		if l.Type == "session_meta" && rd.session == "" { // those that follow are of the session that it was forked from
			rd.session, branch, rd.time = p.ID, p.Git.Branch, timeIn(l.Timestamp)
			rd.side = p.Thread == "subagent" || bytes.Contains(p.Source, []byte(`"subagent"`))
			if rd.from == 0 {
				fork.begin(&l)
			} else {
				fork.beginPart(&l, rd.records[i+1:])
			}
		} else if copies := fork.copies; fork.next(&l) != copies {
			clear(pairs) // no copy is the other half of what the session itself says
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
				rd.why = "thinking"
			case p.Type == "message" && m.Content == "":
				rd.why = "notice to the model"
			case summaries[i]:
				rd.why, m.Content = "told as a summary", ""
			case p.Type == "message" && pairs.second(m, 1):
				rd.why, m.Content = "duplicate", ""
			}
		case "event_msg":
			if m = codexEvent(m, p); m.Content != "" && pairs.second(m, -1) {
				rd.why, m.Content = "duplicate", ""
			}
		case "compacted":
			m.Role, m.Kind, m.Content = "system", "summary", codexSummary(str(p.Message))
		}
		if fork.copies && m.Content != "" {
			rd.why, m.Content = copiedElsewhere, ""
		}
		if m.Content != "" {
			rd.note(&m, cwd, branch)
			rd.add(r, m)
		}
		switch {
		case l.Type == "compacted":
			rd.compacted()
		case l.Type == "event_msg" && p.Type == "token_count":
			tokens, limit := codexUsage(p.Info)
			rd.state(Usage{tokens, limit, "codex", timeIn(l.Timestamp)})
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
		if m.Role == "assistant" {
			m.Content = text
		} else if m.Role == "user" && !codexOwn(text) {
			m.Content = codexRan(text)
		}
	case "function_call", "custom_tool_call", "local_shell_call":
		name, input := p.Name, p.Arguments
		if p.Type == "local_shell_call" {
			name, input = "shell", p.Action
		}
		if p.Type == "custom_tool_call" {
			input = p.Input
		}
		if text := str(input); text != "" {
			input = json.RawMessage(text)
		}
		tool := calling{name, input}.asked()
		if ownName.MatchString(p.Namespace + "__" + name) {
			tool = forgemindTool
		}
		calls[p.CallID] = tool
		m = callOf(m, name, nil)
		m.ToolName = tool
		if text := compactJSON(input); text != "" {
			m.Content += " " + text
		}
	case "function_call_output", "custom_tool_call_output":
		tool, text := calls[p.CallID], codexOutput(p.Output)
		if !Asks(tool) {
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

// codexPairs are how many items, more than events, said a text; less than 0 that many
// events more.
type codexPairs map[string]int

// second says whether what an item (1) or an event (-1) says was said by the other. Only
// one of them need hold what the client added, and pictures.
func (c codexPairs) second(m schema.Message, one int) bool {
	said := m.Content
	if m.Role == "user" {
		said, _ = Typed("codex", said)
		said = withoutPictures(said)
	}
	key := m.Role + said
	c[key] += one
	return c[key]*one <= 0
}

// codexEvent is the message of an event, without content where it has none.
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

// codexOwn says whether Codex itself put a text into the user's turn.
func codexOwn(text string) bool {
	for _, mark := range []string{
		"<environment_context>", "<user_instructions>", "<permissions instructions>", "<turn_aborted>", "<subagent_notification>", "<hook_prompt", "<skill>", "<INSTRUCTIONS>", "# AGENTS.md instructions",
		"<recommended_plugins>", "<app-context>", "<goal_context>", "<codex_internal_context", "<internal_model_context>", "<additional_context>",
		"Another language model started to solve this problem", "You are performing a CONTEXT CHECKPOINT COMPACTION",
	} {
		if strings.HasPrefix(strings.TrimSpace(text), mark) {
			return true
		}
	}
	return false
}

// codexShell is how Codex tells the model of a command that the user ran.
var codexShell = lazyregexp.New(`(?s)^<user_shell_command>\s*<command>\n?(.*?)\n?</command>.*</user_shell_command>$`)

// codexRan is a text of the user's turn; of a command that the user ran, that command.
func codexRan(text string) string {
	if ran := codexShell.FindStringSubmatch(strings.TrimSpace(text)); ran != nil {
		return "! " + ran[1]
	}
	return text
}

// codexOutput is what a tool gave: text, blocks, or text in an object in text.
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

// codexBack notes the items and events of the turns that the user took back. A turn
// begins with what the user says, as an item or as an event.
func (rd *reader) codexBack() {
	if !bytes.Contains(rd.src, []byte(`"thread_rolled_back"`)) {
		return
	}
	pairs := codexPairs{}
	var turns []int // the records that they begin with
	for i, r := range rd.records {
		var l codexLine
		if jsonedit.Decode(r.raw, &l) != nil {
			continue
		}
		p := &l.Payload
		if p.Type == "thread_rolled_back" && p.Turns > 0 {
			rd.short = rd.short || rd.from > 0 && len(turns) < p.Turns
			if first := max(0, len(turns)-p.Turns); first < len(turns) {
				rd.takeBack(rd.records[turns[first]:i])
				turns = turns[:first]
			}
			continue
		}
		m, one := codexMessage(schema.Message{}, p, map[string]string{}), 1
		if l.Type == "event_msg" {
			m, one = codexEvent(schema.Message{}, p), -1
		}
		if m.Role == "user" && m.Content != "" && m.ToolName == "" && !pairs.second(m, one) {
			turns = append(turns, i)
		}
	}
}
