package engine_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// appendTo adds messages to the window of the active session, as another program does.
func (h *house) appendTo(messages ...schema.Message) {
	h.t.Helper()
	name := filepath.Join(h.root, session.Window(h.active()))
	file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		h.t.Fatal(err)
	}
	defer file.Close()
	for _, m := range messages {
		fmt.Fprintf(file, `{"msg_id":%q,"timestamp":%q,"agent":%q,"content":%q}`+"\n", m.ID, m.Timestamp, m.Agent, m.Content)
	}
}

// What a program appends does what the same messages do by command, in as many sessions, whether they come
// one by one or all at once.
func TestMessagesOfOthersDoWhatThoseOfACommandDo(t *testing.T) {
	t.Parallel()
	var messages []schema.Message
	for n := 1; n <= 120; n++ {
		m := schema.Message{
			ID: fmt.Sprintf("m-%04d", n), Agent: []string{"user", "quaid", "ben"}[n%3], Timestamp: fmt.Sprintf("2026-03-02T%02d:%02d:00.000Z", 10+n/60, n%60),
			Content: fmt.Sprintf("%s.\nI edited src/part%d.go.\nNext: look at part%d.", topics[n*n%len(topics)], n/9, n/20),
		}
		switch {
		case n%13 == 0:
			m.Content = fmt.Sprintf("We decided to use plan %d because it is cheaper", n)
		case n%25 == 0:
			m.Content += strings.Repeat(fmt.Sprintf(" Row %d is pruned.", n), 900) // so that the window becomes full
		}
		messages = append(messages, m)
	}
	byCommand := converse(t)
	byCommand.utter(messages...)
	want := byCommand.outcome()
	if len(want.sessions) != 2 {
		t.Fatalf("the sessions are %q", want.sessions)
	}
	for _, size := range []int{1, 7, len(messages)} {
		h := converse(t)
		h.look()
		for batch := range slices.Chunk(messages, size) {
			h.appendTo(batch...)
			h.look()
		}
		got := h.outcome()
		if !slices.Equal(got.sessions, want.sessions) || !maps.Equal(got.said, want.said) {
			t.Errorf("%d at once: the sessions are %q, want %q", size, got.sessions, want.sessions)
		}
		if got.hot != want.hot {
			t.Errorf("%d at once: the hot context is\n%s\nwant\n%s", size, got.hot, want.hot)
		}
		before := h.files()
		if out := h.look(); len(out.Fired) > 0 || !maps.Equal(before, h.files()) {
			t.Errorf("%d at once: a second look fired %q", size, fired(out))
		}
		h.valid()
	}
}

// An outcome is what messages came to.
type outcome struct {
	sessions []string       // how many messages each has, in which window and archive
	said     map[string]int // how often each message stands
	hot      string         // what is known in the active session
}

func (h *house) outcome() outcome {
	h.t.Helper()
	o := outcome{said: map[string]int{}}
	for name := range h.files() {
		if fs.Place(name) != fs.DocSessionMeta {
			continue
		}
		about := h.about(filepath.Base(filepath.Dir(name)))
		line := fmt.Sprint(about.Status, about.MessageCount)
		for _, part := range []string{session.Window(about.SessionID), session.ArchiveFile(about.SessionID)} {
			src, err := os.ReadFile(filepath.Join(h.root, part))
			if err != nil && !os.IsNotExist(err) {
				h.t.Fatal(err)
			}
			line += " |"
			for _, m := range session.Messages(session.Read(src)) {
				if m.Kind != "summary" {
					o.said[m.ID]++
				}
				line += " " + m.ID
			}
		}
		o.sessions = append(o.sessions, line)
	}
	slices.Sort(o.sessions)
	hot := h.hot()
	hot.Version = 0
	hot.ConversationID = ""
	o.hot = fmt.Sprintf("%+v %+v %v", hot.KeyEntities, *hot.CurrentFileContext, hot.ActiveGoals)
	for _, a := range hot.PendingActions {
		o.hot += fmt.Sprintf("\n%s by %s of %s", a.Action, a.CreatedBy, a.Message)
	}
	return o
}
