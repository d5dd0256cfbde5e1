package transcript_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/transcript"
	"github.com/forgemind/forgemind/schema"
)

// lines are what an export says, a message a line.
func lines(e transcript.Export) (all []string) {
	for _, talk := range e.Talks {
		for _, m := range talk.Messages {
			all = append(all, strings.TrimSpace(fmt.Sprintf("%s %s %s: %s", talk.Title, m.Timestamp, m.Agent, m.Content)))
		}
	}
	return all
}

// TestReadExport reads exports as programs write them, and as they come: with
// members missing, cut off, in other orders, with times of other zones.
func TestReadExport(t *testing.T) {
	for _, c := range []struct {
		name, src    string
		options      transcript.ExportOptions
		format       string
		want         []string
		left, faults int
	}{
		{
			name:   "discord without times: the id says when",
			src:    `{"guild": {}, "channel": {"name": "x"}, "messages": [{"id": "175928847299117063", "content": "hi", "author": {"name": "nelly"}}]}`,
			format: transcript.Discord, want: []string{"2016-04-30T11:18:25.796Z nelly: hi"},
		},
		{
			name:   "discord, times without a zone are of the zone of the options",
			src:    `{"guild": {}, "messages": [{"timestamp": "2026-02-15T10:00:00", "content": "hi"}]}`,
			format: transcript.Discord, options: transcript.ExportOptions{Zone: time.FixedZone("", 3600)}, want: []string{"2026-02-15T09:00:00.000Z unknown: hi"},
		},
		{
			name:   "discord in UTF-16",
			src:    "\xff\xfe" + strings.Join(strings.Split(`{"guild": {}, "messages": [{"timestamp": "2026-02-15T10:00:00Z", "content": "hi"}]}`, ""), "\x00") + "\x00",
			format: transcript.Discord, want: []string{"2026-02-15T10:00:00.000Z unknown: hi"},
		},
		{
			name:   "discord with everything of another kind",
			src:    `{"guild": 7, "channel": [], "messages": [{"id": 1, "content": 2, "author": "ann", "attachments": {}, "embeds": null}, 7, null]}`,
			format: transcript.Discord, want: []string{"unknown: 2"}, faults: 1,
		},
		{
			name:   "discord: one record is no JSON, the rest goes on",
			src:    `{"guild": {}, "messages": [{"content": "one", "timestamp": "2026-02-15T10:00:00-05:00"}, {"content": two}, {"content": "three"}]}`,
			format: transcript.Discord, want: []string{"2026-02-15T15:00:00.000Z unknown: one", "2026-02-15T15:00:00.000Z unknown: three"}, faults: 1,
		},
		{
			name:   "discord: braces, brackets and quotes in what people say",
			src:    `{"guild": {"name": "\"messages\": ["}, "messages": [{"timestamp": "2026-02-15T10:00:00Z", "content": "a \"}] b\\"}, {"content": "[{"}], "messageCount": 2}`,
			format: transcript.Discord, want: []string{"2026-02-15T10:00:00.000Z unknown: a \"}] b\\", "2026-02-15T10:00:00.000Z unknown: [{"},
		},
		{
			name: "discord: an embed, a sticker and what was forwarded say something",
			src: `{"guild": {}, "messages": [{"timestamp": "2026-02-15T10:00:00Z", "author": {"name": "ci"}, "embeds": [{"title": "Build", "description": "failed"}], "stickers": [{"name": "Wave"}]},
				{"type": "46", "content": "a poll ended"}, {"type": "Reply", "content": "", "forwardedMessage": {"content": "from elsewhere"}}]}`,
			format: transcript.Discord, want: []string{"2026-02-15T10:00:00.000Z ci: Build\nfailed\n[file: Wave]", "2026-02-15T10:00:00.000Z unknown: [forwarded] from elsewhere"}, left: 1,
		},
		{
			name:   "slack newest first, a reply whose beginning is not there",
			src:    `[{"ts": "1795161700.5", "text": "two", "username": "b"}, {"ts": 1795161600, "thread_ts": "1795161500.1", "text": "one", "user": "U1"}]`,
			format: transcript.Slack, options: transcript.ExportOptions{Channel: "a"},
			want: []string{"2026-11-20T08:01:40.500Z b: two", "Thread of 2026-11-20T07:58:20.100Z 2026-11-20T08:00:00.000Z U1: one"},
		},
		{
			name:   "slack cut off in the middle of a list",
			src:    `[{"ts": "1795161600.1", "user": "U1", "text": "one"}, {"ts": "1795161601.1", "te`,
			format: transcript.Slack, want: []string{"2026-11-20T08:00:00.100Z U1: one"}, faults: 1,
		},
		{
			name:   "slack: one message a line, users beside them",
			src:    `{"ts": "1795161600.1", "user": "U1", "text": "one <@U2> <!here> <#C1|walls> <https://a.example>"}` + "\n" + `{"ts": "1795161600.1", "user": "U2", "text": "two"}`,
			format: transcript.Slack, options: transcript.ExportOptions{Users: []byte(`{"U1": "Ann", "U2": {"real_name": "Bob"}}`)},
			want: []string{"2026-11-20T08:00:00.100Z Ann: one @Bob @here #walls https://a.example", "2026-11-20T08:00:00.100Z Bob: two"},
		},
		{
			name:   "irc: the lounge, with zones, colours and Latin 1",
			src:    "[2026-02-15T10:00:00.5Z] <ann> caf\xe9\n[2026-02-15T10:00:01+02:00] <+bob> \x0304red\x03 \x02bold\x02\n[2026-02-15T10:00:02Z] *** carl joined\r\n",
			format: transcript.IRC, want: []string{"2026-02-15T08:00:01.000Z bob: red bold", "2026-02-15T10:00:00.500Z ann: café"}, left: 1,
		},
		{
			name:   "irc: midnight goes by unsaid, a torn line",
			src:    "23:59 <ann> a\n00:00 <ann> b\n00:0",
			format: transcript.IRC, options: transcript.ExportOptions{Day: time.Date(2026, 12, 31, 0, 0, 0, 0, time.UTC), Zone: time.FixedZone("", 3600)},
			want: []string{"2026-12-31T22:59:00.000Z ann: a", "2026-12-31T23:00:00.000Z ann: b"}, faults: 1,
		},
		{
			name:   "irc: hexchat",
			src:    "**** BEGIN LOGGING AT Sun Feb 15 09:59:59 2026\n\n10:00:01 <ann>\thello\n10:00:02 * ann waves\n",
			format: transcript.IRC, want: []string{"2026-02-15T10:00:01.000Z ann: hello", "2026-02-15T10:00:02.000Z ann: * ann waves"}, left: 1,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, err := transcript.ReadExport([]byte(c.src), c.options)
			if err != nil {
				t.Fatal(err)
			}
			if got := lines(e); e.Format != c.format || !slices.Equal(got, c.want) || e.Left != c.left || len(e.Faults) != c.faults {
				t.Errorf("%s: %q, %d left out, faults %v\nwanted %s: %q, %d, %d", e.Format, got, e.Left, e.Faults, c.format, c.want, c.left, c.faults)
			}
		})
	}
	for _, other := range []string{"", " \n", "hello\nworld", `{"a": 1}`, `[]`, `[1, 2]`, "\x00\x01"} {
		if e, err := transcript.ReadExport([]byte(other), transcript.ExportOptions{}); err == nil {
			t.Errorf("%q was read as %+v", other, e)
		}
	}
}

// FuzzReadExport reads anything: what comes of it can be taken in.
func FuzzReadExport(f *testing.F) {
	for _, seed := range []string{
		`{"guild": {}, "channel": {"type": "GuildPublicThread", "id": "1"}, "messages": [{"id": "1", "content": "a", "author": {"name": "b"}}]}`,
		`[{"ts": "1795161600.1", "thread_ts": "1795161600.1", "reply_count": 1, "text": "<@U1|x>"}]`,
		"[10:00:00] <a> b\n--- Day changed Sat Nov 21 2026\n10:00 * a b\n2026-01-01 10:00:00\tn\tx",
		`{"messages": [{"\ud800": "\ud800"}`, `[[[`, `{"messages"`, "[{}",
	} {
		for _, format := range []string{"", transcript.Discord, transcript.Slack, transcript.IRC} {
			f.Add([]byte(seed), format)
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, format string) {
		e, err := transcript.ReadExport(src, transcript.ExportOptions{Format: format, Channel: "c", Day: terms.Now})
		if err != nil {
			return
		}
		ids := map[string]bool{}
		for _, talk := range e.Talks {
			for _, m := range talk.Messages {
				ids[m.ID] = true
				if m.Timestamp != "" {
					if _, err := schema.ParseTime(m.Timestamp); err != nil {
						t.Fatalf("%q of %q", m.Timestamp, src)
					}
				}
				if _, err := session.Split(m); err != nil && len(src) < 1000 {
					t.Fatal(err)
				}
			}
			if _, _, err := terms.Admit(nil, eachOnce(talk.Messages)); err != nil {
				t.Fatalf("%q: %v", src, err)
			}
		}
	})
}

func eachOnce(messages []schema.Message) (out []schema.Message) {
	seen := map[string]bool{}
	for _, m := range messages {
		if !seen[m.ID] {
			seen[m.ID] = true
			out = append(out, m)
		}
	}
	return out
}
