package transcript

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/schema"
)

// A claudeLine is a line of a Claude Code transcript, as far as it is read.
type claudeLine struct {
	Type         string          `json:"type"`
	Subtype      string          `json:"subtype"`
	UUID         string          `json:"uuid"`
	Timestamp    json.RawMessage `json:"timestamp"`
	SessionID    string          `json:"sessionId"`
	StreamID     string          `json:"session_id"`         // so written by --output-format stream-json
	Parent       string          `json:"parent_tool_use_id"` // there, of a subagent
	CWD          string          `json:"cwd"`
	Branch       string          `json:"gitBranch"`
	Meta         bool            `json:"isMeta"`
	Operation    string          `json:"operation"` // on the queue of what was typed while the agent worked
	Reason       string          `json:"reason"`
	PromptSource string          `json:"promptSource"`
	Sidechain    bool            `json:"isSidechain"`
	Summary      bool            `json:"isCompactSummary"`
	Repeats      bool            `json:"repeatsCompactSummary"`
	Title        string          `json:"summary"` // of a summary line
	AITitle      string          `json:"aiTitle"`
	OwnTitle     string          `json:"customTitle"` // which the user gave
	Origin       json.RawMessage `json:"origin"`
	APIError     bool            `json:"isApiErrorMessage"`
	Content      json.RawMessage `json:"content"` // of a system line
	Result       json.RawMessage `json:"toolUseResult"`
	Message      *claudeMessage  `json:"message"`
	Attachment   *claudeQueued   `json:"attachment"`
}

type claudeMessage struct {
	Role    string          `json:"role"`
	Model   string          `json:"model"`
	Content json.RawMessage `json:"content"`
	Usage   json.RawMessage `json:"usage"`
}

// claudeQueued is what the user typed while the agent worked.
type claudeQueued struct {
	Type   string          `json:"type"`
	Prompt json.RawMessage `json:"prompt"`
	Origin json.RawMessage `json:"origin"`
}

func isClaude(doc *jsonedit.Doc) bool {
	if member(doc, "type") == "" || has(doc, "projectHash") || has(doc, "message", jsonedit.String) {
		return false
	}
	if has(doc, "session_id", jsonedit.String) && (has(doc, "message", jsonedit.Object) || has(doc, "subtype", jsonedit.String)) {
		return true // as it streams
	}
	for _, name := range []string{"uuid", "sessionId", "leafUuid", "messageId", "parentUuid"} {
		if has(doc, name, jsonedit.String) {
			return true
		}
	}
	return false
}

// claude reads a Claude Code transcript. A subagent's talk inside of another
// conversation is left out: what came of it is the result of the tool that
// started it. In a subagent's own transcript it is the conversation.
func (rd *reader) claude() {
	links := rd.claudeLinks()
	side := !rd.talk && isSide(links)
	rd.side = side
	talk := claudeTalk{calls: map[string]calling{}, queue: claudeQueue{given: map[string]int{}, told: map[string]int{}}}
	titled := false // by the user
	rd.claudeBack(links, side)
	for _, r := range rd.records {
		var l claudeLine
		if !rd.decode(r, &l) {
			continue
		}
		if strings.HasSuffix(l.Subtype, "compact_boundary") {
			rd.compacted()
		}
		switch l.settle(); {
		case l.Parent != "" || l.Sidechain && !side:
			rd.why = "subagent"
		case l.Meta || l.Repeats || l.Message != nil && l.Message.Model == clientModel:
			rd.why = "notice to the model"
		case l.own(talk.caveat):
			rd.why = "command to the client"
		case l.APIError:
			rd.why = "API error"
		default:
			switch {
			case l.Message != nil:
				rd.why = "nothing said"
			case slices.Contains(claudeKinds, l.Type):
				rd.why = ofKind(l.Type, l.Subtype)
			default:
				rd.why = rd.kind(l.Type, l.Subtype)
			}
			if title := l.title(); title != "" && (l.OwnTitle != "" || !titled) {
				rd.title, titled = title, l.OwnTitle != ""
			}
			rd.claudeLine(r, &l, &talk)
			if l.Summary {
				rd.compacted()
			} else if l.Message != nil && l.Message.Role == "assistant" {
				rd.state(Usage{Tokens: claudeUsage(l.Message.Usage), Agent: "claude", At: timeIn(l.Timestamp)})
			}
		}
		if l.Message != nil && !l.Sidechain && l.Parent == "" {
			talk.caveat = l.Meta && caveat.MatchString(l.words())
		}
	}
	if n := len(rd.records); n > 0 && !rd.talk { // else what follows shows who delivers it
		rd.fromQueue(rd.records[n-1], talk.queue.due())
	}
}

// claudeKinds are the types of records that are read.
var claudeKinds = []string{"user", "assistant", "attachment", "system", "summary", "ai-title", "custom-title"}

// A claudeTalk holds what later lines refer to: calls of tools, the queue, and that a
// command follows which the model is not sent.
type claudeTalk struct {
	calls  map[string]calling // by the id of the call
	queue  claudeQueue
	caveat bool
}

// clientModel stands in place of a model's name where the client itself answers.
const clientModel = "<synthetic>"

// settle takes the message out of a record that is not the user's or the agent's turn:
// others repeat what was sent to the model. A summary need not be marked as one.
func (l *claudeLine) settle() {
	if l.Message == nil {
		return
	}
	if l.Type != "user" && l.Type != "assistant" || l.Message.Role != "" && l.Message.Role != l.Type {
		l.Message = nil
		return
	}
	l.Message.Role = l.Type
	if l.Type == "user" && strings.HasPrefix(textOf(l.Message.Content), continued) {
		l.Summary = true
	}
}

// title is what the line says that the conversation is called.
func (l *claudeLine) title() string {
	if l.Type == "summary" {
		return l.Title
	}
	return cmp.Or(l.OwnTitle, l.AITitle)
}

func (rd *reader) claudeLine(r record, l *claudeLine, talk *claudeTalk) {
	calls := talk.calls
	sub := 0
	add := func(m schema.Message) {
		m.ID = "msg-" + l.UUID
		if sub > 0 {
			m.ID += fmt.Sprintf(".%d", sub)
		}
		if l.UUID == "" {
			m.ID = ""
		}
		sub++
		if m.Agent == "" {
			m.Agent = "claude"
		}
		rd.note(&m, l.CWD, l.Branch)
		rd.add(r, m)
	}
	said := schema.Message{Timestamp: timeIn(l.Timestamp), Session: cmp.Or(l.SessionID, l.StreamID)}
	words := l.words()
	delivers := l.PromptSource != "queued" || talk.queue.delivers(words, false)
	if l.Message != nil {
		rd.fromQueue(r, talk.queue.due())
	}
	switch {
	case l.Type == "queue-operation":
		talk.queue.row(l, said, rd.taken)
	case l.Type == "attachment" && l.Attachment != nil && l.Attachment.Type == "queued_command":
		if text := textOf(l.Attachment.Prompt); talk.queue.delivers(text, true) {
			typed(said, l.Attachment.Origin, text, add)
		} else {
			rd.why = "duplicate"
		}
	case l.Message == nil:
	case l.Summary:
		said.Role, said.Kind, said.Content = "system", "summary", claudeSummary(textOf(l.Message.Content))
		add(said)
	case l.Message.Role == "assistant":
		for _, b := range blocks(l.Message.Content) {
			if strings.HasSuffix(b.Type, "tool_use") {
				calls[b.ID] = calling{b.Name, b.Input}
				add(callOf(said, b.Name, b.Input))
			} else if strings.HasSuffix(b.Type, "tool_result") {
				add(resultOf(said, calls[b.ToolUseID].gave(b.IsError), textOf(b.Content)))
			} else if b.inner() {
				rd.why = "thinking"
			} else if text := b.text(); strings.TrimSpace(text) != "" {
				m := said
				m.Role, m.Content = "assistant", text
				add(m)
			}
		}
	case l.Message.Role == "user":
		for _, b := range blocks(l.Message.Content) {
			if strings.HasSuffix(b.Type, "tool_result") {
				add(claudeResult(said, b, calls[b.ToolUseID], l.Result))
				rd.fromQueue(r, talk.queue.ends(textOf(b.Content)))
			}
		}
		if delivers {
			typed(said, l.Origin, words, add)
		} else {
			rd.why = "duplicate"
		}
	}
}

// Claude Code obeys some commands itself, such as /compact. It says so to the model in a
// line before the command, and writes down what the command printed.
var (
	caveat  = lazyregexp.New(`^\s*(?:<local-command-caveat>|Caveat: The messages below were generated by the user while running local commands)`)
	printed = lazyregexp.New(`(?s)<local-command-stdout>.*?</local-command-stdout>|<local-command-stderr>.*?</local-command-stderr>`)
)

// own reports whether the record holds a command that the client obeyed, which a caveat
// announces, or what it printed.
func (l *claudeLine) own(announced bool) bool {
	if l.Type == "system" {
		return l.Subtype == "local_command"
	}
	if l.Message == nil || slices.ContainsFunc(blocks(l.Message.Content), func(b block) bool { return strings.HasSuffix(b.Type, "tool_result") }) {
		return false
	}
	words := strings.TrimSpace(l.words())
	return announced && strings.HasPrefix(words, "<command-name>") || words != "" && strings.TrimSpace(printed.ReplaceAllString(words, "")) == ""
}

// words returns what a record of the user's says, besides results of tools.
func (l *claudeLine) words() string {
	if l.Message == nil || l.Message.Role != "user" {
		return ""
	}
	var text []string
	for _, b := range blocks(l.Message.Content) {
		if t := b.text(); t != "" && !strings.HasSuffix(b.Type, "tool_result") {
			text = append(text, t)
		}
	}
	return strings.Join(text, "\n")
}

// fromQueue takes in what was typed while the agent worked, where record r shows that it
// was delivered.
func (rd *reader) fromQueue(r record, texts []queued) {
	now := rd.taken
	for _, t := range texts {
		typed(t.said, nil, t.text, func(m schema.Message) {
			rd.taken = now || t.back
			rd.note(&m, rd.here.cwd, rd.here.branch)
			rd.add(r, m)
		})
	}
	rd.taken = now
}

// Marks that Claude Code puts around commands, and around what the shell printed.
var (
	command  = lazyregexp.New(`(?s)<command-name>(.*?)</command-name>`)
	argument = lazyregexp.New(`(?s)<command-args>(.*?)</command-args>`)
	shell    = lazyregexp.New(`(?s)^<bash-input>(.*)</bash-input>$`)
	output   = lazyregexp.New(`(?s)<(?:bash-stdout|bash-stderr)>(.*?)</(?:bash-stdout|bash-stderr)>`)
)

// typed adds what stands in the user's turn: words, a slash command that the model is sent, a
// shell command, or what that printed. What others put there, such as a task that is
// done in the background, is no word of the user's.
func typed(m schema.Message, origin json.RawMessage, text string, add func(schema.Message)) {
	m.Role, m.Agent, m.Content = "user", "user", text
	w := wrapping{typed: strings.TrimSpace(text)}
	w.elements("claude-code")
	if text = w.typed; text == "" || byClient(text) {
		return
	}
	if who := putBy(origin, text); who != "" {
		add(resultOf(m, who, text))
		return
	}
	if name := command.FindStringSubmatch(text); name != nil && strings.HasPrefix(text, "<command-") {
		m.Content = strings.TrimSpace(name[1])
		if args := argument.FindStringSubmatch(text); args != nil {
			m.Content = strings.TrimSpace(m.Content + " " + strings.TrimSpace(args[1]))
		}
	} else if line := shell.FindStringSubmatch(text); line != nil {
		m.Content = "! " + line[1]
	} else if parts := output.FindAllStringSubmatch(text, -1); parts != nil && strings.HasPrefix(text, parts[0][0]) {
		var lines []string
		for _, p := range parts {
			if p[1] != "" {
				lines = append(lines, p[1])
			}
		}
		m = resultOf(m, "shell", strings.Join(lines, "\n"))
	}
	add(m)
}

// putBy says who put text into the user's turn; "" for the user.
func putBy(origin json.RawMessage, text string) string {
	var from struct {
		Kind string `json:"kind"`
	}
	if len(origin) > 0 && jsonedit.Decode(origin, &from) == nil && from.Kind != "" {
		return strings.TrimPrefix(from.Kind, "human")
	}
	if mark := foreign.FindStringSubmatch(text); mark != nil {
		return mark[1]
	}
	return ""
}
