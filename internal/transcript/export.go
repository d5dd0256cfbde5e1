package transcript

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// The formats of exports.
const (
	Discord = "discord"
	Slack   = "slack"
	IRC     = "irc"
)

// UnknownSpeaker is the agent of a message for which an export names nobody.
const UnknownSpeaker = "unknown"

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
	Channel string         // the id of the channel that the messages go to; it is part of their ids
	Users   []byte         // Slack's users.json; nil where there is none
	Day     time.Time      // of an IRC log that says none; zero where nobody knows
	Zone    *time.Location // of times that name none; nil is UTC
}

// ReadExport reads a channel or a thread that DiscordChatExporter, Slack or an IRC
// client (weechat, irssi, ZNC and their like) wrote down. What misses members is
// read as far as it goes, and of a text that was cut off what stands before the
// cut. A text that is none of these is an error.
func ReadExport(src []byte, o ExportOptions) (Export, error) {
	if len(src) > jsonedit.MaxSize {
		return Export{}, fmt.Errorf("it has %d bytes, of %d at most", len(src), jsonedit.MaxSize)
	}
	if o.Zone == nil {
		o.Zone = time.UTC
	}
	x := &exporter{Export: Export{Format: o.Format}, options: o, users: map[string]string{}, talks: map[string]int{}}
	head := bytes.TrimSpace(bytes.TrimPrefix(src[:min(len(src), 1<<16)], []byte(byteOrderMark)))
	if x.Format == "" && !bytes.HasPrefix(head, []byte("{")) && ircLike(head) {
		x.Format = IRC
	}
	if x.Format == IRC {
		x.rd = newReader(bytes.TrimPrefix(src, []byte(byteOrderMark)))
		x.irc()
	} else if err := x.json(src); err != nil {
		return Export{}, err
	}
	if x.found == 0 && len(head) > 0 && x.Left == 0 {
		return Export{}, fmt.Errorf("it holds no message of %s", x.Format)
	}
	for i := range x.Talks {
		timeFirst(x.Talks[i].Messages)
		session.InOrder(x.Talks[i].Messages)
	}
	x.Faults = x.rd.sortedFaults()
	return x.Export, nil
}

// json reads an export that is JSON.
func (x *exporter) json(src []byte) error {
	x.rd = newReader(clean(src))
	pieces, torn, header := elements(x.rd.src)
	for _, p := range pieces {
		if m, err := readPart(p.text); err != nil {
			x.rd.fail(p.offset, err)
		} else {
			x.records = append(x.records, m)
		}
	}
	if torn >= 0 {
		x.rd.fail(torn, errors.New("the export breaks off here; what stands before it was read"))
	}
	if x.Format == "" {
		x.Format = x.formatOf(header)
	}
	switch x.Format {
	case Discord:
		x.discord(header)
	case Slack:
		x.slack(header)
	default:
		return errors.New("no known export: DiscordChatExporter's JSON begins with a guild and a channel, Slack's is a list of messages with ts, a line of an IRC log has a time and <somebody>")
	}
	return nil
}

// formatOf returns the format of an export that is JSON; "" for none that is known.
func (x *exporter) formatOf(header part) string {
	if header.has("guild") || header.has("exportedAt") {
		return Discord
	}
	for _, m := range x.records[:min(len(x.records), 50)] {
		switch {
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
}

// An exporter is an Export being read.
type exporter struct {
	Export
	options ExportOptions
	rd      *reader
	records []part
	users   map[string]string // names by id
	talks   map[string]int    // by key
	last    time.Time         // of the message before
	found   int
}

// add takes a message in that the export calls native; one without any text is
// left out. A message without a time has that of the one before it.
func (x *exporter) add(key, title, native string, at time.Time, m schema.Message) {
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
	m.Agent = cmp.Or(oneLine(m.Agent), UnknownSpeaker)
	if native == "" {
		native = m.Timestamp + "\x00" + m.Agent + "\x00" + m.Content
	}
	m.ID = schema.DerivedID("msg-", []byte(x.Format+"\x00"+native))
	x.put(key, title, m)
	x.found++
}

func (x *exporter) put(key, title string, m schema.Message) {
	i, ok := x.talks[key]
	if !ok {
		i = len(x.Talks)
		x.talks[key] = i
		x.Talks = append(x.Talks, ExportedTalk{Key: key, Title: title})
	}
	x.Talks[i].Messages = append(x.Talks[i].Messages, m)
}

// titleOf is the title of a thread that has none: the first line of what it is
// about.
func titleOf(text string) string {
	const most = 80
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	line = oneLine(line)
	if r := []rune(line); len(r) > most {
		line = string(r[:most])
		if at := strings.LastIndexByte(line, ' '); at > most/2 {
			line = line[:at]
		}
		line += "…"
	}
	return line
}

// oneLine is text on one line, without what steers terminals.
func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}
