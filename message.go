package forgemind

import (
	"encoding/json"

	"github.com/forgemind/forgemind/schema"
)

// A Role is the part that the author of a message has in a conversation.
type Role string

// The roles.
const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleTool      Role = "tool"
	RoleSystem    Role = "system"
)

// A MessageKind is the kind of a message. If it is empty, the tree derives it from the
// message.
type MessageKind string

// The kinds of messages.
const (
	MessagePlain         MessageKind = "message"
	MessageDecision      MessageKind = "decision"
	MessageClarification MessageKind = "clarification"
	MessageQuestion      MessageKind = "question"
	MessageLayerChange   MessageKind = "layer_change"
	MessageToolOutput    MessageKind = "tool_output"
	MessageSummary       MessageKind = "summary" // of messages that left the conversation
)

// A Message is one entry of a conversation. A program fills in Role and Content, and an ID or
// a Timestamp if it has one. A message without either is identified by the messages around
// it.
type Message struct {
	ID         string
	Timestamp  string // RFC 3339
	Agent      string // name of the author
	Role       Role
	Kind       MessageKind
	Content    string
	Priority   Priority
	Importance *float64 // ratio; nil if the tree should derive it
	ToolName   string   // of a tool's output
	Session    string   // id
	Tokens     int      // of Content; 0 if unknown
	Counter    string   // name of the counter of Tokens
	Metadata   json.RawMessage
}

func (m Message) stored() schema.Message {
	return schema.Message{
		ID: m.ID, Timestamp: m.Timestamp, Agent: m.Agent, Role: string(m.Role), Kind: string(m.Kind), Content: m.Content,
		Priority: string(m.Priority), Importance: m.Importance, ToolName: m.ToolName, Session: m.Session,
		Tokens: schema.Int(m.Tokens), Counter: m.Counter, Metadata: m.Metadata,
	}
}

func messageOf(m schema.Message) Message {
	return Message{
		ID: m.ID, Timestamp: m.Timestamp, Agent: m.Agent, Role: Role(m.Role), Kind: MessageKind(m.Kind), Content: m.Content,
		Priority: Priority(m.Priority), Importance: m.Importance, ToolName: m.ToolName, Session: m.Session,
		Tokens: int(m.Tokens), Counter: m.Counter, Metadata: m.Metadata,
	}
}

// each returns the results of convert for the items of a list; nil for a nil list.
func each[A, B any](list []A, convert func(A) B) []B {
	if list == nil {
		return nil
	}
	out := make([]B, len(list))
	for i, item := range list {
		out[i] = convert(item)
	}
	return out
}
