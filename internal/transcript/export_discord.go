package transcript

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/forgemind/forgemind/internal/text"
	"github.com/forgemind/forgemind/schema"
)

// discord reads the JSON of DiscordChatExporter: one channel, or one thread, in each file.
func (x *exported) discord() {
	pieces, torn, header := elements(x.src)
	x.Channel = header.text("channel", "name")
	key, title := "", ""
	if kind := header.text("channel", "type"); strings.Contains(kind, "Thread") || kind == "10" || kind == "11" || kind == "12" {
		title = x.Channel
		x.Channel = header.text("channel", "category") // for a thread, this is the channel that it branched from
		key = cmp.Or(header.text("channel", "id"), title)
	}
	for _, p := range pieces {
		m, err := readPart(p.text)
		if err != nil {
			x.fail(p.offset, err)
			continue
		}
		x.discordMessage(key, title, m)
	}
	if torn >= 0 {
		x.fail(torn, errTorn)
	}
}

var errTorn = errors.New("the export breaks off here; what comes before it was read")

func (x *exported) discordMessage(key, title string, m part) {
	said := schema.Message{
		Agent:   cmp.Or(m.text("author", "nickname"), m.text("author", "name"), m.text("author", "id")),
		Role:    "user",
		Content: discordText(m),
	}
	if discordNotice(m.text("type")) {
		x.Left++
		return
	}
	if m.isTrue("author", "isBot") {
		said.Role = "assistant"
	}
	id := m.text("id")
	at := x.moment(m.text("timestamp"))
	if at.IsZero() {
		at = snowflake(id)
	}
	said.Metadata = provenance(Discord, "id", id, "reply_to", m.text("reference", "messageId"))
	x.add(key, title, id, at, said)
}

// discordNotice reports whether a message of that type is a notice of Discord, such as a join, a pin
// or a call. Types that the exporter has no name for are numbers.
func discordNotice(kind string) bool {
	if n, err := strconv.Atoi(kind); err == nil {
		return !slices.Contains([]int{0, 19, 20, 21, 23}, n) // a message, a reply, a command, the first message of a thread, a context menu command
	}
	for _, notice := range []string{"Recipient", "Call", "Channel", "Guild", "ThreadCreated"} {
		if strings.HasPrefix(kind, notice) {
			return true
		}
	}
	return false
}

// discordText returns the text of a message, with its attachments.
func discordText(m part) string {
	var lines []string
	add := func(text string) {
		if strings.TrimSpace(text) != "" {
			lines = append(lines, text)
		}
	}
	add(m.text("content"))
	for _, a := range m.list("attachments") {
		add(attached(a.text("fileName"), a.text("url")))
	}
	for _, e := range m.list("embeds") {
		add(e.text("title"))
		add(e.text("description"))
		for _, f := range e.list("fields") {
			add(f.text("name") + ": " + f.text("value"))
		}
	}
	for _, s := range m.list("stickers") {
		add(attached(s.text("name"), ""))
	}
	if other := m.at("forwardedMessage"); other.doc != nil {
		if text := discordText(other); text != "" {
			add("[forwarded] " + text)
		}
	}
	return strings.Join(lines, "\n")
}

// attached returns a line for a file that belongs to a message.
func attached(name, url string) string {
	if name == "" && url == "" {
		return ""
	}
	return strings.TrimSpace(fmt.Sprintf("[file: %s] %s", text.Line(cmp.Or(name, url)), text.Line(url)))
}

// snowflake returns the time at which Discord made an id; zero if it is none.
func snowflake(id string) time.Time {
	const epoch = 1420070400000 // the beginning of 2015 in ms
	n, err := strconv.ParseUint(id, 10, 63)
	if err != nil || n < 1<<32 {
		return time.Time{}
	}
	return time.UnixMilli(int64(n>>22) + epoch)
}

// moment returns a time of an export; zero if the text is no time. A time without a zone has the
// zone of the options.
func (x *exported) moment(text string) time.Time {
	if at, err := schema.ParseTime(text); err == nil {
		return at
	}
	return parseTime(text, x.options.Zone, "2006-01-02T15:04Z07:00", "2006-01-02 15:04")
}
