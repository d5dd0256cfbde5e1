package transcript

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

func isOwn(doc *jsonedit.Doc) bool {
	if !has(doc, "content", jsonedit.String) {
		return false
	}
	role := member(doc, "role")
	timed := has(doc, "ts", jsonedit.String) || has(doc, "timestamp", jsonedit.String)
	return has(doc, "msg_id") || has(doc, "agent", jsonedit.String) && member(doc, "agent") != "" || has(doc, "id", jsonedit.String) && timed && (role == "" || slices.Contains(session.Roles, role))
}

// own reads forgemind's messages. Members that a message does not have go into
// its metadata. What Admit would refuse is a Fault here, so that the rest goes
// on.
func (rd *reader) own() {
	var doc jsonedit.Doc
	for _, r := range rd.records {
		rd.next()
		err := doc.Parse(r.raw)
		var wrong *jsonedit.SyntaxError
		if errors.As(err, &wrong) {
			rd.fail(r.offset+wrong.Offset, wrong)
			rd.bad = true
			continue
		}
		stated, err := untimed(&doc)
		var m schema.Message
		if err == nil {
			m, err = session.ParseMessage(&doc)
		}
		if stated != "" {
			m.Timestamp = stated
		}
		if err == nil {
			err = ownMore(&doc, &m)
		}
		if err == nil {
			err = rd.ownFits(&m)
		}
		if err != nil {
			rd.fail(r.offset, err)
			rd.bad = true
			continue
		}
		rd.add(r, m)
	}
}

func (rd *reader) ownFits(m *schema.Message) error {
	if m.ID != "" && !schema.ValidID(m.ID) { // add gives it another
		if err := keepMember(m, "id", m.ID); err != nil {
			return err
		}
		m.ID = ""
	}
	if before, ok := rd.ids[m.ID]; ok && before != m.Content {
		return fmt.Errorf("the id %s is that of a message of other content", quoted(m.ID))
	}
	said := *m
	return session.Attribute(&said)
}

// untimed takes the times that are no times of RFC 3339 out of a message, and
// returns the first of them as it is stated.
func untimed(doc *jsonedit.Doc) (stated string, err error) {
	src := doc.Src
	for _, name := range []string{"timestamp", "ts"} {
		i := doc.Member(0, name)
		if i < 0 || len(doc.Duplicates) > 0 || doc.Nodes[i].Kind == jsonedit.Null {
			continue
		}
		text, _ := doc.Str(i)
		if _, ok := zonedTime(text); ok {
			continue
		}
		stated = cmp.Or(stated, statedTime(doc.Raw(i)))
		if src, err = jsonedit.Delete(src, "/"+name); err != nil {
			return "", err
		}
	}
	if len(src) == len(doc.Src) {
		return "", nil
	}
	return stated, doc.Parse(src)
}

// ownMore keeps members that schema.Message has no place for.
func ownMore(doc *jsonedit.Doc, m *schema.Message) error {
	for i := range doc.Children(0) {
		switch key := doc.Key(i); key {
		case "$schema", "msg_id", "id", "timestamp", "ts", "agent", "role", "kind", "content", "priority", "importance", "tool_name",
			"session", "tokens", "counter", "metadata":
		default:
			if err := keepMember(m, key, json.RawMessage(doc.Raw(i))); err != nil {
				return err
			}
		}
	}
	return nil
}

// keepMember puts a member into m's metadata, unless one of that name is there.
func keepMember(m *schema.Message, name string, v any) error {
	if len(m.Metadata) == 0 {
		m.Metadata = json.RawMessage("{}")
	}
	into, err := jsonedit.Parse(m.Metadata)
	if err != nil || into.Member(0, name) >= 0 {
		return err
	}
	value, err := jsonedit.Value(v)
	if err != nil {
		return err
	}
	pointer := "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
	if m.Metadata, err = jsonedit.Set(m.Metadata, pointer, value); err != nil {
		return fmt.Errorf("the metadata: %w", err)
	}
	return nil
}

// A chatLine is a message of a chat, in the spellings of several tools: the
// APIs of OpenAI and Anthropic, Cursor, and what people write themselves.
type chatLine struct {
	ID        json.RawMessage `json:"id"`
	UUID      json.RawMessage `json:"uuid"`
	Timestamp json.RawMessage `json:"timestamp"`
	TS        json.RawMessage `json:"ts"`
	Created   json.RawMessage `json:"created_at"`
	Role      string          `json:"role"`
	Name      string          `json:"name"`
	Agent     string          `json:"agent"`
	Session   string          `json:"session"`
	Content   json.RawMessage `json:"content"`
	Parts     json.RawMessage `json:"parts"`
	Text      json.RawMessage `json:"text"`
	Message   json.RawMessage `json:"message"` // its content, or an object that holds it
	CallID    string          `json:"tool_call_id"`
	files     []string        // that are attached
	Calls     []struct {
		ID       string `json:"id"`
		Function struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
}

func isChat(doc *jsonedit.Doc) bool {
	if roleIn(member(doc, "role")) == "" {
		return false
	}
	return has(doc, "content") || has(doc, "parts") || has(doc, "text") || has(doc, "message") || has(doc, "tool_calls")
}

// said is the content of a chatLine, wherever it stands.
func (l *chatLine) said() json.RawMessage {
	for _, raw := range []json.RawMessage{l.Content, l.Parts, l.Text, l.Message} {
		var in struct {
			Content json.RawMessage `json:"content"`
		}
		switch {
		case len(raw) == 0 || string(raw) == "null":
		case raw[0] == '{' && jsonedit.Decode(raw, &in) == nil && len(in.Content) > 0:
			return in.Content
		default:
			return raw
		}
	}
	return nil
}

// chat reads a chat of {role, content}.
func (rd *reader) chat() {
	calls := map[string]calling{}
	for _, r := range rd.records {
		var l chatLine
		if !rd.decode(r, &l) {
			continue
		}
		if l.Role == "" && l.said() == nil && len(l.Calls) == 0 {
			rd.fail(r.offset, fmt.Errorf("no message: it is %s", looks(r.raw)))
			rd.bad = true
			continue
		}
		rd.chatLine(r, &l, calls)
	}
}

func (rd *reader) chatLine(r record, l *chatLine, calls map[string]calling) {
	role := roleIn(l.Role)
	if role == "" {
		rd.why = ofKind("role", l.Role)
		return
	}
	said := schema.Message{
		ID: chatID(l), Role: role, Session: l.Session, Agent: cmp.Or(l.Agent, l.Name),
		Timestamp: statedTime(l.Timestamp, l.TS, l.Created),
	}
	add := func(m schema.Message) {
		rd.note(&m, "", "")
		noteFiles(&m, l.files)
		rd.add(r, m)
		said.ID = "" // only the first of a line has its id
	}
	var text []string
	speak := func() {
		if len(text) > 0 {
			m := said
			m.Content, text = strings.Join(text, "\n"), nil
			if role == "tool" {
				call := calls[l.CallID]
				m = resultOf(said, cmp.Or(call.gave(false), calling{tool: l.Name}.gave(false)), m.Content)
				if Asks(call.tool) {
					m = answerOf(said, call.tool, m.Content)
				}
			}
			add(m)
		}
	}
	for _, b := range blocks(l.said()) {
		switch {
		case strings.HasSuffix(b.Type, "tool_use"):
			speak()
			calls[b.ID] = calling{b.Name, b.Input}
			add(callOf(said, b.Name, b.Input))
		case b.Call.Name != "":
			speak()
			add(callOf(said, b.Call.Name, b.Call.Args))
		case strings.HasSuffix(b.Type, "tool_result"):
			speak()
			add(claudeResult(said, b, calls[b.ToolUseID], nil))
		case b.Response != nil:
			speak()
			add(resultOf(said, calling{tool: b.Response.Name}.gave(false), compactJSON(b.Response.Response)))
		case b.text() != "":
			said := b.text()
			if rd.tool == "cursor" && role == "assistant" {
				said = withoutThought(said)
			}
			if said != "" {
				text = append(text, said)
			}
		}
	}
	speak()
	for _, c := range l.Calls {
		input := c.Function.Arguments
		if s := str(input); s != "" {
			input = json.RawMessage(s)
		}
		calls[c.ID] = calling{c.Function.Name, input}
		add(callOf(said, c.Function.Name, input))
	}
}

// chatID is the id that a line says it has; "" where that is none.
func chatID(l *chatLine) string {
	for _, raw := range []json.RawMessage{l.ID, l.UUID} {
		if id := str(raw); schema.ValidID(id) {
			return id
		}
	}
	return ""
}
