package transcript

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/schema"
)

// A cursorBubble is a turn of a chat in Cursor's composer, or a line of what its agent
// writes down, which has a role.
type cursorBubble struct {
	Role    string          `json:"role"`
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
	if blocks := doc.Find("/message/content"); blocks >= 0 && doc.Nodes[blocks].Kind == jsonedit.Array && has(doc, "role", jsonedit.String) && !has(doc, "content") {
		return true
	}
	return has(doc, "bubbleId", jsonedit.String) || has(doc, "type", jsonedit.Number) && has(doc, "text", jsonedit.String) ||
		(member(doc, "type") == "ai" || member(doc, "type") == "user") && has(doc, "rawText")
}

// How Cursor writes what is no JSON.
var (
	cursorExport = lazyregexp.New(`^# .*\r?\n_Exported on .{1,80} from Cursor \(.{1,40}\)_`)
	cursorHead   = lazyregexp.New(`^user:[ \t]*\r?\n(?:<[a-z_]+>|(?s:.*)\n(?:assistant|A):[ \t]*\r?\n)`)
	cursorTurn   = lazyregexp.New(`^(?:user|assistant|A):$`)
	cursorMark   = lazyregexp.New(`^\[(Thinking|Tool call|Tool result)\]\s*(\S{0,80})`)
)

func isCursorExport(text []byte) bool { return cursorExport.Match(text[:min(len(text), 1000)]) }

func isCursorProse(text []byte) bool { return isCursorExport(text) || isCursorText(text) }

func isCursorText(text []byte) bool { return cursorHead.Match(text[:min(len(text), 64<<10)]) }

// cursor reads a chat of Cursor: its export, which is markdown, or the JSON of
// its composer.
func (rd *reader) cursor() {
	switch text := bytes.TrimSpace(rd.src); {
	case isCursorExport(text):
		rd.cursorExport()
		return
	case isCursorText(text):
		rd.cursorText()
		return
	}
	calls := map[string]calling{}
	for _, r := range rd.records {
		var b cursorBubble
		if !rd.decode(r, &b) {
			continue
		}
		if b.Role != "" {
			rd.cursorLine(r, calls)
			continue
		}
		rd.why = rd.kind(strings.Trim(string(b.Type), `"`))
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
		rd.strange = ""
		if rd.why = "nothing said"; len(b.Thinking) > 0 {
			rd.why = "thinking"
		}
		said := m
		if said.Content = cmp.Or(b.Text, b.Raw); strings.TrimSpace(said.Content) != "" {
			rd.noted(r, said)
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
			rd.noted(r, callOf(m, b.Tool.Name, input))
			m.ID = ""
			result := resultOf(m, calling{b.Tool.Name, input}.gave(false), textOf(b.Tool.Result))
			if Asks(b.Tool.Name) {
				result = answerOf(m, b.Tool.Name, textOf(b.Tool.Result))
			}
			rd.noted(r, result)
		}
	}
}

// cursorLine takes in a line of what Cursor's agent writes down. Where the model thought
// it has a mark.
func (rd *reader) cursorLine(r record, calls map[string]calling) {
	var l chatLine
	if err := jsonedit.Decode(r.raw, &l); err != nil {
		rd.fail(r.offset, err)
		rd.bad = true
		return
	}
	switch roleIn(l.Role) {
	case "user":
		l.Agent = "user"
	case "assistant":
		l.Agent = "cursor"
	}
	rd.why = "nothing said"
	if bytes.Contains(r.raw, []byte(cursorThought)) {
		rd.why = "thinking"
	}
	rd.chatLine(r, &l, calls)
}

const cursorThought = "[REDACTED]"

// withoutThought is what a turn says, without the lines where the model thought.
func withoutThought(text string) string {
	if !strings.Contains(text, cursorThought) {
		return text
	}
	lines := slices.DeleteFunc(strings.Split(text, "\n"), func(line string) bool { return strings.TrimSpace(line) == cursorThought })
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

var cursorStamp = lazyregexp.New(`<timestamp>\s*([^<]*?)\s*(?:\(UTC([+-]\d{1,2})?(?::(\d\d))?\))?\s*</timestamp>`)

// cursorTime is the time that Cursor puts beside the user's words; "" for none. It
// states the minute, and the zone by its offset.
func cursorTime(context []string) string {
	for _, text := range context {
		at := cursorStamp.FindStringSubmatch(text)
		if at == nil {
			continue
		}
		moment, err := time.Parse("Monday, Jan 2, 2006, 3:04 PM", at[1])
		if err != nil {
			continue
		}
		hours, _ := strconv.Atoi(at[2]) // 0 where none is stated
		minutes, _ := strconv.Atoi(at[3])
		if hours < 0 {
			minutes = -minutes
		}
		return schema.FormatTime(moment.Add(-time.Duration(hours)*time.Hour - time.Duration(minutes)*time.Minute))
	}
	return ""
}

// cursorExport reads what Cursor exports as markdown: turns between rules, under
// who speaks.
func (rd *reader) cursorExport() {
	for _, t := range turns(string(rd.src), func(line, before string) (who string, ok bool) {
		switch {
		case before != "---":
		case line == "**User**":
			return "user", true
		case line == "**Cursor**":
			return "cursor", true
		}
		return "", false
	}) {
		r := rd.turnOf(t)
		if t.who == "" {
			rd.title = t.title()
			rd.why = ofKind("head")
			continue
		}
		m := schema.Message{Role: "assistant", Agent: t.who, Content: t.text}
		if t.who == "user" {
			m.Role = "user"
		}
		rd.noted(r, m)
	}
}

// cursorText reads what Cursor's agent wrote down before it wrote JSON: turns
// under user: and assistant:, with marks for tools in them.
func (rd *reader) cursorText() {
	for _, t := range turns(string(rd.src), func(line, _ string) (string, bool) {
		return line, cursorTurn.MatchString(line)
	}) {
		if t.who == "" { // nothing stands there
			continue
		}
		r := rd.turnOf(t)
		if t.who == "user:" {
			rd.noted(r, schema.Message{Role: "user", Agent: "user", Content: t.text})
			continue
		}
		rd.cursorSaid(r, t.text)
	}
}

// cursorSaid takes in an agent's turn. What a tool gave ends with a blank line.
func (rd *reader) cursorSaid(r record, text string) {
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
			rd.noted(r, call)
		case "Tool result":
			rd.noted(r, resultOf(m, calling{tool: tool}.gave(false), said))
		default:
			said = strings.TrimSpace(specThink.ReplaceAllString(said, ""))
			rd.noted(r, schema.Message{Role: m.Role, Agent: m.Agent, Content: said})
		}
		mark = ""
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if at := cursorMark.FindStringSubmatch(line); at != nil {
			end()
			if mark, tool = at[1], at[2]; mark == "Thinking" {
				rd.why = "thinking"
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
