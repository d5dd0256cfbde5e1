package condense

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// The formats of exports.
const (
	Discord = "discord"
	Slack   = "slack"
	IRC     = "irc"
)

// Unknown is who said what an export names nobody for.
const Unknown = "unknown"

// An Export is what a chat program wrote down.
type Export struct {
	Format  string
	Channel string // as the export calls it; "" where it does not
	Talks   []ExportedTalk
	Left    int // records that nobody said: people who came and went, empty ones
	Faults  []Fault
}

// An ExportedTalk is a thread, or with an empty Key what was said in the channel
// itself, in order of time. Every message has an id that comes from what the
// export says of it, so that it is the same in each export it stands in.
type ExportedTalk struct {
	Key      string // of the thread, unique among those of its format
	Title    string
	Messages []schema.Message
}

// ExportOptions say what an export does not.
type ExportOptions struct {
	Format  string         // "" has it found out
	Channel string         // that the messages go to; part of ids that hold only within a channel
	Users   []byte         // Slack's users.json; nil where there is none
	Day     time.Time      // of an IRC log that says none; zero where nobody knows
	Zone    *time.Location // of times that name none; nil is UTC
}

// maxFaults is how many faults of an export are told one by one.
const maxFaults = 100

// ReadExport reads a channel or a thread that DiscordChatExporter, Slack or an IRC
// client (weechat, irssi, ZNC and their like) wrote down. What misses members is
// read as far as it goes, and of a text that was cut off what stands before the
// cut. A text that is none of these is an error.
func ReadExport(src []byte, o ExportOptions) (Export, error) {
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	if o.Zone == nil {
		o.Zone = time.UTC
	}
	x := &exported{Export: Export{Format: cmp.Or(o.Format, formatOf(src))}, options: o, src: src, users: map[string]string{}}
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

// formatOf is the format of src by how it begins; "" where that is none.
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

// An exported is an Export being read.
type exported struct {
	Export
	options ExportOptions
	src     []byte
	users   map[string]string // names by id
	talks   map[string]int    // by key
	last    time.Time         // of the message before
	found   int
	more    int // faults that are not kept
}

func (x *exported) fault(offset int, err error) {
	if len(x.Faults) == maxFaults {
		x.more++
		return
	}
	x.Faults = append(x.Faults, Fault{Line: 1 + bytes.Count(x.src[:min(offset, len(x.src))], []byte("\n")), Err: err})
}

// add takes a message in that the export calls native; one without any text is
// left out. A message without a time has that of the one before it.
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
	m.Agent = cmp.Or(single(m.Agent), Unknown)
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

// close puts everything into the order of time.
func (x *exported) close() {
	for i := range x.Talks {
		dated(x.Talks[i].Messages)
		session.InOrder(x.Talks[i].Messages)
	}
	if x.more > 0 {
		x.Faults[maxFaults-1].Err = fmt.Errorf("%w; and %d more places cannot be read", x.Faults[maxFaults-1].Err, x.more)
	}
}

// dated gives messages at the beginning that say no time that of the first that
// does.
func dated(messages []schema.Message) {
	first := slices.IndexFunc(messages, func(m schema.Message) bool { return m.Timestamp != "" })
	for i := range messages[:max(first, 0)] {
		messages[i].Timestamp = messages[first].Timestamp
	}
}

// titleOf is the title of a thread that has none: the first line of what it is
// about.
func titleOf(text string) string {
	const most = 80
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	line = single(line)
	if r := []rune(line); len(r) > most {
		line = string(r[:most])
		if at := strings.LastIndexByte(line, ' '); at > most/2 {
			line = line[:at]
		}
		line += "…"
	}
	return line
}
