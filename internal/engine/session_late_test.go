package engine_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/query"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// fragments are the names of long-term memory.
func (h *house) fragments() (names []string) {
	h.t.Helper()
	for name, err := range h.Names(fs.Quaid + "/memory/fragments") {
		if err != nil {
			h.t.Fatal(err)
		}
		names = append(names, name)
	}
	return names
}

// A session that only carries a decision on is no fragment a second time; one
// that takes another decision is.
func TestWhatIsCarriedOverMakesNoSecondFragment(t *testing.T) {
	h := converse(t)
	decide := func(text string) {
		t.Helper()
		if _, _, err := h.Decide(context.Background(), schema.Decision{Decision: text}); err != nil {
			t.Fatal(err)
		}
	}
	decide("Use RS256")
	for want := range []int{1, 1, 2} {
		if want == 2 {
			decide("Use Redis")
		}
		out := h.utter(slices.Repeat([]schema.Message{{Content: "a step", Agent: "quaid"}}, 100)...)
		if n := len(h.fragments()); n != max(want, 1) {
			t.Errorf("after %d sessions there are %d fragments", want+1, n)
		}
		i := slices.IndexFunc(out.Fired, func(f engine.Fired) bool { return f.Trigger == engine.ArchiveTrigger })
		if i < 0 || !strings.Contains(out.Fired[i].Reason, []string{"it has 1 decision", "of its own", "it has 1 decision"}[want]) {
			t.Errorf("fired: %+v", out.Fired)
		}
	}
}

// A session without a summary yet begins with that of the one it continues.
func TestASessionBeginsWithTheSummaryBeforeIt(t *testing.T) {
	h := converse(t)
	h.utter(schema.Message{Content: "Implemented token generation", Agent: "quaid"})
	if _, _, err := h.ArchiveSession(context.Background(), ""); err != nil {
		t.Fatal(err)
	}
	c, err := query.Assemble(h.Tree.Tree, query.AssembleQuery{Query: "nothing of the kind", MaxTokens: 2000, Counter: "chars4"})
	if err != nil || !strings.Contains(c.Text, "✅ Implemented token generation") || !strings.Contains(c.Text, "conv-1/summary.md") {
		t.Errorf("%v\n%s", err, c.Text)
	}
}

// What nobody has worked on for a month is archived when another session begins;
// the active one, and one of yesterday, are not.
func TestIdleSessionsAreArchived(t *testing.T) {
	h := converse(t)
	for id, at := range map[string]string{"conv-old": "2026-01-20T09:00:00Z", "conv-new": "2026-03-01T09:00:00Z"} {
		documents, err := session.New(id, morning)
		if err != nil {
			t.Fatal(err)
		}
		write(t, h.root, session.HotContext(id), string(documents[session.HotContext(id)]))
		write(t, h.root, session.MetadataFile(id), fmt.Sprintf(`{"session_id": %q, "started": "2026-01-01T09:00:00Z", "last_activity": %q, "message_count": 0, "status": "active"}`, id, at))
	}
	if _, _, err := h.NewSession(context.Background(), "Gates", "anna"); err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]string{"conv-old": session.Archived, "conv-new": session.Open, "conv-1": session.Open} {
		if got := h.about(id).Status; got != want {
			t.Errorf("%s is %s", id, got)
		}
	}
}

// Where both folders have a config.json, what only .quaid says holds as well.
func TestBothConfigurationsAreRead(t *testing.T) {
	h := converse(t)
	write(t, h.root, fs.Config, `{"entities": {"people": ["Sarah"]}}`)
	write(t, h.root, fs.QuaidConfig, `{"entities": {"people": ["Nobody"]}, "compaction": {"thresholds": {"summary_messages": 2}}}`)
	out := h.utter(schema.Message{Content: "Sarah and Nobody met", Agent: "quaid"}, schema.Message{Content: "and parted", Agent: "quaid"})
	if fired(out) != engine.SummaryTrigger {
		t.Errorf("fired %q", fired(out))
	}
	if people := h.hot().KeyEntities["people"]; !slices.Equal(people, []string{"Sarah"}) {
		t.Errorf("the people are %v", people)
	}
}

// Of what messages say is to be done the last ten stay in mind; what somebody asked
// for stays anyway.
func TestActionsOfMessagesAreForgotten(t *testing.T) {
	h := converse(t)
	if _, _, err := h.AddAction(context.Background(), schema.Action{Action: "Order mortar"}); err != nil {
		t.Fatal(err)
	}
	for n := range 12 {
		h.utter(schema.Message{Content: fmt.Sprintf("TODO: lay stone %d", n), Agent: "quaid"})
	}
	var texts []string
	for _, a := range h.hot().PendingActions {
		texts = append(texts, a.Action)
	}
	if len(texts) != 11 || texts[0] != "Order mortar" || texts[1] != "lay stone 2" || texts[10] != "lay stone 11" {
		t.Errorf("to be done is %q", texts)
	}
}

// Whose change makes the hot context too large is told so, and nobody after them.
func TestALargeHotContextIsToldOnce(t *testing.T) {
	h := converse(t)
	told := 0
	for n := range 12 {
		_, out, err := h.AddNote(context.Background(), schema.Note{Note: fmt.Sprintf("%d %s", n, strings.Repeat("mortar ", 80))})
		if err != nil {
			t.Fatal(err)
		}
		for _, note := range out.Notes {
			if strings.Contains(note, "notes about") {
				told++
			}
		}
	}
	if told != 1 {
		t.Errorf("it was told %d times", told)
	}
}

// A session of messages alone is called by what they are about, once there is a
// summary; a session that lacks its hot context is given one when it is restored.
func TestASessionOfMessagesAlone(t *testing.T) {
	h := converse(t)
	for n := range 15 {
		h.utter(schema.Message{Content: []string{"Let's implement JWT authentication", "ok"}[min(n, 1)], Agent: "user"})
	}
	if title := h.about("conv-1").Title; !strings.Contains(title, "JWT") {
		t.Errorf("the title is %q", title)
	}
	if err := os.Remove(filepath.Join(h.root, session.HotContext("conv-1"))); err != nil {
		t.Fatal(err)
	}
	if _, out, err := h.RestoreSession(context.Background(), "conv-1"); err != nil || len(out.Notes) == 0 {
		t.Errorf("%v, told %q", err, out.Notes)
	}
	h.valid()
}
