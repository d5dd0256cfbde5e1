package transcript

import (
	"cmp"
	"encoding/json"
	"strings"

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
	Message   json.RawMessage `json:"message"` // in the log of prompts
	Calls     []struct {
		Name   string          `json:"name"`
		Args   json.RawMessage `json:"args"`
		Result json.RawMessage `json:"result"`
		Time   json.RawMessage `json:"timestamp"`
	} `json:"toolCalls"`
	Tokens struct {
		Total int `json:"total"`
	} `json:"tokens"`
	Rewind string `json:"$rewindTo"` // the messages from that one on were taken back
	Set    struct {
		Summary  string            `json:"summary"`
		Messages []json.RawMessage `json:"messages"`
	} `json:"$set"`
}

func isGemini(doc *jsonedit.Doc) bool {
	kind := member(doc, "type")
	return has(doc, "projectHash") || has(doc, "$rewindTo") || has(doc, "$set") || (kind == "user" || kind == "gemini") && has(doc, "content") && !has(doc, "message") && !has(doc, "role") ||
		kind == "user" && has(doc, "messageId", jsonedit.Number) && has(doc, "message", jsonedit.String) // logs.json
}

// gemini reads a Gemini CLI session. Its records have a tool's call and its result together, after
// the text.
func (im *intake) gemini() {
	for _, r := range im.geminiLog() {
		var l geminiLine
		if !im.decode(r, &l) {
			continue
		}
		switch l.Type {
		case "user", "gemini":
			im.why = "nothing said"
		default:
			im.why, l.Calls = im.kind(l.Type), nil
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
			m.Role, m.Content = roleIn(l.Type), cmp.Or(textOf(l.Content), textOf(l.Message))
			if schema.ValidID(l.ID) {
				m.ID = "msg-" + l.ID
			}
			switch n := len(im.messages); {
			case m.Role == "user":
				im.geminiUser(&m)
			case m.Content == snapshotRead && n > 0 && im.messages[n-1].Kind == "summary":
				im.why, m.Content = "notice to the model", ""
			}
			add(m)
			im.state(Usage{Tokens: l.Tokens.Total, Agent: "gemini", At: timeIn(l.Timestamp)})
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

// snapshotRead is the model's answer to a summary, which the client writes itself.
const snapshotRead = "Got it. Thanks for the additional context!"

// geminiUser makes m the user's message of a record: it removes text of the client, and marks the
// summary of a compaction.
func (im *intake) geminiUser(m *schema.Message) {
	if strings.HasPrefix(strings.TrimSpace(m.Content), stateSnapshot) {
		m.Role, m.Kind = "system", "summary"
		im.compacted()
		return
	}
	m.Agent = "user"
	typed := Typed(m.Content)
	if typed == "" && strings.TrimSpace(m.Content) != "" {
		im.why = "notice to the model"
	}
	m.Content = typed
}

// geminiLog returns the records of a session's log: a later record of the same id replaces the
// earlier one, and what was taken back is left out.
func (im *intake) geminiLog() []record {
	var log []record
	var ids []string       // of the records in log
	at := map[string]int{} // the index in log of an id
	add := func(r record, id string) {
		at[id] = len(log)
		log, ids = append(log, r), append(ids, id)
	}
	put := func(r record, id string) {
		i, there := at[id]
		if there && id != "" {
			im.leave("written again")
			log[i] = r
			return
		}
		add(r, id)
	}
	for _, r := range im.records {
		var l geminiLine
		if jsonedit.Decode(r.raw, &l) != nil {
			put(r, "")
			continue
		}
		i, there := at[l.Rewind]
		switch {
		case l.Rewind != "":
			im.leave("kind rewind")
			for there && len(log) > i {
				im.leave("taken back")
				last := len(log) - 1
				if at[ids[last]] == last {
					delete(at, ids[last])
				}
				log, ids = log[:last], ids[:last]
			}
		case l.Set.Messages != nil:
			im.leave("kind set")
			for _, raw := range l.Set.Messages {
				var in geminiLine
				if jsonedit.Decode(raw, &in) == nil && in.ID != "" {
					if _, there := at[in.ID]; !there {
						im.added++
						add(record{r.offset, raw}, in.ID)
					}
				}
			}
		default:
			put(r, l.ID)
		}
	}
	return log
}

// geminiResult returns the output of a tool: texts, or the members of its response.
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
