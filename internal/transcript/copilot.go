package transcript

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A copilotLine is an event of the log that the Copilot CLI keeps of a session,
// and Copilot in an editor of a chat.
type copilotLine struct {
	Type      string          `json:"type"`
	ID        string          `json:"id"`
	Timestamp json.RawMessage `json:"timestamp"`
	AgentID   string          `json:"agentId"` // of a subagent
	Data      json.RawMessage `json:"data"`
}

// A copilotEvent is what an event says that is read at all.
type copilotEvent struct {
	Content  json.RawMessage `json:"content"`
	Source   string          `json:"source"` // who put it into the user's turn; "" is the user
	Auto     bool            `json:"isAutopilotContinuation"`
	Attached []struct {
		Path string `json:"path"`
	} `json:"attachments"`
	Parent string `json:"parentToolCallId"` // of a subagent, as it was written before agentId
	Calls  []struct {
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

// A copilotState is what an event says of the session.
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

// copilot reads a session of Copilot. A call of a tool stands in it twice, in
// what the agent says and where it begins.
func (rd *reader) copilot() {
	calls := map[string]calling{} // by the id of the call
	var at copilotPlace
	rd.copilotBack()
	for _, r := range rd.records {
		var l copilotLine
		if !rd.decode(r, &l) {
			continue
		}
		rd.why = rd.kind(l.Type)
		var err error
		switch l.Type {
		case "session.start", "session.resume", "session.context_changed", "session.title_changed", "session.usage_info",
			"session.compaction_start", "session.compaction_complete", "session.context_cleared", "session.truncation", "session.shutdown":
			err = rd.copilotSession(r, &l, &at)
		case "user.message", "assistant.message", "tool.execution_start", "tool.execution_complete":
			err = rd.copilotSaid(r, &l, calls, at)
		case "system.message", "system.notification":
			rd.why = "notice to the model"
		case "assistant.reasoning":
			rd.why = "thinking"
		}
		if err != nil {
			rd.fail(r.offset, err)
			rd.bad = true
		}
	}
}

// copilotSaid takes in what somebody says or does.
func (rd *reader) copilotSaid(r record, l *copilotLine, calls map[string]calling, at copilotPlace) error {
	var d copilotEvent
	if err := jsonedit.Decode(l.Data, &d); err != nil {
		return err
	}
	if l.AgentID != "" || d.Parent != "" {
		rd.why = "subagent"
		return nil
	}
	rd.why = "nothing said"
	m := schema.Message{Timestamp: timeIn(l.Timestamp), Role: "assistant", Agent: "copilot"}
	if schema.ValidID(l.ID) {
		m.ID = "msg-" + l.ID
	}
	var files []string // that the user attached
	add := func(m schema.Message) {
		rd.note(&m, at.CWD, at.Branch)
		noteFiles(&m, files)
		rd.add(r, m)
	}
	switch l.Type {
	case "user.message":
		if d.Auto || copilotOwn(d.Source) {
			rd.why = "notice to the model"
			break
		}
		m.Role, m.Agent, m.Content = "user", "user", textOf(d.Content)
		for _, a := range d.Attached {
			files = withFile(files, a.Path)
		}
		add(m)
	case "assistant.message":
		m.Content = textOf(d.Content)
		add(m)
		for _, c := range d.Calls {
			rd.copilotCall(m, c.ID, c.Name, c.Args, calls, add)
		}
	case "tool.execution_start":
		rd.copilotCall(m, d.CallID, d.Tool, d.Args, calls, add)
	case "tool.execution_complete":
		call, text := calls[d.CallID], copilotGave(&d)
		if Asks(call.tool) && d.Done {
			add(answerOf(m, call.tool, text))
		} else {
			add(resultOf(m, call.gave(!d.Done), text))
		}
	}
	return nil
}

// copilotSession notes what an event says of all of the session.
func (rd *reader) copilotSession(r record, l *copilotLine, at *copilotPlace) error {
	var s copilotState
	if err := jsonedit.Decode(l.Data, &s); err != nil {
		return err
	}
	if s.ID != "" {
		rd.session = s.ID
	}
	if s.Title != "" {
		rd.title = s.Title
	}
	for _, place := range []copilotPlace{s.Context, s.copilotPlace} {
		if place.CWD != "" {
			*at = place
		}
	}
	switch {
	case l.Type == "session.compaction_complete" && s.Done:
		rd.why = "nothing said"
		m := schema.Message{Timestamp: timeIn(l.Timestamp), Role: "system", Kind: "summary", Agent: "copilot", Content: s.Summary}
		rd.note(&m, at.CWD, at.Branch)
		rd.add(r, m)
		rd.compacted()
	case l.Type == "session.context_cleared" || l.Type == "session.truncation":
		rd.compacted()
	default:
		rd.state(Usage{Tokens: s.Tokens, Limit: s.Limit, Agent: "copilot", At: timeIn(l.Timestamp)})
	}
	return nil
}

// copilotCall takes in a tool that is called, once. Its id derives from the
// call's, so that it is known again from the other event of it.
func (rd *reader) copilotCall(m schema.Message, id, tool string, args json.RawMessage, calls map[string]calling, add func(schema.Message)) {
	if _, there := calls[id]; there && id != "" {
		rd.why = "duplicate"
		return
	}
	if text := str(args); text != "" {
		args = json.RawMessage(text)
	}
	calls[id] = calling{tool, args}
	m.ID = ""
	if m = callOf(m, tool, args); id != "" {
		m.ID = schema.DerivedID("msg-", fmt.Appendf(nil, "%s\x00%s", rd.session, id))
	}
	add(m)
}

// copilotOwn says whether Copilot itself put a text into the user's turn: a
// skill, an agent's prompt to another.
func copilotOwn(source string) bool {
	return strings.HasPrefix(source, "skill-") || strings.HasPrefix(source, "agent-") || source == "system"
}

// copilotGave is what a tool gave, or why it did not.
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

// copilotBack notes the events that the user took back.
func (rd *reader) copilotBack() {
	if !bytes.Contains(rd.src, []byte(`"upToEventId"`)) {
		return
	}
	at := map[string]int{} // of an event's id
	for i, r := range rd.records {
		var l struct {
			ID   string `json:"id"`
			Data struct {
				UpTo string `json:"upToEventId"` // that event and what follows it were taken back
			} `json:"data"`
		}
		if jsonedit.Decode(r.raw, &l) != nil {
			continue
		}
		if from, there := at[l.Data.UpTo]; there {
			rd.takeBack(rd.records[from:i])
		} else if l.Data.UpTo != "" && rd.from > 0 {
			rd.short = true
		}
		if l.ID != "" {
			at[l.ID] = i
		}
	}
}
