package session

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// ErrBlank is the fault of a line that holds nothing.
var ErrBlank = errors.New("a blank line")

// A Line is one line of a conversation, whatever it holds.
type Line struct {
	Raw     []byte          // without its newline; a carriage return is part of it
	Message *schema.Message // nil where the line holds none
	Err     error           // why the line is no message, or none that may be moved: ErrBlank, or what is wrong with it
	At      int             // from 0
}

// maxLine is how long a line may be that is read, in bytes.
const maxLine = 8 << 20

const bom = "\xEF\xBB\xBF"

// Read reads every line of a conversation, in order. What stands behind the
// last newline is a line, too; a byte order mark before the first is none. The
// lines share the memory of src.
func Read(src []byte) []Line {
	src = bytes.TrimPrefix(src, []byte(bom))
	lines := make([]Line, 0, bytes.Count(src, []byte("\n"))+1)
	var doc jsonedit.Doc
	for at := 0; len(src) > 0; at++ {
		raw, rest, _ := bytes.Cut(src, []byte("\n"))
		line := Line{Raw: raw[:len(raw):len(raw)], At: at}
		if len(bytes.TrimSpace(raw)) == 0 {
			line.Err = ErrBlank
		} else if len(raw) > maxLine {
			line.Err = fmt.Errorf("%d bytes in one line, at most %d", len(raw), maxLine)
		} else if err := doc.Parse(line.Raw); err != nil {
			line.Err = err
		} else if m, err := ParseMessage(&doc); err != nil {
			line.Err = err
		} else {
			line.Message = &m
		}
		lines = append(lines, line)
		src = rest
	}
	return lines
}

// Messages are the messages among lines, in order.
func Messages(lines []Line) []schema.Message {
	var messages []schema.Message
	for _, line := range lines {
		if line.Message != nil {
			messages = append(messages, *line.Message)
		}
	}
	return messages
}

// ParseMessage returns the message that doc holds, as schema.Message does: null is
// absent, and of two spellings the first that is there counts. It is an error if it has no
// content; its id and time may lack.
func ParseMessage(doc *jsonedit.Doc) (schema.Message, error) {
	if doc.Nodes[0].Kind != jsonedit.Object {
		return schema.Message{}, fmt.Errorf("%s where a message should be", doc.Nodes[0].Kind)
	}
	if len(doc.Duplicates) > 0 {
		return schema.Message{}, fmt.Errorf("the member %s stands twice", cut(doc.Key(doc.Duplicates[0])))
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

// Encode is m as a line of a conversation, without a newline.
func Encode(m schema.Message) ([]byte, error) {
	line, err := jsonedit.Value(m)
	if err != nil {
		return nil, fmt.Errorf("message %s: %w", cut(m.ID), err)
	}
	return line, nil
}

// cut quotes a stranger's text for a message to people.
func cut(text string) string {
	if r := []rune(text); len(r) > 40 {
		text = string(r[:40]) + "…"
	}
	return fmt.Sprintf("%q", text)
}
