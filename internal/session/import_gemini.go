package session

import (
	"encoding/json"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A geminiLine is a message of a Gemini CLI session.
type geminiLine struct {
	ID        string          `json:"id"`
	Timestamp json.RawMessage `json:"timestamp"`
	Type      string          `json:"type"`
	SessionID string          `json:"sessionId"` // of a session's first line
	Content   json.RawMessage `json:"content"`
	Calls     []struct {
		Name   string          `json:"name"`
		Args   json.RawMessage `json:"args"`
		Result json.RawMessage `json:"result"`
		Time   json.RawMessage `json:"timestamp"`
	} `json:"toolCalls"`
}

func isGemini(doc *jsonedit.Doc) bool {
	kind := member(doc, "type")
	return has(doc, "projectHash") || (kind == "user" || kind == "gemini") && has(doc, "content") && !has(doc, "message") && !has(doc, "role")
}

// gemini reads a Gemini CLI session. A tool's call and its result stand in one
// record there, behind what was said.
func (im *intake) gemini() {
	for _, r := range im.records {
		var l geminiLine
		if !im.decode(r, &l) {
			continue
		}
		if l.SessionID != "" {
			im.session = l.SessionID
		}
		add := func(m schema.Message) {
			im.note(&m, "", "")
			im.add(r, m)
		}
		said := schema.Message{Timestamp: timeIn(l.Timestamp), Agent: "gemini"}
		if l.Type == "user" || l.Type == "gemini" {
			m := said
			m.Role, m.Content = roleIn(l.Type), textOf(l.Content)
			if m.Role == "user" {
				m.Agent = "user"
			}
			if schema.ValidID(l.ID) {
				m.ID = "msg-" + l.ID
			}
			add(m)
		}
		for _, c := range l.Calls {
			if at := timeIn(c.Time); at != "" {
				said.Timestamp = at
			}
			add(callOf(said, c.Name, c.Args))
			text := geminiResult(c.Result)
			if asks(c.Name) {
				add(answerOf(said, c.Name, text))
			} else {
				add(resultOf(said, c.Name, text))
			}
		}
	}
}

// geminiResult is what a tool gave: texts, or what its response says.
func geminiResult(raw json.RawMessage) string {
	for _, b := range blocks(raw) {
		if b.Response == nil {
			continue
		}
		var in struct {
			Output json.RawMessage `json:"output"`
			Error  json.RawMessage `json:"error"`
		}
		if jsonedit.Decode(b.Response.Response, &in) == nil {
			if text := textOf(in.Output) + textOf(in.Error); text != "" {
				return text
			}
		}
		return compactJSON(b.Response.Response)
	}
	return textOf(raw)
}
