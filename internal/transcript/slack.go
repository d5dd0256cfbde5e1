package transcript

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/schema"
)

// slack reads a day or a whole channel of Slack's export: a list of messages, or
// an object with messages, and perhaps users and the channel's name.
func (x *exporter) slack(header part) {
	x.Channel = cmp.Or(header.text("channel", "name"), header.text("channel_name"), header.text("name"), header.text("channel"))
	x.slackUsers(header.at("users"))
	if p, err := readPart(x.options.Users); err == nil {
		x.slackUsers(p)
		x.slackUsers(p.at("members"))
	}
	var messages []part
	for _, m := range x.records {
		messages = append(append(messages, m), m.list("slackdump_thread_replies")...)
	}
	titles := map[string]string{} // of threads, by their ts
	for _, m := range messages {
		x.slackUser(m.at("user_profile"), m.text("user"))
		if thread := m.text("thread_ts"); thread != "" && thread != m.text("ts") && titles[thread] == "" {
			titles[thread] = "Thread of " + schema.FormatTime(slackTime(thread))
		}
	}
	for _, m := range messages {
		if ts := m.text("ts"); ts != "" && (titles[ts] != "" || replies(m)) && m.text("subtype") != "thread_broadcast" {
			titles[ts] = cmp.Or(titleOf(x.slackText(m)), titles[ts], "Thread of "+schema.FormatTime(slackTime(ts)))
		}
	}
	for _, m := range messages {
		x.slackMessage(m, titles)
	}
}

// replies says whether a message began a thread.
func replies(m part) bool {
	return m.text("thread_ts") == m.text("ts") && m.has("thread_ts") || m.text("reply_count") != "" && m.text("reply_count") != "0"
}

func (x *exporter) slackMessage(m part, titles map[string]string) {
	switch m.text("subtype") {
	case "", "bot_message", "thread_broadcast", "file_share", "me_message", "reply_broadcast", "file_comment":
	default: // somebody joined, set the topic, renamed the channel
		x.Left++
		return
	}
	said := schema.Message{Agent: x.slackName(m), Role: "user", Content: x.slackText(m)}
	if m.has("bot_id") || m.text("subtype") == "bot_message" {
		said.Role = "assistant"
	}
	ts := m.text("ts")
	thread := cmp.Or(m.text("thread_ts"), ts)
	title := titles[thread]
	key := ""
	if title != "" {
		key = x.options.Channel + "\x00" + thread
	}
	said.Metadata = provenance(Slack, "id", cmp.Or(m.text("client_msg_id"), ts), "ts", ts)
	native := ""
	if ts != "" {
		native = x.options.Channel + "\x00" + ts + "\x00" + cmp.Or(m.text("user"), m.text("bot_id"))
	}
	x.add(key, title, native, slackTime(ts), said)
}

// slackTime is the time that a ts says; zero where it is none.
func slackTime(ts string) time.Time {
	seconds, fraction, _ := strings.Cut(ts, ".")
	s, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil || s < 1e8 || s > 1e11 {
		return time.Time{}
	}
	nanos, _ := strconv.ParseInt((fraction + "000000000")[:9], 10, 64)
	return time.Unix(s, nanos).UTC()
}

// slackUsers notes the names of users: a list of them, or an object by their ids.
func (x *exporter) slackUsers(users part) {
	for _, u := range users.list() {
		id := cmp.Or(u.text("id"), u.key())
		if name := u.text(); name != "" {
			x.users[id] = name
			continue
		}
		x.slackUser(u, id)
		x.slackUser(u.at("profile"), id)
	}
}

// slackUser notes what a profile calls the user, unless that is known.
func (x *exporter) slackUser(profile part, id string) {
	name := cmp.Or(profile.text("display_name"), profile.text("real_name"), profile.text("name"))
	if id != "" && name != "" && (x.users[id] == "" || profile.has("display_name") && profile.text("display_name") != "") {
		x.users[id] = name
	}
}

func (x *exporter) slackName(m part) string {
	id := m.text("user")
	return cmp.Or(x.users[id], m.text("username"), m.text("bot_profile", "name"), id, m.text("bot_id"))
}

// slackText is what a message says, with what is attached to it.
func (x *exporter) slackText(m part) string {
	var lines []string
	if text := m.text("text"); text != "" {
		lines = append(lines, x.slackMarks(text))
	}
	for _, a := range m.list("attachments") {
		if text := cmp.Or(a.text("text"), a.text("fallback"), a.text("title")); text != "" {
			lines = append(lines, x.slackMarks(text))
		}
	}
	for _, f := range m.list("files") {
		lines = append(lines, attached(cmp.Or(f.text("title"), f.text("name")), f.text("permalink")))
	}
	return strings.Join(lines, "\n")
}

var slackMark = lazyregexp.New(`<([^<>|\n]*)(?:\|([^<>\n]*))?>`)

// slackMarks puts what a reader sees in the place of Slack's marks: <@U1> is the
// user's name.
func (x *exporter) slackMarks(text string) string {
	text = slackMark.ReplaceAllStringFunc(text, func(mark string) string {
		m := slackMark.FindStringSubmatch(mark)
		target, label := m[1], m[2]
		switch {
		case strings.HasPrefix(target, "@"):
			return "@" + cmp.Or(x.users[target[1:]], label, target[1:])
		case strings.HasPrefix(target, "#"):
			return "#" + cmp.Or(label, target[1:])
		case strings.HasPrefix(target, "!"):
			return "@" + strings.TrimPrefix(cmp.Or(label, target[1:]), "@")
		case label != "" && label != target:
			return label + " (" + target + ")"
		}
		return target
	})
	return strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&").Replace(text)
}
