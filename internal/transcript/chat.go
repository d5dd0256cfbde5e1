package transcript

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/text"
	"github.com/forgemind/forgemind/schema"
)

func isOwn(doc *jsonedit.Doc) bool {
	if !has(doc, "content", jsonedit.String) {
		return false
	}
	role := member(doc, "role")
	timed := has(doc, "ts", jsonedit.String) || has(doc, "timestamp", jsonedit.String)
	return has(doc, "msg_id") || has(doc, "agent", jsonedit.String) && member(doc, "agent") != "" || has(doc, "id", jsonedit.String) && timed && (role == "" || slices.Contains(roles, role))
}

// own reads forgemind's messages. Members that a message does not have go into its metadata. A
// message that Admit would refuse is a Fault, so that the rest is read.
func (im *intake) own() {
	var doc jsonedit.Doc
	for _, r := range im.records {
		im.next()
		err := doc.Parse(r.raw)
		var wrong *jsonedit.SyntaxError
		if errors.As(err, &wrong) {
			im.fail(r.offset+wrong.Offset, wrong)
			im.bad = true
			continue
		}
		stated, err := untimed(&doc)
		var m schema.Message
		if err == nil {
			m, err = DecodeMessage(&doc)
		}
		if stated != "" {
			m.Timestamp = stated
		}
		if err == nil {
			err = ownMore(&doc, &m)
		}
		if err == nil {
			err = im.ownFits(&m)
		}
		if err != nil {
			im.fail(r.offset, err)
			im.bad = true
			continue
		}
		im.add(r, m)
	}
}

func (im *intake) ownFits(m *schema.Message) error {
	if m.ID != "" && !schema.ValidID(m.ID) { // add derives another
		if err := keepMember(m, "id", m.ID); err != nil {
			return err
		}
		m.ID = ""
	}
	if before, ok := im.ids[m.ID]; ok && before != m.Content {
		return fmt.Errorf("the id %s is that of a message of other content", text.Quote(m.ID, maxQuoted))
	}
	said := *m
	return Complete(&said)
}

// untimed removes times that are not in RFC 3339 from a message, and returns the first of them.
func untimed(doc *jsonedit.Doc) (stated string, err error) {
	src := doc.Src
	for _, name := range []string{"timestamp", "ts"} {
		i := doc.Member(0, name)
		if i < 0 || len(doc.Duplicates) > 0 || doc.Nodes[i].Kind == jsonedit.Null {
			continue
		}
		text, _ := doc.Str(i)
		if _, err := schema.ParseTime(text); err == nil {
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

// ownMore puts members that schema.Message lacks into m's metadata.
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

// keepMember puts a member into m's metadata, unless one of that name exists.
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
	pointer := "/" + jsonedit.EscapePointer(name)
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
	Message   json.RawMessage `json:"message"` // its content, or an object that has it
	CallID    string          `json:"tool_call_id"`
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

// said returns the content of a chatLine, whichever member has it.
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
func (im *intake) chat() {
	calls := map[string]calling{}
	for _, r := range im.records {
		var l chatLine
		if !im.decode(r, &l) {
			continue
		}
		if l.Role == "" && l.said() == nil && len(l.Calls) == 0 {
			im.fail(r.offset, fmt.Errorf("no message: it is %s", looks(r.raw)))
			im.bad = true
			continue
		}
		im.chatLine(r, &l, calls)
	}
}

func (im *intake) chatLine(r record, l *chatLine, calls map[string]calling) {
	role := roleIn(l.Role)
	if role == "" {
		im.why = ofKind("role", l.Role)
		return
	}
	said := schema.Message{
		ID: chatID(l), Role: role, Session: l.Session, Agent: cmp.Or(l.Agent, l.Name),
		Timestamp: statedTime(l.Timestamp, l.TS, l.Created),
	}
	add := func(m schema.Message) {
		im.note(&m, "", "")
		im.add(r, m)
		said.ID = "" // only the first message of a line gets its id
	}
	var text []string
	speak := func() {
		if len(text) > 0 {
			m := said
			m.Content, text = strings.Join(text, "\n"), nil
			if role == "tool" {
				call := calls[l.CallID]
				m = resultOf(said, cmp.Or(call.tool, l.Name), m.Content)
				if asks(call.tool) {
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
			add(resultOf(said, b.Response.Name, compactJSON(b.Response.Response)))
		case b.text() != "":
			text = append(text, userQuery(b.text()))
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

// userQuery removes the mark that Cursor puts around the user's text, and the marked elements before
// it.
func userQuery(text string) string {
	in, ok := strings.CutSuffix(strings.TrimSpace(text), "</user_query>")
	if _, said, marked := strings.Cut(in, "<user_query>"); ok && marked && strings.HasPrefix(in, "<") {
		return strings.TrimSpace(said)
	}
	return text
}

// chatID returns the id of a line; "" if it has none.
func chatID(l *chatLine) string {
	for _, raw := range []json.RawMessage{l.ID, l.UUID} {
		if id := str(raw); schema.ValidID(id) {
			return id
		}
	}
	return ""
}
