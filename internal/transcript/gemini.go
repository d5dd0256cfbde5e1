package transcript

import (
	"cmp"
	"encoding/json"
	"maps"
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
		Status string          `json:"status"`
		Time   json.RawMessage `json:"timestamp"`
	} `json:"toolCalls"`
	Tokens struct {
		Total int `json:"total"`
	} `json:"tokens"`
	Role   string          `json:"role"`  // as --output-format stream-json prints it
	Delta  bool            `json:"delta"` // what follows goes on with it
	Tool   string          `json:"tool_name"`
	ToolID string          `json:"tool_id"`
	Given  json.RawMessage `json:"parameters"`
	Status string          `json:"status"`
	Output json.RawMessage `json:"output"`
	Error  struct {
		Message string `json:"message"`
	} `json:"error"`
	Stream string `json:"session_id"`
	Rewind string `json:"$rewindTo"` // what was said from that message on was taken back
	Set    struct {
		Summary  string            `json:"summary"`
		Messages []json.RawMessage `json:"messages"`
	} `json:"$set"`
}

func isGemini(doc *jsonedit.Doc) bool {
	kind := member(doc, "type")
	switch kind { // as --output-format stream-json prints it
	case "init":
		return has(doc, "session_id") && has(doc, "model")
	case "message":
		return has(doc, "role") && has(doc, "content", jsonedit.String) && has(doc, "timestamp")
	case "tool_use", "tool_result":
		return has(doc, "tool_id") && has(doc, "timestamp")
	}
	return has(doc, "projectHash") || has(doc, "$rewindTo") || has(doc, "$set") || (kind == "user" || kind == "gemini") && has(doc, "content") && !has(doc, "message") && !has(doc, "role") ||
		kind == "user" && has(doc, "messageId", jsonedit.Number) && has(doc, "message", jsonedit.String) // logs.json
}

// gemini reads a Gemini CLI session. A tool's call and its result stand in one
// record there, behind what was said.
func (rd *reader) gemini() {
	calls := map[string]calling{} // as they stream
	for _, r := range rd.geminiLog() {
		var l geminiLine
		if !rd.decode(r.joined(), &l) {
			continue
		}
		rd.taken = r.back
		switch l.Type {
		case "user", "gemini":
			rd.why = "nothing said"
		default:
			rd.why, l.Calls = rd.kind(l.Type), nil
		}
		if id := cmp.Or(l.SessionID, l.Stream); id != "" {
			rd.session = id
		}
		add := func(m schema.Message) {
			rd.note(&m, "", "")
			rd.add(r.record, m)
		}
		said := schema.Message{Timestamp: timeIn(l.Timestamp), Agent: "gemini"}
		switch l.Type {
		case "message":
			l.Type = l.Role
			if roleIn(l.Role) == "assistant" {
				l.Type = "gemini"
			}
		case "tool_use":
			calls[l.ToolID] = calling{l.Tool, l.Given}
			add(callOf(said, l.Tool, l.Given))
		case "tool_result":
			add(resultOf(said, calls[l.ToolID].gave(l.Status == "error"), cmp.Or(textOf(l.Output), l.Error.Message)))
		}
		if l.Type == "user" || l.Type == "gemini" {
			m := said
			m.Role, m.Content = roleIn(l.Type), cmp.Or(textOf(l.Content), textOf(l.Message))
			if schema.ValidID(l.ID) {
				m.ID = "msg-" + l.ID
			}
			switch n := len(rd.messages); {
			case m.Role == "user":
				rd.geminiUser(&m)
			case m.Content == snapshotRead && n > 0 && rd.messages[n-1].Kind == "summary":
				rd.why, m.Content = "notice to the model", ""
			}
			add(m)
			rd.state(Usage{Tokens: l.Tokens.Total, Agent: "gemini", At: timeIn(l.Timestamp)})
		}
		for _, c := range l.Calls {
			if at := timeIn(c.Time); at != "" {
				said.Timestamp = at
			}
			add(callOf(said, c.Name, c.Args))
			text := geminiResult(c.Result)
			if Asks(c.Name) {
				add(answerOf(said, c.Name, text))
			} else {
				add(resultOf(said, calling{c.Name, c.Args}.gave(c.Status == "error" || c.Status == "cancelled"), text))
			}
		}
	}
}

// snapshotRead is the answer to a summary that the client writes for the model.
const snapshotRead = "Got it. Thanks for the additional context!"

// geminiUser makes m what a record of the user's says: a summary of a compaction stands
// in one as well.
func (rd *reader) geminiUser(m *schema.Message) {
	if strings.HasPrefix(strings.TrimSpace(m.Content), stateSnapshot) {
		m.Role, m.Kind = "system", "summary"
		rd.compacted()
		return
	}
	m.Agent = "user"
}

// A geminiRecord is a record of a session's log as it stands in the end.
type geminiRecord struct {
	record
	back bool     // the user took it back
	more []string // of its content, in records behind it
}

// geminiLog plays a session's log: a record of an id that was there takes the
// place of that, and what was taken back is marked.
func (rd *reader) geminiLog() []geminiRecord {
	var log []geminiRecord
	at := map[string]int{} // of an id in log
	answer := -1           // the record of the answer that is being printed
	put := func(r record, id string) {
		if i, there := at[id]; there && id != "" {
			rd.leave("written again")
			log[i].record = r
			return
		}
		at[id] = len(log)
		log = append(log, geminiRecord{record: r})
	}
	for _, r := range rd.records {
		var l geminiLine
		if jsonedit.Decode(r.raw, &l) != nil {
			put(r, "")
			continue
		}
		switch {
		case l.Rewind != "":
			rd.leave("kind rewind")
			from, there := at[l.Rewind]
			for i := from; there && i < len(log); i++ {
				log[i].back = true
			}
			maps.DeleteFunc(at, func(_ string, i int) bool { return there && i >= from })
		case l.Delta && answer >= 0:
			rd.leave("a part of an answer")
			log[answer].more = append(log[answer].more, str(l.Content))
		case l.Set.Messages != nil:
			rd.leave("kind set")
			for _, raw := range l.Set.Messages {
				var in geminiLine
				if jsonedit.Decode(raw, &in) == nil && in.ID != "" {
					if _, there := at[in.ID]; !there {
						rd.added++
						put(record{r.offset, raw}, in.ID)
					}
				}
			}
		default:
			put(r, l.ID)
			if l.Delta {
				answer = len(log) - 1
			} else if l.Type == "message" || l.Type == "tool_use" || l.Type == "tool_result" {
				answer = -1
			}
		}
	}
	return log
}

// joined returns a record with the parts of its content that follow it.
func (r *geminiRecord) joined() record {
	var l geminiLine
	if len(r.more) > 0 && jsonedit.Decode(r.raw, &l) == nil {
		text, err := jsonedit.Value(str(l.Content) + strings.Join(r.more, ""))
		if err == nil {
			if raw, err := jsonedit.Set(r.raw, "/content", text); err == nil {
				return record{r.offset, raw}
			}
		}
	}
	return r.record
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
