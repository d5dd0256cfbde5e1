package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
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
		fmt.Fprintf(file, `{"msg_id":%q,"timestamp":%q,"agent":%q,"content":%q,"priority":%q}`+"\n", m.ID, m.Timestamp, m.Agent, m.Content, m.Priority)
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
			m.Content, m.Agent, m.Priority = fmt.Sprintf("We decided to use plan %d because it is cheaper", n), "user", schema.HighPriority
		case n%25 == 0:
			m.Content += strings.Repeat(fmt.Sprintf(" Row %d is pruned.", n), 900) // so that the window becomes full
		}
		messages = append(messages, m)
	}
	byCommand := converse(t)
	for _, m := range messages {
		byCommand.utter(m)
	}
	want := byCommand.outcome()
	if len(want.sessions) != 2 || len(want.said) != len(messages) {
		t.Fatalf("the sessions are %q", want.sessions)
	}
	atOnce := converse(t)
	atOnce.utter(messages...)
	if got := atOnce.outcome(); !slices.Equal(got.sessions, want.sessions) {
		t.Errorf("by one command the sessions are %q, want %q", got.sessions, want.sessions)
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

// An outcome holds what messages came to.
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
		line := fmt.Sprint(about.Status, about.MessageCount, about.LastActivity[:min(len(about.LastActivity), 10)], about.Title)
		if about.Status == session.Archived {
			line = fmt.Sprint(about.Status, about.MessageCount, about.LastActivity, about.Title)
		}
		var hot schema.HotContext
		if err := json.Unmarshal([]byte(h.read(session.HotContext(about.SessionID))), &hot); err != nil {
			h.t.Fatal(err)
		}
		for _, d := range hot.KeyDecisions {
			line += " " + d.ID
		}
		if about.Fragment != "" {
			line += fmt.Sprintf(" and %d decisions in a fragment", strings.Count(h.read(about.Fragment), "We decided"))
		}
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

// A line that no session may hold stays where it is, however often the window slides and the session ends,
// and every message stands once.
func TestLinesThatNobodyCanMoveStayWhereTheyAre(t *testing.T) {
	t.Parallel()
	h := converse(t)
	write(t, h.root, fs.Config, `{"compaction":{"thresholds":{"archive_messages":10}}}`)
	h.look()
	window := session.Window("conv-1")
	odd := []string{`{"half of`, ``, `[1]`, `{"agent":"user","content":"We decided without an id","priority":"high"}`, strings.Repeat(" ", 3)}
	long := fmt.Sprintf(`{"msg_id":"long","timestamp":"2026-03-02T10:00:00Z","agent":"ben","content":%q}`, strings.Repeat("x", fs.MaxRecord))
	for i, line := range append(odd, long) {
		h.appendTo(schema.Message{ID: fmt.Sprint("m-", i), Timestamp: "2026-03-02T10:00:00Z", Agent: "ben", Content: fmt.Sprint("step ", i)})
		h.appendRaw(window, line)
	}
	for i := range 28 {
		h.appendTo(schema.Message{ID: fmt.Sprint("n-", i), Timestamp: "2026-03-02T10:00:00Z", Agent: "ben", Content: fmt.Sprint("move ", i)})
	}
	h.look()
	src := "\n" + h.read(window)
	for _, line := range append(odd, long) {
		if !strings.Contains(src, "\n"+line+"\n") {
			t.Errorf("%.60q is not in the window", line)
		}
	}
	said := h.outcome().said
	for _, id := range []string{"m-0", "m-5", "n-0", "n-27", "long"} {
		if said[id] != 1 {
			t.Errorf("%s stands %d times", id, said[id])
		}
	}
	if all, _ := engine.Decisions(h); len(all) != 1 || all[0].Decision != "We decided without an id" {
		t.Errorf("the decisions are %+v", all)
	}
	if out := h.look(); len(out.Fired) > 0 || len(out.Changes) > 0 {
		t.Errorf("a second look fired %q and changed %d files", fired(out), len(out.Changes))
	}
}

// appendRaw adds a line to a file.
func (h *house) appendRaw(name, line string) {
	h.t.Helper()
	src, err := os.ReadFile(filepath.Join(h.root, name))
	if err == nil {
		err = os.WriteFile(filepath.Join(h.root, name), append(src, line+"\n"...), 0o666)
	}
	if err != nil {
		h.t.Fatal(err)
	}
}

var plums = schema.Message{ID: "plums", Timestamp: "2026-03-02T10:00:00Z", Agent: "Boss", Priority: schema.HighPriority, Content: "We decided to plant plums"}

// decided returns in how many hot contexts a decision stands, and how often it is recorded.
func (h *house) decided(text string) (shown, recorded int) {
	h.t.Helper()
	for name, src := range h.files() {
		if fs.Place(name) == fs.DocHotContext {
			shown += strings.Count(src, text)
		}
	}
	all, _ := engine.Decisions(h)
	for _, d := range all {
		if d.Decision == text {
			recorded++
		}
	}
	return shown, recorded
}

// What others said before a command is done before it.
func TestWhatOthersSaidBelongsToTheSessionInWhichTheySaidIt(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for what, end := range map[string]func(*house) error{
		"another session begins": func(h *house) error { _, _, err := h.NewSession(ctx, "Gates", "ben"); return err },
		"the session is archived": func(h *house) error {
			done, _, err := h.ArchiveSession(ctx, "")
			if err == nil && !strings.Contains(h.read(done.Fragment), plums.Content) {
				err = errors.New("the fragment does not have it")
			}
			return err
		},
	} {
		h := converse(t)
		h.look()
		h.appendTo(plums)
		if err := end(h); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		if !strings.Contains(h.read(session.HotContext("conv-1")), plums.Content) {
			t.Errorf("%s: it is not shown where it was said", what)
		}
		if out := h.look(); len(out.Fired) > 0 {
			t.Errorf("%s: afterwards fired %q", what, fired(out))
		}
	}
}

// What is added to a session that is not the active one counts once it is.
func TestWhatOthersSaidInAnotherSessionCountsOnceItIsRestored(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for _, before := range []int{1, 15} {
		h := converse(t)
		for n := range before {
			h.utter(schema.Message{Content: fmt.Sprint("step ", n), Agent: "ben"})
		}
		if _, _, err := h.NewSession(ctx, "Gates", "ben"); err != nil {
			t.Fatal(err)
		}
		h.appendRaw(session.Window("conv-1"), `{"msg_id":"plums","timestamp":"2026-03-02T10:00:00Z","agent":"Boss","priority":"high","content":"We decided to plant plums"}`)
		if out := h.look(); len(out.Fired) > 0 {
			t.Errorf("behind %d messages: fired %q in another session", before, fired(out))
		}
		if _, _, err := h.RestoreSession(ctx, "conv-1"); err != nil {
			t.Fatal(err)
		}
		if shown, recorded := h.decided(plums.Content); shown != 1 || recorded != 1 {
			t.Errorf("behind %d messages: it is shown %d times, recorded %d times", before, shown, recorded)
		}
	}
}

// Who commands something is one of the session's agents, also if others said something before it.
func TestWhoCommandsBelongsToTheSession(t *testing.T) {
	t.Parallel()
	h := converse(t)
	h.look()
	h.appendTo(plums)
	if _, _, err := h.AddGoal(context.Background(), schema.Goal{Goal: "Ripe fruit", Agent: "ben"}); err != nil {
		t.Fatal(err)
	}
	if about := h.about("conv-1"); !slices.Contains(about.Agents, "ben") || !slices.Contains(about.Agents, "Boss") {
		t.Errorf("the agents are %q", about.Agents)
	}
}

// While something keeps the program from hearing others, what they said waits; what a command says counts
// once.
func TestWhatOthersSaidWaits(t *testing.T) {
	t.Parallel()
	h := converse(t)
	h.look()
	h.appendTo(plums)
	write(t, h.root, fs.Config, `{"agents":`)
	h.utter(schema.Message{Content: "And on", Agent: "user"})
	if got := session.Unheard(h.Tree.Tree); got != 1 {
		t.Errorf("%d messages wait while the settings cannot be read", got)
	}
	write(t, h.root, fs.Config, `{}`)
	if got := fired(h.look()); got != "boss_major_decision" {
		t.Errorf("fired %q", got)
	}
	if shown, recorded := h.decided(plums.Content); shown != 1 || recorded != 1 {
		t.Errorf("it is shown %d times, recorded %d times", shown, recorded)
	}
	if got := session.Unheard(h.Tree.Tree); got != 0 {
		t.Errorf("%d messages wait afterwards", got)
	}
	if about := h.about("conv-1"); about.MessageCount != 2 {
		t.Errorf("the session has %d messages", about.MessageCount)
	}
}

// While the settings cannot be read nothing is due either.
func TestNothingIsDueWhileWhatOthersSaidWaits(t *testing.T) {
	t.Parallel()
	h := converse(t)
	h.look()
	for n := range 2 * session.WindowMessages {
		h.appendTo(schema.Message{ID: fmt.Sprint("m-", n), Timestamp: "2026-03-02T10:00:00Z", Agent: "ben", Content: fmt.Sprint("step ", n)})
	}
	write(t, h.root, fs.Config, `{"agents":`)
	if _, _, err := h.AddGoal(context.Background(), schema.Goal{Goal: "Ripe fruit"}); err != nil {
		t.Fatal(err)
	}
	if got := session.Unheard(h.Tree.Tree); got != 2*session.WindowMessages {
		t.Errorf("%d messages wait", got)
	}
	write(t, h.root, fs.Config, `{}`)
	if got := fired(h.look()); got != engine.SummaryTrigger {
		t.Errorf("fired %q", got)
	}
	if n := strings.Count(h.read(session.Window("conv-1")), "\n"); n != session.WindowMessages {
		t.Errorf("the window holds %d messages", n)
	}
}

// A decision that cannot be shown is recorded, and shown once it can.
func TestADecisionThatCannotBeShownIsRecorded(t *testing.T) {
	t.Parallel()
	h := converse(t)
	h.look()
	hot := h.read(session.HotContext("conv-1"))
	write(t, h.root, session.HotContext("conv-1"), `{"key_decisions":{}}`)
	h.appendTo(plums)
	h.look()
	if _, recorded := h.decided(plums.Content); recorded != 1 {
		t.Errorf("it is recorded %d times", recorded)
	}
	write(t, h.root, session.HotContext("conv-1"), hot)
	h.look()
	if shown, recorded := h.decided(plums.Content); shown != 1 || recorded != 1 {
		t.Errorf("it is shown %d times, recorded %d times", shown, recorded)
	}
}
