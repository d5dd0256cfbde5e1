package transcript

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/secret"
	"github.com/forgemind/forgemind/schema"
)

// A Fault is a place of an imported text that could not be read. The rest was.
type Fault struct {
	Line, Column int // from 1; Column counts characters
	Err          error
	offset       int
}

// maxFaults is how many faults are told one by one.
const maxFaults = 100

// A Transcript is what Read reads, what it leaves, and what the transcript says
// of its own cost.
type Transcript struct {
	Messages []schema.Message
	Faults   []Fault // the first of them
	Tool     string
	Title    string    // of the conversation, where the transcript has one
	Talks    []Talk    // in an export of several conversations: all that it holds
	Records  int       // in the text: lines, elements, turns
	Gave     int       // of these, brought at least one message
	Unread   int       // of these, could not be read
	Skipped  []Skipped // of these, brought none, and why
	Unknown  []Skipped // of these skipped, are of kinds that are not known
	Mended   int       // of these, were read after bytes that JSON forbids were taken out
	Untimed  int       // messages whose time cannot be read, or is missing where others have one
	// TakenBack are the ids of messages that the user took back, as far as they are read;
	// they are not among Messages, and may be known from before.
	TakenBack []string
	// Again are messages before the part that was read which the user had taken back, and
	// went back to in the part.
	Again []schema.Message
	// Short reports that more of what stands before the part may show that some of it was
	// taken back.
	Short bool
	// Usage is the last that the transcript states, as of when the first Stated
	// messages had been said; nil where it states none, or where the agent
	// shortened its window since.
	Usage  *Usage
	Stated int
}

// AgentSession returns the id of the agent's session that t is of: that of its last message, for
// a fork may begin with what another said. It returns "" for a chat and forgemind's own messages.
func (t *Transcript) AgentSession() string {
	if len(t.Messages) == 0 || t.Tool == "chat" || t.Tool == "forgemind" {
		return ""
	}
	return t.Messages[len(t.Messages)-1].Session
}

// EachTalk returns the conversations of an export, in their order, each as a transcript; of what is
// no export, t itself.
func (t *Transcript) EachTalk() []Transcript {
	if len(t.Talks) < 2 || len(t.Messages) == 0 {
		return []Transcript{*t}
	}
	var talks []Transcript
	at := map[string]int{} // of each conversation, by its id
	for _, m := range t.Messages {
		i, known := at[m.Session]
		if !known {
			i, at[m.Session] = len(talks), len(talks)
			talks = append(talks, *t)
			talks[i].Messages, talks[i].Title = nil, t.titleOf(m.Session)
		}
		talks[i].Messages = append(talks[i].Messages, m)
	}
	return talks
}

// titleOf returns the title of a conversation of an export; "" where it has none.
func (t *Transcript) titleOf(talk string) string {
	if i := slices.IndexFunc(t.Talks, func(other Talk) bool { return other.ID == talk }); i >= 0 {
		return t.Talks[i].Title
	}
	return ""
}

// Read reads the messages of a conversation that forgemind or another tool
// wrote down, in their order there: JSONL, an array, an object that holds one, or
// markdown. Every message has content and an id, the same whenever the same text is
// read; Admit sees to what else it lacks, and to secrets.
//
// What the tool wrote for itself is left out: hooks, snapshots, notices to the
// model, a subagent's inner talk, and thinking, which nobody said, is signed for
// its maker alone, and is many times longer than what came of it. What the user
// answered inside of a tool's result is the user's message.
//
// Only records of known kinds are taken as talk; others are counted in Unknown. What
// the tool itself wrote into the user's turn is not the user's; see Typed. A summary
// of a compaction is a message of that kind, once.
//
// A format that is not known is an error; a line that cannot be read a Fault.
func Read(src []byte) (Transcript, error) { return ReadOf("", src) }

// ReadOf is Read of a text that is known to be a tool's, one of Tools; "" finds out.
func ReadOf(tool string, src []byte) (Transcript, error) { return ReadTalk(tool, "", src) }

// ReadTalk is ReadOf of one conversation of an export, by its id or its title, if no other has
// that; "" reads all. An error may come with a Transcript that has Faults.
func ReadTalk(tool, talk string, src []byte) (Transcript, error) {
	if len(src) > jsonedit.MaxSize {
		return Transcript{}, fmt.Errorf("it has %d bytes, of %d at most", len(src), jsonedit.MaxSize)
	}
	rd := newReader(clean(src))
	rd.only = talk
	im, err := rd.read(tool)
	if err == nil && talk != "" {
		err = rd.oneTalk()
	}
	return im, err
}

func newReader(src []byte) *reader {
	return &reader{src: src, ids: map[string]string{}, nth: map[string]saying{}, count: count{left: map[string]int{}, strangers: map[string]int{}}}
}

// read reads the text as that of a tool; "" finds out whose it is.
func (rd *reader) read(tool string) (Transcript, error) {
	f, err := rd.begin(tool)
	if err != nil || f.read == nil {
		return Transcript{}, err
	}
	rd.tool = f.tool
	f.read(rd)
	rd.settle()
	untimed := rd.settleTimes()
	if tool != "" && len(rd.messages) == 0 && !rd.knows(f) {
		return Transcript{}, rd.unknown(tool)
	}
	title, _ := secret.Mask(strings.Join(strings.Fields(rd.title), " "))
	return rd.part(Transcript{
		Messages: rd.messages, Faults: rd.sortedFaults(), Tool: f.tool, Title: title, Talks: rd.talks,
		Records: len(rd.records) + rd.torn + rd.added, Gave: rd.gave, Unread: rd.unread, Skipped: rd.leftOut(), Unknown: byCount(rd.strangers), Mended: rd.mended,
		Usage: rd.usage, Stated: rd.stated, Untimed: untimed, TakenBack: rd.takenBack, Again: rd.wentBack, Short: rd.short,
	}), nil
}

// A record is one JSON value, or one turn of a prose, of an imported text.
type record struct {
	offset int
	raw    []byte
}

// A reader is a transcript being read.
type reader struct {
	votes     map[string]int // of records, for the format that they are of
	src       []byte
	from      int  // where the part begins that is asked for
	old       int  // how many messages stand before it
	talk      bool // it is no subagent's own
	side      bool // it is a subagent's own, as it says: what that cost is not the window's
	tool      string
	records   []record
	messages  []schema.Message
	faults    []Fault
	more      int    // faults that are not told
	session   string // that of the conversation, where it says so once
	title     string
	only      string            // the conversation that is asked for; "" for all
	talks     []Talk            // of an export
	head      []byte            // what a document says of the conversation as a whole
	by        string            // the agent, where the transcript says so once
	after     string            // the content of the message before, also of one that was left out since
	hint      string            // the tool, where the document says so as a whole
	time      string            // when the conversation began, where the transcript says so
	here      place             // where what is read is said
	before    place             // where the message before was said
	ids       map[string]string // content by id
	nth       map[string]saying // by what was said, of what has no id
	gone      map[int]bool      // offsets of records that the user took back
	takenBack []string          // ids of what they say
	wentBack  []schema.Message  // what the records of again say
	again     map[int]bool      // offsets of records before the part that the user went back to
	short     bool              // see Transcript.Short
	usage     *Usage            // the last that was stated
	stated    int               // how many messages there were then
	line      int               // of offset, for position
	offset    int
	count
}

// A saying is how often the same was said, and where last.
type saying struct{ times, offset int }

// lineOf is the line of an offset in src; offsets must not go down.
func (rd *reader) lineOf(offset int) int {
	if offset < rd.offset {
		rd.line, rd.offset = 0, 0
	}
	rd.line += bytes.Count(rd.src[rd.offset:offset], []byte("\n"))
	rd.offset = offset
	return rd.line + 1
}

// decode begins with a record and reads it into v, or notes the fault.
func (rd *reader) decode(r record, v any) bool {
	rd.next()
	rd.taken = rd.gone[r.offset]
	err := jsonedit.Decode(r.raw, v)
	if err == nil {
		return true
	}
	rd.unfit(r, r.raw, err)
	rd.bad = true
	return false
}

// unfit notes that a value of a record could not be decoded. Of one that does not stand in the
// record as it is the place of the record is told.
func (rd *reader) unfit(r record, value []byte, err error) {
	offset := r.offset
	var wrong *jsonedit.SyntaxError
	var at *jsonedit.PointerError
	if len(rd.faults) == maxFaults {
		rd.more++
		return
	}
	from := bytes.Index(r.raw, value)
	switch {
	case from < 0:
	case errors.As(err, &wrong):
		offset, err = offset+from+wrong.Offset, wrong
	case errors.As(err, &at):
		offset += from
		if doc, err := jsonedit.Parse(value); err == nil {
			offset += int(doc.Nodes[max(0, doc.Find(at.Pointer))].Start)
		}
	}
	rd.fail(offset, err)
}

func (rd *reader) fail(offset int, err error) {
	if len(rd.faults) == maxFaults {
		rd.more++
		return
	}
	offset = min(offset, len(rd.src))
	start := bytes.LastIndexByte(rd.src[:offset], '\n') + 1
	_, column, _ := jsonedit.Position(rd.src[start:], offset-start)
	rd.faults = append(rd.faults, Fault{rd.lineOf(offset), column, err, offset})
}

func (rd *reader) sortedFaults() []Fault {
	slices.SortStableFunc(rd.faults, func(a, b Fault) int { return a.offset - b.offset })
	if rd.more > 0 {
		rd.faults[maxFaults-1].Err = fmt.Errorf("%w; and %d more lines cannot be read", rd.faults[maxFaults-1].Err, rd.more)
	}
	return rd.faults
}

// add takes a message in. Where its id is not one, or is another message's, it
// gets one that derives from what it says, when, and after what. What was said
// already is not taken in again. Its time is as the transcript states it, see
// settleTimes. Of the user's turn only what was typed is taken.
func (rd *reader) add(r record, m schema.Message) {
	if strings.TrimSpace(m.Content) == "" || !rd.typed(&m) {
		return
	}
	own := preciseTime(m.Timestamp)
	if m.Session == "" {
		m.Session = rd.session
	}
	before, taken := rd.ids[m.ID]
	again := taken && before == m.Content
	if !again && (taken || !schema.ValidID(m.ID)) {
		m.ID, again = rd.derived(r, m, own)
	}
	if again {
		rd.why = "duplicate"
		return
	}
	rd.ids[m.ID] = m.Content
	if rd.taken {
		rd.takenBack = append(rd.takenBack, m.ID)
		return
	}
	rd.after = m.Content
	if isAsked(&m) && rd.tool != "forgemind" {
		rd.why = "asked of forgemind"
		return
	}
	rd.before = rd.here
	if rd.again[r.offset] {
		rd.wentBack = append(rd.wentBack, m)
	}
	rd.messages = append(rd.messages, m)
	if r.offset < rd.from {
		rd.old = len(rd.messages)
	}
	rd.fresh++
}

// typed makes m what the user typed of it, if it is the user's, and reports whether
// that is anything. The files that the rest names are noted in its metadata, and the time
// is that which the rest states if nothing else does.
func (rd *reader) typed(m *schema.Message) bool {
	if m.Role != "user" || m.ToolName != "" || rd.tool == "forgemind" {
		return true
	}
	switch rd.tool {
	case "chatgpt", "claude-ai", "vscode": // which keep apart what was typed
		return true
	}
	w := unwrap(cmp.Or(clients[rd.by], rd.tool), m.Content)
	if m.Content = w.typed; m.Content == "" {
		rd.why = "notice to the model"
		return false
	}
	if m.Timestamp == "" {
		m.Timestamp = cursorTime(w.context)
	}
	noteFiles(m, filesIn(w.context))
	return true
}

// derived is the id of a message that has none. Of what says its time, that it
// says the same once more, in another record, means that the record stands there
// again; of what does not, people say the same twice.
func (rd *reader) derived(r record, m schema.Message, own string) (id string, again bool) {
	after := ""
	if own == "" {
		after = rd.after
	}
	key := schema.DerivedID("", fmt.Appendf(nil, "%s\x00%s\x00%s\x00%s\x00%s", m.Session, own, m.Role, m.Content, after))
	said := rd.nth[key]
	if said.times > 0 && own != "" && said.offset != r.offset && r.raw != nil {
		return "", true
	}
	said.times++
	said.offset = r.offset
	rd.nth[key] = said
	return schema.DerivedID("msg-", fmt.Appendf(nil, "%s %d", key, said.times)), false
}

// takeBack notes that the user took records back.
func (rd *reader) takeBack(records []record) {
	if rd.gone == nil {
		rd.gone = map[int]bool{}
	}
	for _, r := range records {
		rd.gone[r.offset] = true
	}
}

// A place is where the agent works.
type place struct{ cwd, branch string }

// note is metadata that says where a message comes from: with the first, and
// when it changes.
func (rd *reader) note(m *schema.Message, cwd, branch string) {
	rd.here = place{cwd, branch}
	if len(rd.messages) > 0 && rd.here == rd.before {
		return
	}
	m.Metadata, _ = jsonedit.Value(struct {
		Source string `json:"source"`
		CWD    string `json:"cwd,omitempty"`
		Branch string `json:"branch,omitempty"`
	}{rd.tool, cwd, branch})
}
