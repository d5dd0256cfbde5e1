package schema

import "encoding/json"

// A Message is one line of a conversation. The members `id` and `ts` are read as well
// as `msg_id` and `timestamp`.
type Message struct {
	ID         string          `json:"msg_id"`
	Timestamp  string          `json:"timestamp,omitzero"`
	Agent      string          `json:"agent,omitzero"`
	Role       string          `json:"role,omitzero"` // user, assistant, tool, system
	Kind       string          `json:"kind,omitzero"` // message, decision, clarification, question, layer_change, tool_output, summary
	Content    string          `json:"content"`
	Priority   string          `json:"priority,omitzero"`
	Importance *float64        `json:"importance,omitzero"` // ratio
	ToolName   string          `json:"tool_name,omitzero"`
	Session    string          `json:"session,omitzero"`
	Tokens     Int             `json:"tokens,omitzero"`
	Counter    string          `json:"counter,omitzero"` // the name of the token counter
	Metadata   json.RawMessage `json:"metadata,omitzero"`
}

// UnmarshalJSON reads an object in either spelling.
func (m *Message) UnmarshalJSON(src []byte) error {
	*m = Message{}
	return unmarshal(src, nil,
		as(&m.ID, "msg_id", "id"), as(&m.Timestamp, "timestamp", "ts"), as(&m.Agent, "agent"), as(&m.Role, "role"),
		as(&m.Kind, "kind"), as(&m.Content, "content"), as(&m.Priority, "priority"), as(&m.Importance, "importance"),
		as(&m.ToolName, "tool_name"), as(&m.Session, "session"), as(&m.Tokens, "tokens"), as(&m.Counter, "counter"),
		as(&m.Metadata, "metadata"))
}
