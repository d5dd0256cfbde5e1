package session

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A Fault is a place of an imported text that could not be read. The rest was.
type Fault struct {
	Line, Column int // from 1; Column counts characters
	Err          error
}

// maxFaults is how many faults are told one by one.
const maxFaults = 100

// A format is a way in which a conversation is written down.
type format struct {
	tool string // as Import names it
	what string // for people
	is   func(doc *jsonedit.Doc) bool
	read func(im *intake)
}

func formats() []format {
	return []format{
		{"codex", "a Codex rollout (session_meta, response_item, event_msg)", isCodex, (*intake).codex},
		{"claude-code", "a Claude Code transcript", isClaude, (*intake).claude},
		{"gemini-cli", "a Gemini CLI session", isGemini, (*intake).gemini},
		{"forgemind", "messages of forgemind, one a line (content, with agent, or msg_id and timestamp)", isOwn, (*intake).own},
		{"chat", "a chat of {role, content}, one a line or in an array", isChat, (*intake).chat},
	}
}

// Import reads the messages of a conversation that forgemind or another tool
// wrote down, in their order there: JSONL, an array, or an object with
// `messages`. tool says whose it is: claude-code, codex, gemini-cli, forgemind
// or chat. Every message has content and an id, the same whenever the same text
// is imported; Admit sees to what else it lacks, and to secrets.
//
// What the tool wrote for itself is left out: hooks, snapshots, notices to the
// model, a subagent's inner talk, and thinking, which nobody said, is signed for
// its maker alone, and is many times longer than what came of it. What the user
// answered inside of a tool's result is the user's message.
//
// A format that is not known is an error; a line that cannot be read a Fault.
func Import(src []byte) (messages []schema.Message, faults []Fault, tool string, err error) {
	t, err := ReadTranscript(src)
	return t.Messages, t.Faults, t.Tool, err
}

// An Imported is what Import reads, and what it says of its own cost.
type Imported struct {
	Messages []schema.Message
	Faults   []Fault
	Tool     string
	// Usage is the last that the transcript states, as of when the first Stated
	// messages had been said; nil where it states none, or where the agent
	// shortened its window since.
	Usage  *Usage
	Stated int
}

// ReadTranscript is Import with what else a transcript says.
func ReadTranscript(src []byte) (Imported, error) {
	if len(src) > jsonedit.MaxSize {
		return Imported{}, fmt.Errorf("it has %d bytes, of %d at most", len(src), jsonedit.MaxSize)
	}
	im := &intake{src: src, ids: map[string]string{}}
	im.open()
	if len(im.records) == 0 && len(im.faults) == 0 {
		return Imported{}, nil
	}
	f, err := im.format()
	if err != nil {
		return Imported{}, err
	}
	im.tool = f.tool
	f.read(im)
	return Imported{im.messages, im.closed(), f.tool, im.usage, im.stated}, nil
}

// A record is one JSON value of an imported text.
type record struct {
	offset int
	raw    []byte
}

// An intake is an import under way.
type intake struct {
	src      []byte
	tool     string
	records  []record
	messages []schema.Message
	faults   []Fault
	more     int    // faults that are not told
	session  string // that of the conversation, where it says so once
	time     string // of the message before
	cwd      string // of the message before
	branch   string
	ids      map[string]string // content by id
	usage    *Usage            // the last that was stated
	stated   int               // how many messages there were then
	line     int               // of offset, for position
	offset   int
}

// open finds the records.
func (im *intake) open() {
	text := bytes.TrimSpace(bytes.TrimPrefix(im.src, []byte(bom)))
	if len(text) == 0 {
		return
	}
	first, _, several := bytes.Cut(text, []byte("\n"))
	_, err := jsonedit.Parse(first)
	if text[0] == '[' || text[0] == '{' && (err != nil || !several) {
		if doc, err := jsonedit.Parse(text); err == nil && im.openDocument(doc, len(im.src)-len(bytes.TrimLeft(bytes.TrimPrefix(im.src, []byte(bom)), " \t\r\n"))) {
			return
		} else if err != nil && text[0] == '[' {
			im.fail(0, err)
			return
		}
	}
	for line := range jsonedit.Lines(im.src) {
		im.records = append(im.records, record{line.Offset, line.Text})
	}
}

// openDocument takes the elements of an array, or those of an object's
// messages, for the records. base is where doc begins in src.
func (im *intake) openDocument(doc *jsonedit.Doc, base int) bool {
	list := 0
	if doc.Nodes[0].Kind == jsonedit.Object {
		if list = doc.Member(0, "messages"); list < 0 {
			return false
		}
		for _, name := range []string{"sessionId", "session_id", "id"} {
			if id, _ := doc.Str(doc.Find("/" + name)); id != "" {
				im.session = id
				break
			}
		}
	}
	if doc.Nodes[list].Kind != jsonedit.Array {
		return false
	}
	for i := range doc.Children(list) {
		im.records = append(im.records, record{base + int(doc.Nodes[i].Start), doc.Raw(i)})
	}
	return true
}

// format is that of the first record that tells it.
func (im *intake) format() (format, error) {
	var doc jsonedit.Doc
	for _, r := range im.records[:min(len(im.records), 200)] {
		if doc.Parse(r.raw) != nil || doc.Nodes[0].Kind != jsonedit.Object {
			continue
		}
		for _, f := range formats() {
			if f.is(&doc) {
				return f, nil
			}
		}
	}
	var seen, known []string
	for _, r := range im.records[:min(len(im.records), 3)] {
		seen = append(seen, fmt.Sprintf("line %d is %s", im.lineOf(r.offset), looks(r.raw)))
	}
	for _, f := range im.faults[:min(len(im.faults), 1)] {
		seen = append(seen, fmt.Sprintf("line %d: %v", f.Line, f.Err))
	}
	for _, f := range formats() {
		known = append(known, f.what)
	}
	return format{}, fmt.Errorf("no known conversation: %s; known are %s", strings.Join(seen, ", "), strings.Join(known, "; "))
}

// looks describes a record for people.
func looks(raw []byte) string {
	doc, err := jsonedit.Parse(raw)
	if err != nil {
		return "no JSON (" + cut(string(raw[:min(len(raw), 200)])) + ")"
	}
	if doc.Nodes[0].Kind != jsonedit.Object {
		return doc.Nodes[0].Kind.String()
	}
	var names []string
	for i := range doc.Children(0) {
		if names = append(names, cut(doc.Key(i))); len(names) == 6 {
			names = append(names, "…")
			break
		}
	}
	return "an object with " + strings.Join(names, ", ")
}

// lineOf is the line of an offset in src; offsets must not go down.
func (im *intake) lineOf(offset int) int {
	if offset < im.offset {
		im.line, im.offset = 0, 0
	}
	im.line += bytes.Count(im.src[im.offset:offset], []byte("\n"))
	im.offset = offset
	return im.line + 1
}

// decode reads a record into v, or notes the fault.
func (im *intake) decode(r record, v any) bool {
	err := jsonedit.Decode(r.raw, v)
	if err == nil {
		return true
	}
	offset := r.offset
	var wrong *jsonedit.SyntaxError
	if errors.As(err, &wrong) {
		offset, err = offset+wrong.Offset, wrong
	}
	im.fail(offset, err)
	return false
}

func (im *intake) fail(offset int, err error) {
	if len(im.faults) == maxFaults {
		im.more++
		return
	}
	offset = min(offset, len(im.src))
	start := bytes.LastIndexByte(im.src[:offset], '\n') + 1
	_, column, _ := jsonedit.Position(im.src[start:], offset-start)
	im.faults = append(im.faults, Fault{im.lineOf(offset), column, err})
}

func (im *intake) closed() []Fault {
	if im.more > 0 {
		im.faults[maxFaults-1].Err = fmt.Errorf("%w; and %d more lines cannot be read", im.faults[maxFaults-1].Err, im.more)
	}
	return im.faults
}

// add takes a message in. Where its id is not one, or is another message's, it
// gets one that derives from what it says, when, and where it stands.
func (im *intake) add(r record, m schema.Message) {
	if strings.TrimSpace(m.Content) == "" {
		return
	}
	if m.Timestamp == "" {
		m.Timestamp = im.time
	}
	im.time = m.Timestamp
	if m.Session == "" {
		m.Session = im.session
	}
	before, taken := im.ids[m.ID]
	if taken && before == m.Content {
		return
	}
	if taken || !schema.ValidID(m.ID) {
		m.ID = schema.DerivedID("msg-", fmt.Appendf(nil, "%s\x00%s\x00%d\x00%d\x00%s", m.Session, m.Timestamp, r.offset, len(im.messages), m.Content))
	}
	im.ids[m.ID] = m.Content
	im.messages = append(im.messages, m)
}

// note is metadata that says where a message comes from: with the first, and
// when it changes.
func (im *intake) note(m *schema.Message, cwd, branch string) {
	if len(im.messages) > 0 && cwd == im.cwd && branch == im.branch {
		return
	}
	im.cwd, im.branch = cwd, branch
	m.Metadata, _ = jsonedit.Value(struct {
		Source string `json:"source"`
		CWD    string `json:"cwd,omitempty"`
		Branch string `json:"branch,omitempty"`
	}{im.tool, cwd, branch})
}
