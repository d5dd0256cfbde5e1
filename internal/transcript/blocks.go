package transcript

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A block is a piece of a message, in the spellings of several tools.
type block struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	ToolUseID string          `json:"tool_use_id"`
	Content   json.RawMessage `json:"content"`
	IsError   bool            `json:"is_error"`
	Thought   json.RawMessage `json:"thought"` // true: a part of Gemini's that it thinks
	Call      struct {
		Name string          `json:"name"`
		Args json.RawMessage `json:"args"`
	} `json:"functionCall"`
	Response *struct {
		Name     string          `json:"name"`
		Response json.RawMessage `json:"response"`
	} `json:"functionResponse"`
}

// blocks reads content: a string, a block, or a list of both. What is none is
// told as it stands.
func blocks(raw json.RawMessage) []block {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	var parts []json.RawMessage
	if raw[0] != '[' || jsonedit.Decode(raw, &parts) != nil {
		parts = []json.RawMessage{raw}
	}
	var out []block
	for _, part := range parts {
		var b block
		switch {
		case part[0] == '"':
			b.Type, b.Text = "text", str(part)
		case part[0] != '{' || jsonedit.Decode(part, &b) != nil:
			b = block{Type: "text", Text: compactJSON(part)}
		}
		out = append(out, b)
	}
	return out
}

// text is what b says to people; "" where it is not for them.
func (b *block) text() string {
	switch b.Type {
	case "image", "input_image", "image_url":
		return "[image]"
	case "document", "file", "input_file":
		return "[document]"
	}
	if b.inner() {
		return ""
	}
	return b.Text
}

// withoutPictures is text without the marks of pictures.
func withoutPictures(text string) string {
	return strings.TrimSpace(strings.ReplaceAll("\n"+text, "\n[image]", ""))
}

// inner says whether b is what a model thinks and does not say.
func (b *block) inner() bool {
	switch b.Type {
	case "thinking", "redacted_thinking", "reasoning", "thought":
		return true
	}
	return string(b.Thought) == "true"
}

// textOf is what content says: its texts, a line each.
func textOf(raw json.RawMessage) string {
	var texts []string
	for _, b := range blocks(raw) {
		if t := b.text(); t != "" {
			texts = append(texts, t)
		}
	}
	return strings.Join(texts, "\n")
}

// str is the string that raw is; "" where it is none.
func str(raw json.RawMessage) string {
	if doc, err := jsonedit.Parse(raw); err == nil {
		s, _ := doc.Str(0)
		return s
	}
	return ""
}

// compactJSON is raw on one line.
func compactJSON(raw json.RawMessage) string {
	if line, err := jsonedit.Value(raw); err == nil {
		return string(line)
	}
	return string(raw)
}

// callOf is the message of a tool that is called.
func callOf(m schema.Message, tool string, input json.RawMessage) schema.Message {
	m.Role, m.ToolName, m.Content = "assistant", calling{tool, input}.asked(), tool
	if len(input) > 0 && string(input) != "null" {
		m.Content += " " + compactJSON(input)
	}
	return m
}

// resultOf is the message of what a tool gave.
func resultOf(m schema.Message, tool, text string) schema.Message {
	m.Role, m.Kind, m.ToolName, m.Content, m.Agent = "tool", "tool_output", tool, text, tool
	if tool == "" {
		m.Agent = "tool"
	}
	return m
}

// Asks reports whether a tool puts a question to the user, so that its result is
// the user's word.
func Asks(tool string) bool {
	switch tool {
	case "AskUserQuestion", "AskQuestion", "ask_user", "ask_user_question", "request_user_input", "ask_followup_question", "question":
		return true
	}
	return false
}

// answerOf is the message of what the user said inside of a tool's result. Its
// kind is left open, so that its words say whether it is a decision.
func answerOf(m schema.Message, tool, text string) schema.Message {
	m.Role, m.Agent, m.ToolName, m.Content = "user", "user", tool, text
	return m
}

// roleIn is a role as forgemind names it; "" for one that is not known.
func roleIn(role string) string {
	switch strings.ToLower(role) {
	case "user", "human":
		return "user"
	case "assistant", "ai", "bot", "model", "gemini", "agent":
		return "assistant"
	case "tool", "function":
		return "tool"
	case "system", "developer":
		return "system"
	}
	return ""
}

// timeIn is a time as tools write it (text, or seconds or milliseconds since
// 1970), as forgemind does; "" where it is none.
func timeIn(raw json.RawMessage) string {
	text := strings.Trim(string(raw), `"`)
	if _, ok := zonedTime(text); ok {
		return text
	}
	if f, err := strconv.ParseFloat(text, 64); err == nil && f > 1e8 && f < 1e14 {
		if f > 1e11 {
			f /= 1000
		}
		return schema.FormatTime(time.UnixMilli(int64(f * 1000)))
	}
	for _, layout := range []string{
		"2006-01-02T15:04:05.999999999Z0700", "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999",
		time.DateOnly,
	} {
		if t, err := time.Parse(layout, text); err == nil && t.Year() > 1970 {
			return schema.FormatTime(t)
		}
	}
	return ""
}

// has says whether the object in doc has a member of that kind.
func has(doc *jsonedit.Doc, name string, kinds ...jsonedit.Kind) bool {
	i := doc.Member(0, name)
	if i < 0 {
		return false
	}
	for _, kind := range kinds {
		if doc.Nodes[i].Kind == kind {
			return true
		}
	}
	return len(kinds) == 0
}

func member(doc *jsonedit.Doc, name string) string {
	if i := doc.Member(0, name); i >= 0 {
		s, _ := doc.Str(i)
		return s
	}
	return ""
}
