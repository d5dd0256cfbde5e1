package transcript

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A copilotLine is an event of a session's log of the Copilot CLI, or of a chat of Copilot in an
// editor.
type copilotLine struct {
	Type      string          `json:"type"`
	ID        string          `json:"id"`
	Timestamp json.RawMessage `json:"timestamp"`
	AgentID   string          `json:"agentId"` // of a subagent
	Data      json.RawMessage `json:"data"`
}

// A copilotEvent holds the members of an event that are read.
type copilotEvent struct {
	Content json.RawMessage `json:"content"`
	Source  string          `json:"source"` // who added it to the user's turn; "" is the user
	Auto    bool            `json:"isAutopilotContinuation"`
	Parent  string          `json:"parentToolCallId"` // of a subagent, in versions before agentId
	Calls   []struct {
		ID   string          `json:"toolCallId"`
		Name string          `json:"name"`
		Args json.RawMessage `json:"arguments"`
	} `json:"toolRequests"`
	CallID string          `json:"toolCallId"`
	Tool   string          `json:"toolName"`
	Args   json.RawMessage `json:"arguments"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
	Done   bool            `json:"success"`
}

// A copilotState holds the members of an event that describe the session.
type copilotState struct {
	ID string `json:"sessionId"`
	copilotPlace
	Context copilotPlace `json:"context"`
	Title   string       `json:"title"`
	Done    bool         `json:"success"` // of a compaction
	Summary string       `json:"summaryContent"`
	Tokens  int          `json:"currentTokens"` // in the window
	Limit   int          `json:"tokenLimit"`
}

type copilotPlace struct {
	CWD    string `json:"cwd"`
	Branch string `json:"branch"`
}

func isCopilot(doc *jsonedit.Doc) bool {
	switch member(doc, "type") {
	case "session.start", "session.resume", "session.shutdown", "session.info", "session.model_change",
		"session.compaction_start", "session.compaction_complete", "system.message", "user.message",
		"assistant.message", "assistant.turn_start", "assistant.turn_end", "tool.execution_start", "tool.execution_complete":
		return has(doc, "data", jsonedit.Object)
	}
	return false
}

// copilot reads a session of Copilot. It has each tool call twice, in the agent's message and as an
// event.
func (im *intake) copilot() {
	calls := map[string]string{} // tools by the id of the call
	var at copilotPlace
	for _, r := range im.copilotLog() {
		var l copilotLine
		if !im.decode(r, &l) {
			continue
		}
		im.why = im.kind(l.Type)
		var err error
		switch l.Type {
		case "session.start", "session.resume", "session.context_changed", "session.title_changed", "session.usage_info",
			"session.compaction_start", "session.compaction_complete", "session.context_cleared", "session.truncation", "session.shutdown":
			err = im.copilotSession(r, &l, &at)
		case "user.message", "assistant.message", "tool.execution_start", "tool.execution_complete":
			err = im.copilotSaid(r, &l, calls, at)
		case "system.message", "system.notification":
			im.why = "notice to the model"
		case "assistant.reasoning":
			im.why = "thinking"
		}
		if err != nil {
			im.fail(r.offset, err)
			im.bad = true
		}
	}
}

// copilotSaid adds a message or a tool call.
func (im *intake) copilotSaid(r record, l *copilotLine, calls map[string]string, at copilotPlace) error {
	var d copilotEvent
	if err := jsonedit.Decode(l.Data, &d); err != nil {
		return err
	}
	if l.AgentID != "" || d.Parent != "" {
		im.why = "subagent"
		return nil
	}
	im.why = "nothing said"
	m := schema.Message{Timestamp: timeIn(l.Timestamp), Role: "assistant", Agent: "copilot"}
	if schema.ValidID(l.ID) {
		m.ID = "msg-" + l.ID
	}
	add := func(m schema.Message) {
		im.note(&m, at.CWD, at.Branch)
		im.add(r, m)
	}
	switch l.Type {
	case "user.message":
		if d.Auto || copilotOwn(d.Source) {
			im.why = "notice to the model"
			break
		}
		m.Role, m.Agent, m.Content = "user", "user", textOf(d.Content)
		add(m)
	case "assistant.message":
		m.Content = textOf(d.Content)
		add(m)
		for _, c := range d.Calls {
			im.copilotCall(m, c.ID, c.Name, c.Args, calls, add)
		}
	case "tool.execution_start":
		im.copilotCall(m, d.CallID, d.Tool, d.Args, calls, add)
	case "tool.execution_complete":
		tool, text := calls[d.CallID], copilotGave(&d)
		if asks(tool) && d.Done {
			add(answerOf(m, tool, text))
		} else {
			add(resultOf(m, tool, text))
		}
	}
	return nil
}

// copilotSession reads an event that describes the whole session.
func (im *intake) copilotSession(r record, l *copilotLine, at *copilotPlace) error {
	var s copilotState
	if err := jsonedit.Decode(l.Data, &s); err != nil {
		return err
	}
	if s.ID != "" {
		im.session = s.ID
	}
	if s.Title != "" {
		im.title = s.Title
	}
	for _, place := range []copilotPlace{s.Context, s.copilotPlace} {
		if place.CWD != "" {
			*at = place
		}
	}
	switch {
	case l.Type == "session.compaction_complete" && s.Done:
		im.why = "nothing said"
		m := schema.Message{Timestamp: timeIn(l.Timestamp), Role: "system", Kind: "summary", Agent: "copilot", Content: s.Summary}
		im.note(&m, at.CWD, at.Branch)
		im.add(r, m)
		im.compacted()
	case l.Type == "session.context_cleared" || l.Type == "session.truncation":
		im.compacted()
	default:
		im.state(Usage{Tokens: s.Tokens, Limit: s.Limit, Agent: "copilot", At: timeIn(l.Timestamp)})
	}
	return nil
}

// copilotCall adds a tool call, once. Its id derives from the call's, so that both of its events
// have the same.
func (im *intake) copilotCall(m schema.Message, id, tool string, args json.RawMessage, calls map[string]string, add func(schema.Message)) {
	if _, there := calls[id]; there && id != "" {
		im.why = "duplicate"
		return
	}
	calls[id] = tool
	if text := str(args); text != "" {
		args = json.RawMessage(text)
	}
	m.ID = ""
	if m = callOf(m, tool, args); id != "" {
		m.ID = schema.DerivedID("msg-", fmt.Appendf(nil, "%s\x00%s", im.session, id))
	}
	add(m)
}

// copilotOwn reports whether Copilot itself put a text into the user's turn, such as a skill, or an
// agent's prompt to another.
func copilotOwn(source string) bool {
	return strings.HasPrefix(source, "skill-") || strings.HasPrefix(source, "agent-") || source == "system"
}

// copilotGave returns the output of a tool, or its error.
func copilotGave(d *copilotEvent) string {
	var of struct {
		Content  json.RawMessage `json:"content"`
		Contents json.RawMessage `json:"contents"`
		Message  json.RawMessage `json:"message"`
	}
	for _, raw := range []json.RawMessage{d.Result, d.Error} {
		if len(raw) == 0 || raw[0] != '{' || jsonedit.Decode(raw, &of) != nil {
			if text := textOf(raw); text != "" {
				return text
			}
			continue
		}
		for _, said := range []json.RawMessage{of.Content, of.Contents, of.Message} {
			if text := textOf(said); text != "" {
				return text
			}
		}
	}
	return ""
}

// copilotLog returns the session without what was taken back.
func (im *intake) copilotLog() []record {
	if !bytes.Contains(im.src, []byte(`"upToEventId"`)) {
		return im.records
	}
	var log []record
	at := map[string]int{} // the index in log of an event's id
	for _, r := range im.records {
		var l struct {
			ID   string `json:"id"`
			Data struct {
				UpTo string `json:"upToEventId"` // that event and what follows it were taken back
			} `json:"data"`
		}
		if jsonedit.Decode(r.raw, &l) == nil {
			if i, there := at[l.Data.UpTo]; there && i < len(log) {
				for range log[i:] {
					im.leave("taken back")
				}
				log = log[:i]
			}
			if l.ID != "" {
				at[l.ID] = len(log)
			}
		}
		log = append(log, r)
	}
	return log
}
