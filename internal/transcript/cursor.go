package transcript

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/schema"
)

// A cursorBubble is a turn of a chat in Cursor's composer.
type cursorBubble struct {
	Type    json.RawMessage `json:"type"` // 1 and 2, or "user" and "ai"
	ID      string          `json:"bubbleId"`
	Text    string          `json:"text"`
	Raw     string          `json:"rawText"`
	Created json.RawMessage `json:"createdAt"`
	Timing  struct {
		Start json.RawMessage `json:"clientStartTime"`
	} `json:"timingInfo"`
	Tool struct {
		Name   string          `json:"name"`
		Args   json.RawMessage `json:"rawArgs"`
		Params json.RawMessage `json:"params"`
		Result json.RawMessage `json:"result"`
	} `json:"toolFormerData"`
	Thinking json.RawMessage `json:"thinking"`
}

func isCursor(doc *jsonedit.Doc) bool {
	return has(doc, "bubbleId", jsonedit.String) || has(doc, "type", jsonedit.Number) && has(doc, "text", jsonedit.String) ||
		(member(doc, "type") == "ai" || member(doc, "type") == "user") && has(doc, "rawText")
}

// The forms of Cursor's text formats.
var (
	cursorExport = lazyregexp.New(`^# .*\r?\n_Exported on .{1,80} from Cursor \(.{1,40}\)_`)
	cursorHead   = lazyregexp.New(`^user:[ \t]*\r?\n(?:<[a-z_]+>|(?s:.*)\n(?:assistant|A):[ \t]*\r?\n)`)
	cursorTurn   = lazyregexp.New(`^(?:user|assistant|A):$`)
	cursorMark   = lazyregexp.New(`^\[(Thinking|Tool call|Tool result)\]\s*(\S{0,80})`)
)

func isCursorExport(text []byte) bool { return cursorExport.Match(text[:min(len(text), 1000)]) }

func isCursorProse(text []byte) bool { return isCursorExport(text) || isCursorText(text) }

func isCursorText(text []byte) bool { return cursorHead.Match(text[:min(len(text), 64<<10)]) }

// cursor reads a chat of Cursor: its Markdown export, or the JSON of its composer.
func (im *intake) cursor() {
	switch text := bytes.TrimSpace(im.src); {
	case isCursorExport(text):
		im.cursorExport()
		return
	case isCursorText(text):
		im.cursorText()
		return
	}
	for _, r := range im.records {
		var b cursorBubble
		if !im.decode(r, &b) {
			continue
		}
		im.why = im.kind(string(b.Type))
		m := schema.Message{Timestamp: cmp.Or(timeIn(b.Created), timeIn(b.Timing.Start))}
		if schema.ValidID(b.ID) && b.ID != "" {
			m.ID = "msg-" + b.ID
		}
		switch string(b.Type) {
		case "1", `"user"`:
			m.Role, m.Agent = "user", "user"
		case "2", `"ai"`, `"assistant"`:
			m.Role, m.Agent = "assistant", "cursor"
		default:
			continue
		}
		im.strange = ""
		if im.why = "nothing said"; len(b.Thinking) > 0 {
			im.why = "thinking"
		}
		said := m
		if said.Content = userQuery(cmp.Or(b.Text, b.Raw)); strings.TrimSpace(said.Content) != "" {
			im.noted(r, said)
			m.ID = ""
		}
		if b.Tool.Name != "" {
			input := b.Tool.Args
			if len(input) == 0 {
				input = b.Tool.Params
			}
			if text := str(input); text != "" {
				input = json.RawMessage(text)
			}
			im.noted(r, callOf(m, b.Tool.Name, input))
			m.ID = ""
			result := resultOf(m, b.Tool.Name, textOf(b.Tool.Result))
			if asks(b.Tool.Name) {
				result = answerOf(m, b.Tool.Name, textOf(b.Tool.Result))
			}
			im.noted(r, result)
		}
	}
}

// cursorExport reads Cursor's Markdown export: turns between rules, each under the name of its
// speaker.
func (im *intake) cursorExport() {
	for _, t := range turns(string(im.src), func(line, before string) (who string, ok bool) {
		switch {
		case before != "---":
		case line == "**User**":
			return "user", true
		case line == "**Cursor**":
			return "cursor", true
		}
		return "", false
	}) {
		r := im.turnOf(t)
		if t.who == "" {
			im.title = t.title()
			im.why = ofKind("head")
			continue
		}
		m := schema.Message{Role: "assistant", Agent: t.who, Content: t.text}
		if t.who == "user" {
			m.Role = "user"
		}
		im.noted(r, m)
	}
}

// cursorText reads the text format of older versions of Cursor's agent: turns under user: and
// assistant:, with marks for tools in them.
func (im *intake) cursorText() {
	for _, t := range turns(string(im.src), func(line, _ string) (string, bool) {
		return line, cursorTurn.MatchString(line)
	}) {
		if t.who == "" { // there is no text
			continue
		}
		r := im.turnOf(t)
		if t.who == "user:" {
			im.noted(r, schema.Message{Role: "user", Agent: "user", Content: userQuery(t.text)})
			continue
		}
		im.cursorSaid(r, t.text)
	}
}

// cursorSaid adds an agent's turn. A tool's output ends with a blank line.
func (im *intake) cursorSaid(r record, text string) {
	m := schema.Message{Role: "assistant", Agent: "cursor"}
	var part []string
	mark, tool := "", ""
	end := func() {
		said := strings.TrimSpace(strings.Join(part, "\n"))
		part = nil
		switch mark {
		case "Tool call":
			call := callOf(m, tool, nil)
			call.Content = strings.TrimSpace(call.Content + "\n" + said)
			im.noted(r, call)
		case "Tool result":
			im.noted(r, resultOf(m, tool, said))
		default:
			said = strings.TrimSpace(specThink.ReplaceAllString(said, ""))
			im.noted(r, schema.Message{Role: m.Role, Agent: m.Agent, Content: said})
		}
		mark = ""
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if at := cursorMark.FindStringSubmatch(line); at != nil {
			end()
			if mark, tool = at[1], at[2]; mark == "Thinking" {
				im.why = "thinking"
			}
			continue
		}
		if mark == "Tool call" && line != "" && line[0] != ' ' && line[0] != '\t' || mark == "Tool result" && line == "" {
			end()
		}
		if mark == "Tool call" {
			line = strings.TrimPrefix(line, "  ")
		}
		part = append(part, line)
	}
	end()
}
