package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/validate"
)

// converse makes a tree of a Quaid session alone.
func converse(t *testing.T) *house {
	t.Helper()
	return converseAt(t, t.TempDir())
}

func converseAt(t *testing.T, root string) *house {
	t.Helper()
	documents, err := session.New("conv-1", morning)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range documents {
		write(t, root, name, string(text))
	}
	return enter(t, root)
}

// utter adds messages of one agent.
func (h *house) utter(messages ...schema.Message) engine.Outcome {
	h.t.Helper()
	_, out, err := h.Say(context.Background(), messages)
	if err != nil {
		h.t.Fatal(err)
	}
	return out
}

func (h *house) active() string {
	h.t.Helper()
	id, err := session.Active(h)
	if err != nil {
		h.t.Fatal(err)
	}
	return id
}

func (h *house) hot() schema.HotContext {
	h.t.Helper()
	var hot schema.HotContext
	if err := json.Unmarshal([]byte(h.read(session.HotContext(h.active()))), &hot); err != nil {
		h.t.Fatal(err)
	}
	return hot
}

func (h *house) about(id string) schema.SessionMetadata {
	h.t.Helper()
	var about schema.SessionMetadata
	if err := json.Unmarshal([]byte(h.read(session.MetadataFile(id))), &about); err != nil {
		h.t.Fatal(err)
	}
	return about
}

// valid holds that the tree has no finding.
func (h *house) valid() {
	h.t.Helper()
	report, err := validate.Tree(h, validate.Options{})
	if err != nil {
		h.t.Fatal(err)
	}
	for _, f := range report.Findings {
		h.t.Errorf("%s:%d: %s: %s [%s]", f.File, f.Line, f.Severity, f.Message, f.Rule)
	}
}

// A thousand messages come in at once: each stands once, byte for byte, over the
// windows and archives of all sessions, under an id of its own, and every trigger
// fired when it was due and only then.
func TestNothingOfAThousandMessagesIsForgotten(t *testing.T) {
	h := converse(t)
	var messages []schema.Message
	for n := 1; n <= 1000; n++ {
		messages = append(messages, schema.Message{
			Content: fmt.Sprintf("Message %d: row %d of the orchard is pruned, and  \"quoted\"\n\ttoo ✓", n, n%7), Agent: []string{"user", "quaid"}[n%2],
			Timestamp: fmt.Sprintf("2026-03-02T%02d:%02d:00.000Z", n/60, n%60),
		})
	}
	out := h.utter(messages...)

	due := map[string]int{}
	for _, f := range out.Fired {
		due[f.Trigger]++
	}
	want := map[string]int{
		engine.SummaryTrigger: 60, // six in each hundred: at 15, 30 … 90
		engine.ClusterTrigger: 10, engine.ArchiveTrigger: 10,
	}
	for trigger, n := range want {
		if due[trigger] != n {
			t.Errorf("%s fired %d times, want %d", trigger, due[trigger], n)
		}
	}
	if len(due) != len(want) {
		t.Errorf("fired: %v", due)
	}

	stands, ids := map[string]int{}, map[string]bool{}
	sessions := 0
	for name, err := range h.Names(fs.Sessions) {
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "/metadata.json") {
			sessions++
		}
		if fs.Place(name) != fs.DocMessage {
			continue
		}
		lines := session.Read([]byte(h.read(name)))
		if strings.HasSuffix(name, "recent_history.jsonl") && len(lines) > session.WindowMessages {
			t.Errorf("%s holds %d messages", name, len(lines))
		}
		for _, line := range lines {
			if line.Err != nil {
				t.Fatalf("%s: %v", name, line.Err)
			}
			if ids[line.Message.ID] {
				t.Errorf("%s stands twice", line.Message.ID)
			}
			ids[line.Message.ID] = true
			if session.Members(*line.Message) == nil {
				stands[line.Message.Content]++
			}
		}
	}
	if sessions != 11 {
		t.Errorf("%d sessions, want 11", sessions)
	}
	for _, m := range messages {
		if stands[m.Content] != 1 {
			t.Errorf("%q stands %d times", m.Content, stands[m.Content])
		}
	}
	if len(stands) != len(messages) {
		t.Errorf("%d contents of %d messages", len(stands), len(messages))
	}
	h.valid()

	before := h.files()
	named := slices.Clone(messages)
	if added, _, err := h.Say(context.Background(), named[:0]); err != nil || len(added) != 0 {
		t.Errorf("nothing was said: %v, %v", added, err)
	}
	for name, text := range h.files() {
		if before[name] != text {
			t.Errorf("%s changed although nothing was said", name)
		}
	}
}

// Messages that come with ids are taken in once, wherever they stand by now.
func TestWhatWasArchivedIsNotTakenInAgain(t *testing.T) {
	h := converse(t)
	var messages []schema.Message
	for n := range 250 {
		messages = append(messages, schema.Message{ID: fmt.Sprintf("m-%d", n), Content: fmt.Sprintf("pear %d", n), Agent: "user"})
	}
	h.utter(messages...)
	before := h.files()
	for _, again := range [][]schema.Message{messages, messages[:3], messages[120:121]} {
		if added, _, err := h.Say(context.Background(), again); err != nil || len(added) > 0 {
			t.Fatalf("%d messages were taken in again: %v", len(added), err)
		}
	}
	for name, text := range h.files() {
		if before[name] != text {
			t.Errorf("%s changed", name)
		}
	}
}

// At the 21st message the one that matters least leaves the window, but none of
// the last ten.
func TestTheWindowSlides(t *testing.T) {
	h := converse(t)
	for n := range 20 {
		ratio := 0.9
		if n == 4 || n == 15 {
			ratio = 0.1
		}
		h.utter(schema.Message{ID: fmt.Sprintf("m-%02d", n), Content: "walls", Agent: "quaid", Importance: &ratio})
	}
	if _, err := os.Stat(filepath.Join(h.root, session.ArchiveFile("conv-1"))); err == nil {
		t.Fatal("something left a window of 20 messages")
	}
	h.utter(schema.Message{ID: "m-20", Content: "walls", Agent: "quaid"})
	archived := session.Messages(session.Read([]byte(h.read(session.ArchiveFile("conv-1")))))
	if len(archived) != 1 || archived[0].ID != "m-04" {
		t.Errorf("what left is %+v", archived)
	}
	if about := h.about("conv-1"); about.MessageCount != 21 || !slices.Equal(about.Agents, []string{"quaid"}) {
		t.Errorf("the metadata says %+v", about)
	}
	h.valid()
}

// What is open goes along when a session becomes long; what is complete stays.
func TestALongSessionIsArchivedAndCarriedOn(t *testing.T) {
	h := converse(t)
	ctx := context.Background()
	for _, text := range []string{"Implement JWT authentication", "Write the docs"} {
		if _, _, err := h.AddGoal(ctx, schema.Goal{Goal: text, Agent: "anna"}); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := h.CompleteGoal(ctx, "write the docs", "ben"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := h.AddConstraint(ctx, schema.Constraint{Constraint: "Token TTL must be 1 hour"}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := h.Decide(ctx, schema.Decision{Decision: "Use RS256"}); err != nil {
		t.Fatal(err)
	}
	version := h.hot().Version
	if version != 6 {
		t.Errorf("after five changes of version 1 it is %d", version)
	}
	for n := range 100 {
		h.utter(schema.Message{Content: fmt.Sprintf("step %d of many", n), Agent: "quaid"})
	}
	next := h.active()
	was, now := h.about("conv-1"), h.about(next)
	if was.Status != session.Archived || was.MessageCount != 100 || now.Continues != "conv-1" || now.Status != session.Open || now.MessageCount != 0 {
		t.Errorf("the sessions are %+v and %+v", was, now)
	}
	if len(was.Completed) != 1 || was.Completed[0].CompletedBy != "ben" || was.Completed[0].Agent != "anna" {
		t.Errorf("completed is %+v", was.Completed)
	}
	hot := h.hot()
	if len(hot.ActiveGoals) != 1 || len(hot.ImportantConstraints) != 1 || len(hot.KeyDecisions) != 1 || hot.Version != version+1 {
		t.Errorf("carried over is %+v", hot)
	}
	if !strings.HasPrefix(was.Fragment, ".quaid/memory/fragments/") || !strings.Contains(h.read(was.Fragment), "Use RS256") {
		t.Errorf("the fragment is %q", was.Fragment)
	}
	if was.Title != "JWT Authentication Implementation" || now.Title != was.Title {
		t.Errorf("the titles are %q and %q", was.Title, now.Title)
	}
	h.valid()
}

// Others add messages with their own tools: the next round sees to what is due.
func TestMessagesOfOthersAreSeenTo(t *testing.T) {
	h := converse(t)
	h.utter(schema.Message{Content: "we begin", Agent: "user"})
	file, err := os.OpenFile(filepath.Join(h.root, session.Window("conv-1")), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	for n := range 30 {
		fmt.Fprintf(file, `{"msg_id":"x-%d","ts":"2026-03-02T09:30:%02dZ","agent":"script","content":"line %d"}`+"\n", n, n, n)
	}
	file.Close()
	if got := fired(h.look()); got != engine.SummaryTrigger {
		t.Errorf("fired %q", got)
	}
	if about := h.about("conv-1"); about.MessageCount != 31 || !slices.Contains(about.Agents, "script") {
		t.Errorf("the metadata says %+v", about)
	}
	if n := strings.Count(h.read(session.Window("conv-1")), "\n"); n != session.WindowMessages {
		t.Errorf("the window holds %d messages", n)
	}
	h.valid()
	before := h.files()
	if got := fired(h.look()); got != "" {
		t.Errorf("fired %q a second time", got)
	}
	for name, text := range h.files() {
		if before[name] != text {
			t.Errorf("%s changed at the second look", name)
		}
	}
}

// Who restores a session finds its last ten messages in the window, and a version
// that no agent has met in the session before.
func TestASessionIsRestored(t *testing.T) {
	h := converse(t)
	ctx := context.Background()
	for n := range 15 {
		h.utter(schema.Message{ID: fmt.Sprintf("m-%02d", n), Content: "walls", Agent: "quaid"})
	}
	if _, _, err := h.NewSession(ctx, "Gates", "anna"); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"one", "two", "three"} {
		if _, _, err := h.AddNote(ctx, schema.Note{Note: text}); err != nil {
			t.Fatal(err)
		}
	}
	before := h.hot().Version
	if _, _, err := h.RestoreSession(ctx, "conv-1"); err != nil {
		t.Fatal(err)
	}
	window := session.Messages(session.Read([]byte(h.read(session.Window("conv-1")))))
	archived := session.Messages(session.Read([]byte(h.read(session.ArchiveFile("conv-1")))))
	if len(window) != 10 || window[0].ID != "m-05" || len(archived) != 5 {
		t.Errorf("%d messages in the window, from %s on, and %d in the archive", len(window), window[0].ID, len(archived))
	}
	if v := h.hot().Version; h.active() != "conv-1" || v <= before {
		t.Errorf("%s is active, at version %d after %d", h.active(), v, before)
	}
	h.valid()
	var unknown *engine.UnknownSession
	if _, _, err := h.RestoreSession(ctx, "conv-3"); !errors.As(err, &unknown) || len(unknown.Known) != 2 {
		t.Errorf("the error is %v", err)
	}
}

// An update that was made for another version is refused, and says which one
// there is.
func TestAnUpdateOfAnotherVersionIsRefused(t *testing.T) {
	h := converse(t)
	at := 1
	h.IfVersion = &at
	if _, out, err := h.AddGoal(context.Background(), schema.Goal{Goal: "prune"}); err != nil || out.Version != 2 {
		t.Fatalf("version %d, %v", out.Version, err)
	}
	before := h.files()
	_, _, err := h.AddGoal(context.Background(), schema.Goal{Goal: "graft"})
	var moved *engine.Moved
	if !errors.As(err, &moved) || moved.Version != 2 || moved.Expected != 1 {
		t.Fatalf("the error is %v", err)
	}
	for name, text := range h.files() {
		if before[name] != text {
			t.Errorf("%s changed", name)
		}
	}
}

// However much one edit does, it is one version, and all of it or nothing.
func TestAnEditIsAtomic(t *testing.T) {
	h := converse(t)
	out, err := h.Edit(context.Background(), "agent-a", func(e *engine.Edit) error {
		if _, err := e.AddGoal(schema.Goal{Goal: "Write tests"}); err != nil {
			return err
		}
		if _, err := e.AddAction(schema.Action{Action: "Implement JWT validation"}); err != nil {
			return err
		}
		_, err := e.Decide(schema.Decision{Decision: "Use Redis", Rationale: "Fast lookup"})
		return err
	})
	if err != nil || out.Version != 2 {
		t.Fatalf("version %d, %v", out.Version, err)
	}
	hot := h.hot()
	if hot.ActiveGoals[0].Agent != "agent-a" || hot.PendingActions[0].CreatedBy != "agent-a" || hot.KeyDecisions[0].Agent != "agent-a" {
		t.Errorf("the items are not signed: %+v", hot)
	}
	h.valid()
	before := h.files()
	_, err = h.Edit(context.Background(), "agent-b", func(e *engine.Edit) error {
		if _, err := e.FinishAction("jwt validation", false); err != nil {
			return err
		}
		_, err := e.CompleteGoal("no such goal")
		return err
	})
	if err == nil {
		t.Error("an unknown goal was completed")
	}
	for name, text := range h.files() {
		if before[name] != text {
			t.Errorf("%s changed", name)
		}
	}
}

// nest makes a folder of its own for each case of a test.
func nest(t *testing.T) string {
	t.Helper()
	root, err := os.MkdirTemp(t.TempDir(), "tree")
	if err != nil {
		t.Fatal(err)
	}
	return root
}
