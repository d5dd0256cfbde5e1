package transcript

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/forgemind/forgemind/schema"
)

// discord reads the JSON of DiscordChatExporter: one channel, or one thread, a
// file.
func (x *exporter) discord(header part) {
	x.Channel = header.text("channel", "name")
	key, title := "", ""
	if kind := header.text("channel", "type"); strings.Contains(kind, "Thread") || kind == "10" || kind == "11" || kind == "12" {
		title = x.Channel
		x.Channel = header.text("channel", "category") // of a thread that is the channel it branched from
		key = cmp.Or(header.text("channel", "id"), title)
	}
	for _, m := range x.records {
		x.discordMessage(key, title, m)
	}
}

func (x *exporter) discordMessage(key, title string, m part) {
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

// discordNotice says whether a message of that type is Discord's own: somebody
// came, pinned, called. Types that the exporter has no name for are numbers.
func discordNotice(kind string) bool {
	if n, err := strconv.Atoi(kind); err == nil {
		return !slices.Contains([]int{0, 19, 20, 21, 23}, n) // said, replied, began a thread, answered a command
	}
	for _, notice := range []string{"Recipient", "Call", "Channel", "Guild", "ThreadCreated"} {
		if strings.HasPrefix(kind, notice) {
			return true
		}
	}
	return false
}

// discordText is what a message says, with what is attached to it.
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

// attached is a line for a file that belongs to a message.
func attached(name, url string) string {
	if name == "" && url == "" {
		return ""
	}
	return strings.TrimSpace(fmt.Sprintf("[file: %s] %s", oneLine(cmp.Or(name, url)), oneLine(url)))
}

// snowflake is when Discord made an id; zero where it is none.
func snowflake(id string) time.Time {
	const epoch = 1420070400000 // the beginning of 2015 in ms
	n, err := strconv.ParseUint(id, 10, 63)
	if err != nil || n < 1<<32 {
		return time.Time{}
	}
	return time.UnixMilli(int64(n>>22) + epoch)
}

// moment is a time as exports write it; zero where it is none. One that names no
// zone is of the zone of the options.
func (x *exporter) moment(text string) time.Time {
	if at, ok := zonedTime(text); ok {
		return at
	}
	for _, layout := range []string{
		"2006-01-02T15:04:05.999999999Z0700", "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999Z07:00",
		"2006-01-02 15:04:05.999999999", "2006-01-02T15:04Z07:00", "2006-01-02 15:04",
	} {
		if at, err := time.ParseInLocation(layout, text, x.options.Zone); err == nil && at.Year() > 1970 {
			return at
		}
	}
	return time.Time{}
}
