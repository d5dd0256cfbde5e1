package transcript

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/text"
	"github.com/forgemind/forgemind/schema"
)

// DecodeMessage returns the message that doc holds, in forgemind's own notation. Null counts as
// absent. If a member has two spellings, the first one that is present counts. The content is
// required; the id and the time are optional.
func DecodeMessage(doc *jsonedit.Doc) (schema.Message, error) {
	if doc.Nodes[0].Kind != jsonedit.Object {
		return schema.Message{}, fmt.Errorf("%s where a message should be", doc.Nodes[0].Kind)
	}
	if len(doc.Duplicates) > 0 {
		return schema.Message{}, fmt.Errorf("the member %s appears twice", text.Quote(doc.Key(doc.Duplicates[0]), maxQuoted))
	}
	var m schema.Message
	var id, ts string
	content := -1
	for i := range doc.Children(0) {
		if doc.Nodes[i].Kind == jsonedit.Null {
			continue
		}
		ok := true
		switch key := doc.Key(i); key {
		case "msg_id":
			m.ID, ok = doc.Str(i)
		case "id":
			id, ok = doc.Str(i)
		case "timestamp":
			m.Timestamp, ok = doc.Str(i)
		case "ts":
			ts, ok = doc.Str(i)
		case "agent":
			m.Agent, ok = doc.Str(i)
		case "role":
			m.Role, ok = doc.Str(i)
		case "kind":
			m.Kind, ok = doc.Str(i)
		case "content":
			content = i
			m.Content, ok = doc.Str(i)
		case "priority":
			m.Priority, ok = doc.Str(i)
		case "importance":
			var f float64
			f, ok = doc.Float(i)
			m.Importance = &f
		case "tool_name":
			m.ToolName, ok = doc.Str(i)
		case "session":
			m.Session, ok = doc.Str(i)
		case "tokens":
			var n int64
			n, ok = doc.Int(i)
			m.Tokens = schema.Int(n)
		case "counter":
			m.Counter, ok = doc.Str(i)
		case "metadata":
			m.Metadata = doc.Raw(i)
		}
		if !ok {
			return schema.Message{}, fmt.Errorf("%s is %s", doc.Key(i), doc.Nodes[i].Kind)
		}
	}
	if content < 0 {
		return schema.Message{}, errors.New("it has no content")
	}
	if m.ID == "" {
		m.ID = id
	}
	if m.Timestamp == "" {
		m.Timestamp = ts
	}
	return m, nil
}

var (
	roles = []string{"user", "assistant", "tool", "system"}
	kinds = []string{"message", "decision", "clarification", "question", "layer_change", "tool_output", "summary"}
)

// Complete sets the role and the agent of m where they are missing, each from the
// other members. It returns an error for values that the schema of messages does
// not allow.
func Complete(m *schema.Message) error {
	if m.Kind != "" && !slices.Contains(kinds, m.Kind) {
		return fmt.Errorf("the kind is %s, not one of %s", text.Quote(m.Kind, maxQuoted), strings.Join(kinds, ", "))
	}
	if m.Role != "" && !slices.Contains(roles, m.Role) {
		return fmt.Errorf("the role is %s, not one of %s", text.Quote(m.Role, maxQuoted), strings.Join(roles, ", "))
	}
	if i := m.Importance; i != nil && !(*i >= 0 && *i <= 1) {
		return fmt.Errorf("the importance is %v, not between 0 and 1", *i)
	}
	if len(m.Metadata) > 0 {
		if doc, err := jsonedit.Parse(m.Metadata); err != nil {
			return fmt.Errorf("the metadata: %w", err)
		} else if kind := doc.Nodes[0].Kind; kind != jsonedit.Object && kind != jsonedit.Null {
			return fmt.Errorf("the metadata is %s, not an object", kind)
		} else if kind == jsonedit.Null {
			m.Metadata = nil
		}
	}
	for _, text := range []*string{&m.Agent, &m.Priority, &m.ToolName, &m.Session} {
		if !utf8.ValidString(*text) {
			*text = strings.ToValidUTF8(*text, "\uFFFD")
		}
	}
	if m.Role == "" {
		m.Role = roleOf(m)
	}
	if m.Agent == "" {
		m.Agent = m.Role
		if m.Role == "tool" && m.ToolName != "" {
			m.Agent = m.ToolName
		}
	}
	return nil
}

// roleOf returns the role of a message that does not state one.
func roleOf(m *schema.Message) string {
	switch {
	case m.Kind == "tool_output" || m.Kind == "" && m.Agent == "" && m.ToolName != "":
		return "tool"
	case m.Kind == "summary":
		return "system"
	case m.Agent == "" || slices.ContainsFunc(schema.DefaultBosses(), func(boss string) bool { return strings.EqualFold(boss, m.Agent) }):
		return "user"
	}
	return "assistant"
}
