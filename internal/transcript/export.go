package transcript

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/text"
	"github.com/forgemind/forgemind/schema"
)

// The formats of exports.
const (
	Discord = "discord"
	Slack   = "slack"
	IRC     = "irc"
)

// UnknownAgent is the agent of a message whose author an export does not name.
const UnknownAgent = "unknown"

// An Export holds the conversations of a chat program's export.
type Export struct {
	Format  string
	Channel string // its name in the export; "" if it has none
	Talks   []ExportedTalk
	Left    int // records that are not messages: joins and leaves, empty records
	Faults  []Fault
}

// An ExportedTalk is a thread or, if Key is empty, the conversation of the channel itself, in order
// of time. The id of a message derives from its members, so that it is the same in each export.
type ExportedTalk struct {
	Key      string // of the thread, unique among those of its format
	Title    string
	Messages []schema.Message
}

// ExportOptions hold what an export does not state.
type ExportOptions struct {
	Format  string         // "" detects it
	Channel string         // the id of the channel that gets the messages; their ids derive from it
	Users   []byte         // Slack's users.json; nil if there is none
	Day     time.Time      // of an IRC log without a date; zero if it is not known
	Zone    *time.Location // of times without a zone; nil is UTC
}

// ReadExport reads a channel or a thread that DiscordChatExporter, Slack or an IRC
// client (weechat, irssi, ZNC or a similar one) exported. Members may be missing. Of a
// truncated text it reads the complete messages. An unknown format is an error.
func ReadExport(src []byte, o ExportOptions) (Export, error) {
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	if o.Zone == nil {
		o.Zone = time.UTC
	}
	x := &exported{Export: Export{Format: cmp.Or(o.Format, formatOf(src))}, options: o, source: source{src: src}, users: map[string]string{}}
	if x.Format != IRC && !utf8.Valid(src) {
		x.src = bytes.ToValidUTF8(src, []byte("\ufffd"))
	}
	switch x.Format {
	case Discord:
		x.discord()
	case Slack:
		x.slack()
	case IRC:
		x.irc()
	default:
		return Export{}, errors.New("no known export: DiscordChatExporter's JSON begins with a guild and a channel, Slack's is a list of messages with ts, a line of an IRC log has a time and <somebody>")
	}
	if x.found == 0 && len(bytes.TrimSpace(src)) > 0 && x.Left == 0 {
		return Export{}, fmt.Errorf("it holds no message of %s", x.Format)
	}
	x.close()
	return x.Export, nil
}

// formatOf returns the format of src by its beginning; "" if it is unknown.
func formatOf(src []byte) string {
	head := bytes.TrimSpace(src[:min(len(src), 1<<16)])
	switch {
	case len(head) == 0:
		return ""
	case head[0] == '{' || head[0] == '[' && !ircLike(head):
		pieces, _, header := elements(src)
		if header.has("guild") || header.has("exportedAt") {
			return Discord
		}
		for _, p := range pieces[:min(len(pieces), 50)] {
			m, err := readPart(p.text)
			switch {
			case err != nil:
			case m.has("ts"):
				return Slack
			case m.has("author"):
				return Discord
			}
		}
		if header.has("messages") {
			return Slack
		}
		return ""
	case ircLike(head):
		return IRC
	}
	return ""
}

// An exported is an export that is being read.
type exported struct {
	Export
	source
	options ExportOptions
	users   map[string]string // names by id
	talks   map[string]int    // by key
	last    time.Time         // of the previous message
	found   int
}

// add adds a message whose id in the export is native. A message without text is left
// out. A message without a time gets that of the message before it.
func (x *exported) add(key, title, native string, at time.Time, m schema.Message) {
	m.Content = strings.TrimRight(m.Content, " \t\r\n")
	if strings.TrimSpace(m.Content) == "" {
		x.Left++
		return
	}
	if at.IsZero() {
		at = x.last
	}
	if x.last = at; !at.IsZero() {
		m.Timestamp = schema.FormatTime(at)
	}
	m.Agent = cmp.Or(text.Line(m.Agent), UnknownAgent)
	if native == "" {
		native = m.Timestamp + "\x00" + m.Agent + "\x00" + m.Content
	}
	m.ID = schema.DerivedID("msg-", []byte(x.Format+"\x00"+native))
	x.put(key, title, m)
	x.found++
}

func (x *exported) put(key, title string, m schema.Message) {
	if x.talks == nil {
		x.talks = map[string]int{}
	}
	i, ok := x.talks[key]
	if !ok {
		i = len(x.Talks)
		x.talks[key] = i
		x.Talks = append(x.Talks, ExportedTalk{Key: key, Title: title})
	}
	x.Talks[i].Messages = append(x.Talks[i].Messages, m)
}

// close sorts the messages of each conversation by time.
func (x *exported) close() {
	for i := range x.Talks {
		dated(x.Talks[i].Messages)
		slices.SortStableFunc(x.Talks[i].Messages, func(a, b schema.Message) int { return timeOf(a).Compare(timeOf(b)) })
	}
	x.Faults = x.inOrder("places")
}

// timeOf returns the time of a message; the zero time if it has none.
func timeOf(m schema.Message) time.Time {
	at, _ := schema.ParseTime(m.Timestamp)
	return at
}

// dated gives the first messages, if they have no time, that of the next message.
func dated(messages []schema.Message) {
	first := slices.IndexFunc(messages, func(m schema.Message) bool { return m.Timestamp != "" })
	for i := range messages[:max(first, 0)] {
		messages[i].Timestamp = messages[first].Timestamp
	}
}

// titleOf returns a title for a thread: the first line of s, shortened.
func titleOf(s string) string {
	const most = 80
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	line = text.Line(line)
	if r := []rune(line); len(r) > most {
		line = string(r[:most])
		if at := strings.LastIndexByte(line, ' '); at > most/2 {
			line = line[:at]
		}
		line += "…"
	}
	return line
}
