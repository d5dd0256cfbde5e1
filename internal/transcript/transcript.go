package transcript

import (
	"errors"
	"fmt"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/secret"
	"github.com/forgemind/forgemind/schema"
)

// A Transcript holds the messages of a transcript, the counts of its records, and
// the number of tokens that it states.
type Transcript struct {
	Messages []schema.Message
	Faults   []Fault // the first ones
	Tool     string
	Title    string    // of the conversation, if the transcript has one
	Records  int       // lines, elements or turns of the text
	Gave     int       // records with at least one message
	Unread   int       // records that cannot be read
	Skipped  []Skipped // records without a message, by reason
	Unknown  []Skipped // those of Skipped whose kind is unknown
	Mended   int       // records that were read after bytes that JSON forbids were removed
	Untimed  int       // messages whose time cannot be read, or is missing while others have one
	// Usage is the last one that the transcript states, after the first Stated messages. It is nil if
	// the transcript states none, or if the agent shortened its window afterwards.
	Usage  *Usage
	Stated int
}

// Read reads a transcript of forgemind or another tool: JSONL, an array, an object
// that holds one, or markdown. The messages keep their order. Every message has
// content and an id, and the same text gives the same ids.
//
// Read leaves out what the tool wrote for itself: hooks, snapshots, notices to the
// model, the inner conversation of a subagent, and thinking. It also leaves out calls
// and results of forgemind's own MCP tools, which repeat what is recorded. An answer of the user
// inside of a tool's result is a message of the user.
//
// Only records of known kinds give messages; others are counted in Unknown. Text that
// the tool put into the user's turn is not the user's; see Typed. The summary of a
// compaction gives one message of kind "summary".
//
// An unknown format is an error. A line that cannot be read is a Fault.
func Read(src []byte) (Transcript, error) { return ReadAs("", src) }

// ReadAs is Read for a transcript of tool, one of Tools. If tool is empty, ReadAs
// detects it.
func ReadAs(tool string, src []byte) (Transcript, error) {
	if len(src) > jsonedit.MaxSize {
		return Transcript{}, fmt.Errorf("it has %d bytes, of %d at most", len(src), jsonedit.MaxSize)
	}
	return newIntake(clean(src)).read(tool)
}

func newIntake(src []byte) *intake {
	return &intake{source: source{src: src}, ids: map[string]string{}, nth: map[string]saying{}, count: count{left: map[string]int{}, strangers: map[string]int{}}}
}

// read reads the text as a transcript of tool; "" detects the tool.
func (im *intake) read(tool string) (Transcript, error) {
	f, err := im.begin(tool)
	if err != nil || f.read == nil {
		return Transcript{}, err
	}
	im.tool = f.tool
	f.read(im)
	im.settle()
	untimed := im.settleTimes()
	if tool != "" && len(im.messages) == 0 && !im.knows(f) {
		return Transcript{}, im.unknown(tool)
	}
	title, _ := secret.Mask(strings.Join(strings.Fields(im.title), " "))
	return im.part(Transcript{
		Messages: im.messages, Faults: im.inOrder("lines"), Tool: f.tool, Title: title,
		Records: len(im.records) + im.torn + im.added, Gave: im.gave, Unread: im.unread, Skipped: im.leftOut(), Unknown: byCount(im.strangers), Mended: im.mended,
		Usage: im.usage, Stated: im.stated, Untimed: untimed,
	}), nil
}

// A record is one JSON value, or one turn of markdown, of a transcript.
type record struct {
	offset int
	raw    []byte
}

// An intake is a transcript that is being read.
type intake struct {
	source
	votes    map[string]int // number of records of each format
	from     int            // where the requested part begins
	old      int            // number of messages before it
	talk     bool           // it is not a subagent's own transcript
	tool     string
	records  []record
	messages []schema.Message
	session  string // of the conversation, if the transcript states it once
	title    string
	by       string // the agent, if the transcript states it once
	hint     string // the tool, if the document states it once
	time     string // the beginning of the conversation, if the transcript states it
	cwd      string // of the previous message
	branch   string
	ids      map[string]string // content by id
	nth      map[string]saying // repetitions of messages without an id, by their content
	usage    *Usage            // the last stated usage
	stated   int               // number of messages at that time
	count
}

// A saying counts how often the same text was said, with the offset of the last time.
type saying struct{ times, offset int }

// decode begins a record and decodes it into v. If that fails, it adds a fault.
func (im *intake) decode(r record, v any) bool {
	im.next()
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
	im.bad = true
	return false
}

// add adds a message. If its id is invalid or belongs to another message, add derives
// one from its content, its time and the message before it. A message that is already
// there is not added again. Its time stays as stated; see settleTimes.
func (im *intake) add(r record, m schema.Message) {
	if strings.TrimSpace(m.Content) == "" {
		return
	}
	if m.Role != "user" && ownTool.MatchString(m.ToolName) {
		im.why = "a tool of forgemind"
		return
	}
	own := preciseTime(m.Timestamp)
	if m.Session == "" {
		m.Session = im.session
	}
	before, taken := im.ids[m.ID]
	again := taken && before == m.Content
	if !again && (taken || !schema.ValidID(m.ID)) {
		m.ID, again = im.derived(r, m, own)
	}
	if again {
		im.why = "duplicate"
		return
	}
	im.ids[m.ID] = m.Content
	im.messages = append(im.messages, m)
	if r.offset < im.from {
		im.old = len(im.messages)
	}
	im.fresh++
}

// derived returns the id of a message that has none. If the message states its time
// and another record said the same at that time, the record is a repetition. Without
// a time, equal messages are different messages.
func (im *intake) derived(r record, m schema.Message, own string) (id string, again bool) {
	after := ""
	if n := len(im.messages); own == "" && n > 0 {
		after = im.messages[n-1].Content
	}
	key := schema.DerivedID("", fmt.Appendf(nil, "%s\x00%s\x00%s\x00%s\x00%s", m.Session, own, m.Role, m.Content, after))
	said := im.nth[key]
	if said.times > 0 && own != "" && said.offset != r.offset && r.raw != nil {
		return "", true
	}
	said.times++
	said.offset = r.offset
	im.nth[key] = said
	return schema.DerivedID("msg-", fmt.Appendf(nil, "%s %d", key, said.times)), false
}

// note sets the metadata that names the source of m, if m is the first message or the
// source differs from that of the message before.
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
