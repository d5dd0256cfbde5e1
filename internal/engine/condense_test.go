package engine_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/secret"
	"github.com/forgemind/forgemind/schema"
)

const (
	mortar     = `{"id":"thread-000001","channel":"walls","title":"Mortar","status":"active","participants":["ann"],"opened":"2026-03-01T09:00:00Z"}`
	mortarTalk = `{"msg_id":"msg-1","timestamp":"2026-03-01T09:00:00Z","agent":"ann","content":"Lime or cement for the south wall?"}
{"msg_id":"msg-2","timestamp":"2026-03-01T09:10:00Z","agent":"bob","content":"Cement cracks when the frost comes."}
{"msg_id":"msg-3","timestamp":"2026-03-01T09:20:00Z","agent":"ann","content":"Decision: we use lime mortar, because it moves with the wall."}
`
	threadFile = fs.Forgemind + "/threads/walls/mortar-000001.json"
	talkFile   = threadFile + "l"
)

// masons is a tree with a thread in which something was decided.
func masons(t *testing.T) *house {
	h := build(t)
	write(t, h.root, threadFile, mortar+"\n")
	write(t, h.root, talkFile, mortarTalk)
	return h
}

func (h *house) condense(d engine.Discussion) (engine.Condensed, engine.Outcome) {
	h.t.Helper()
	done, out, err := h.Condense(context.Background(), d, nil)
	if err != nil {
		h.t.Fatal(err)
	}
	return done, out
}

// Two who condense a thread, each in a clone of their own and at their own time,
// write the same bytes, so that plain git merges them without a word.
func TestTwoWhoCondenseAThreadWriteTheSame(t *testing.T) {
	ours, theirs := masons(t), masons(t)
	for range 50 { // they come later
		theirs.look()
	}
	ours.condense(engine.Discussion{Thread: "mortar", Agent: "secretary"})
	theirs.condense(engine.Discussion{Thread: "thread-000001", Agent: "secretary"})
	a, b := ours.files(), theirs.files()
	for _, name := range slices.Sorted(maps.Keys(a)) {
		if a[name] != b[name] {
			t.Errorf("%s differs:\n%s\n%s", name, a[name], b[name])
		}
	}
	if len(a) != len(b) || len(a) < 8 {
		t.Errorf("%d and %d files", len(a), len(b))
	}
}

// What supersedes a decision takes its condensation off the pins, and tells the
// notes of those who knew it, whether they took part or not.
func TestWhoeverKnewADecisionLearnsWhatTookItsPlace(t *testing.T) {
	for what, supersede := range map[string]func(h *house, id string){
		"by a decision": func(h *house, id string) {
			if _, _, err := h.Decide(context.Background(), schema.Decision{Decision: "Cement, the lime is sold out", Supersedes: schema.IDs{id}}); err != nil {
				t.Fatal(err)
			}
		},
		"by a condensation": func(h *house, id string) {
			h.condense(engine.Discussion{Channel: "walls", Messages: []schema.Message{
				{ID: "m-1", Timestamp: "2026-03-02T08:00:00Z", Agent: "carl", Content: "Decision: Cement, the lime is sold out. It supersedes " + id + "."},
			}})
		},
	} {
		t.Run(what, func(t *testing.T) {
			h := masons(t)
			first, _ := h.condense(engine.Discussion{Thread: "mortar"})
			pins, err := condense.Pins(h, fs.Forgemind, "walls")
			if err != nil || len(pins) != 1 || pins[0].Condensation != path.Base(first.File) {
				t.Fatalf("pinned are %v, %v", pins, err)
			}
			supersede(h, first.DecisionID)
			pins, err = condense.Pins(h, fs.Forgemind, "walls")
			if err != nil || slices.ContainsFunc(pins, func(p schema.Pin) bool { return p.Condensation == path.Base(first.File) }) {
				t.Errorf("still pinned: %v, %v", pins, err)
			}
			for _, who := range []string{"ann", "bob"} {
				note := h.read(fs.Forgemind + "/memory/" + who + "-notes.md")
				if !strings.Contains(note, "(supersedes "+first.DecisionID+")") {
					t.Errorf("%s does not know:\n%s", who, note)
				}
			}
			if text := h.read(first.File); !strings.Contains(text, "lime mortar") {
				t.Errorf("the condensation is gone:\n%s", text)
			}
		})
	}
}

// A condensation names only decisions that are there and hold; the rest stays in
// words, and people are told.
func TestWhatIsSupersededMustBeThere(t *testing.T) {
	h := masons(t)
	decide := func(text string, supersedes ...string) string {
		d, _, err := h.Decide(context.Background(), schema.Decision{Decision: text, Supersedes: supersedes})
		if err != nil {
			t.Fatal(err)
		}
		return d.ID
	}
	old := decide("Cement for all walls")
	decide("Clay for all walls", old)
	done, out := h.condense(engine.Discussion{Channel: "walls", Messages: []schema.Message{
		{ID: "m-1", Timestamp: "2026-03-02T08:00:00Z", Agent: "carl", Content: "Decision: the coping gets slate. It supersedes " + old + " and DEC-404404."},
	}})
	if !slices.Equal(done.Supersedes, []string{old, "DEC-404404"}) {
		t.Errorf("the condensation supersedes %q", done.Supersedes)
	}
	if text := h.read(fs.Forgemind + "/decisions/" + done.DecisionID + ".json"); strings.Contains(text, `"supersedes"`) {
		t.Errorf("the Ledger has it:\n%s", text)
	}
	if told := strings.Join(out.Notes, "\n"); !strings.Contains(told, "superseded already") || !strings.Contains(told, `"DEC-404404"`) {
		t.Errorf("people are told:\n%s", told)
	}
}

// The oldest pin leaves a full channel, with a word.
func TestAFullChannelLosesItsOldestPin(t *testing.T) {
	h := build(t)
	var last engine.Outcome
	for i := range condense.MaxPins + 1 {
		at := schema.FormatTime(morning.Add(time.Duration(i) * time.Hour))
		_, last = h.condense(engine.Discussion{Channel: "walls", Topic: fmt.Sprintf("Stone %d", i), Messages: []schema.Message{
			{ID: fmt.Sprintf("m-%d", i), Timestamp: at, Agent: "ann", Content: fmt.Sprintf("Decision: stone %d goes on top.", i)},
		}})
	}
	pins, err := condense.Pins(h, fs.Forgemind, "walls")
	if err != nil || len(pins) != condense.MaxPins || strings.Contains(pins[0].Condensation, "-stone-0-") {
		t.Errorf("%d pins, the first %v, %v", len(pins), pins[0], err)
	}
	if told := strings.Join(last.Notes, "\n"); !regexp.MustCompile(`-stone-0-\w{6}\.md was unpinned in #walls`).MatchString(told) {
		t.Errorf("people are told:\n%s", told)
	}
}

// A condensation that was renamed is found by its thread: condensing again mends
// the links and writes no second one.
func TestARenamedCondensationIsLinkedAgain(t *testing.T) {
	h := masons(t)
	first, _ := h.condense(engine.Discussion{Thread: "mortar"})
	moved := fs.Forgemind + "/condensations/lime.md"
	write(t, h.root, moved, h.read(first.File))
	remove(t, h.root, first.File)
	write(t, h.root, fs.Quaid+"/channels/walls/pins.json", `{"channel": "walls", "pins": [{"condensation": "`+path.Base(first.File)+`"}]}`)
	again, _ := h.condense(engine.Discussion{Thread: "mortar"})
	if !again.Already || again.File != moved {
		t.Errorf("it is %+v", again)
	}
	if record := h.read(threadFile); !strings.Contains(record, `"condensation":"lime.md"`) {
		t.Errorf("the thread says\n%s", record)
	}
	for _, home := range []string{fs.Forgemind, fs.Quaid} {
		pins, err := condense.Pins(h, home, "walls")
		if err != nil || len(pins) != 1 || pins[0].Condensation != "lime.md" {
			t.Errorf("pinned below %s are %v, %v", home, pins, err)
		}
	}
}

// A watcher condenses what a bridge's users asked for, once.
func TestAWatcherCondensesWhatWasAskedFor(t *testing.T) {
	h := masons(t)
	heard := engine.Event{Heard: []string{talkFile}}
	if out, err := h.Do(context.Background(), heard, nil); err != nil || len(out.Changes) > 0 {
		t.Fatalf("nobody asked, yet it changed %v, %v", out.Changes, err)
	}
	write(t, h.root, talkFile, mortarTalk+`{"msg_id":"msg-4","timestamp":"2026-03-01T09:30:00Z","agent":"bob","content":"📝 Condense this discussion"}`+"\n")
	out, err := h.Do(context.Background(), heard, nil)
	if err != nil || fired(out) != engine.CondenseTrigger {
		t.Fatalf("it fired %q, %v", fired(out), err)
	}
	if all, _, err := condense.Condensations(h); err != nil || len(all) != 1 || all[0].Decision == "" {
		t.Errorf("condensed are %v, %v", all, err)
	}
	if out, err := h.Do(context.Background(), heard, nil); err != nil || len(out.Changes) > 0 {
		t.Errorf("a second look changed %v, %v", out.Changes, err)
	}
}

// says reports whether the conversation about mortar has a message of that id.
func (h *house) says(id string) bool {
	said, _, err := condense.Talk(h, talkFile)
	return err == nil && slices.ContainsFunc(said, func(m schema.Message) bool { return m.ID == id })
}

// A channel whose pins can't be read keeps nobody else waiting, and loses nobody's
// words: what is asked for there is done once the pins are mended.
func TestADiscussionThatCannotBeCondensedHoldsNothingUp(t *testing.T) {
	t.Parallel() // it waits
	h := masons(t)
	ask := `{"msg_id":"msg-4","timestamp":"2026-03-01T09:30:00Z","agent":"bob","content":"📝 Condense this discussion"}` + "\n"
	other := strings.NewReplacer("walls", "roofs", "000001", "000002", "Mortar", "Slate")
	write(t, h.root, other.Replace(threadFile), other.Replace(mortar))
	write(t, h.root, other.Replace(talkFile), mortarTalk+ask)
	pins := fs.Forgemind + "/channels/walls/pins.json"
	write(t, h.root, pins, "<<<<<<< ours\n")
	posted, out, err := h.Post(context.Background(), "mortar", schema.Message{Agent: "bob", Content: "Condense this discussion"})
	if err != nil || posted.Condensed != nil || !h.says(posted.Messages[0].ID) {
		t.Fatalf("posting came to %+v, %v", posted, err)
	}
	if failed := out.Failed(); len(failed) != 1 || failed[0].Action != "condense_discussion" || !strings.Contains(failed[0].Err.Error(), pins) {
		t.Errorf("people are told %+v", out.Fired)
	}
	heard := engine.Event{Heard: []string{talkFile, other.Replace(talkFile)}}
	if _, err := h.Do(context.Background(), heard, nil); err != nil {
		t.Fatal(err)
	}
	topics := func() (all []string) {
		list, _, err := condense.Condensations(h)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range list {
			all = append(all, c.Topic)
		}
		return slices.Sorted(slices.Values(all))
	}
	if all := topics(); !slices.Equal(all, []string{"Slate"}) {
		t.Errorf("condensed are %q", all)
	}
	if all, _ := engine.AllDecisions(h); len(all) != 1 {
		t.Errorf("the Ledger has %v", all)
	}
	remove(t, h.root, pins)
	word := `{"msg_id":"msg-5","timestamp":"2026-03-01T09:40:00Z","agent":"ann","content":"It is mended."}` + "\n"
	write(t, h.root, talkFile, mortarTalk+ask+word) // a word has it tried again
	if _, err := h.Do(context.Background(), heard, nil); err != nil {
		t.Fatal(err)
	}
	if all := topics(); !slices.Equal(all, []string{"Mortar", "Slate"}) {
		t.Errorf("in the end condensed are %q", all)
	}
}

// A thread that nobody speaks in is put away when a watcher begins, but not
// before what it came to is condensed.
func TestIdleThreadsAreArchivedByAWatcher(t *testing.T) {
	h := masons(t)
	old := strings.NewReplacer("2026-03-01", "2026-02-01", "000001", "000002", "Mortar", "Stones")
	resolved := strings.NewReplacer("2026-03-01", "2026-02-01", "000001", "000003", "Mortar", "Sand", `"active"`, `"resolved","resolved":"2026-02-01T10:00:00Z"`)
	write(t, h.root, strings.Replace(threadFile, "000001", "000002", 1), old.Replace(mortar))
	write(t, h.root, strings.Replace(threadFile, "000001", "000003", 1), resolved.Replace(mortar))
	if _, err := h.Do(context.Background(), engine.Event{Heard: []string{talkFile}, Idle: true}, nil); err != nil {
		t.Fatal(err)
	}
	all, _, err := condense.Threads(h)
	if err != nil {
		t.Fatal(err)
	}
	for _, th := range all {
		want := map[string]string{"thread-000001": condense.Active, "thread-000002": condense.Archived, "thread-000003": condense.Resolved}[th.ID]
		if th.Status != want {
			t.Errorf("%s is %s, not %s", th.ID, th.Status, want)
		}
	}
}

// A secret in messages from elsewhere is written nowhere.
func TestCondensingMasksSecrets(t *testing.T) {
	h := build(t)
	token := "ghp_" + strings.Repeat("a1B2", 9)
	if masked, kinds := secret.Mask(token); len(kinds) == 0 {
		t.Fatalf("%s is none: %s", token, masked)
	}
	done, _ := h.condense(engine.Discussion{Channel: "walls", Messages: []schema.Message{
		{ID: "m-1", Timestamp: "2026-03-02T08:00:00Z", Agent: "ann", Content: "Decision: the gate takes the token " + token + " from now on."},
	}})
	for name, text := range h.files() {
		if strings.Contains(text, token) {
			t.Errorf("%s holds it (%s)", name, done.File)
		}
	}
}

// A decision that others wrote renews the project's page, which is told; a page
// that says so already is nothing that happened.
func TestAProjectsPageIsRenewedOnce(t *testing.T) {
	h := build(t)
	if _, _, err := h.NewProject(context.Background(), schema.ProjectRecord{Name: "Orchard"}); err != nil {
		t.Fatal(err)
	}
	decision := fs.Forgemind + "/decisions/DEC-AB12CD.json"
	write(t, h.root, decision, `{"id":"DEC-AB12CD","timestamp":"2026-03-01T09:00:00Z","decision":"Cordons, they fit the wall","decision_maker":"ann","recorded_by":"ann","project":"orchard"}`+"\n")
	for i, want := range []string{engine.ProjectTrigger, ""} {
		out, err := h.Do(context.Background(), engine.Event{Heard: []string{decision}}, nil)
		if err != nil || fired(out) != want {
			t.Errorf("look %d fired %q, %v", i, fired(out), err)
		}
	}
	if page := h.read(fs.Forgemind + "/projects/orchard/CONTEXT.md"); !strings.Contains(page, "Cordons") {
		t.Errorf("the page says\n%s", page)
	}
}

// A watcher hears of a condensation while somebody writes it: it is left for a moment. A command takes it in
// at once, but for one that breaks off in the decision.
func TestACondensationIsTakenInWhenItIsWritten(t *testing.T) {
	const text = "**Date:** 2026-03-01\n**Participants:** ann\n**Decision:** Mortar of lime\n"
	for name, c := range map[string]struct {
		text  string
		event engine.Event
		waits bool
	}{
		"by a watcher":                  {text, engine.Event{Patient: true}, true},
		"by a command":                  {text, engine.Event{}, false},
		"a part of it, by a command":    {strings.TrimSuffix(text, " of lime\n"), engine.Event{}, true},
		"without its end, by a command": {text + "**Rationale:** It lasts", engine.Event{}, false},
	} {
		h := masons(t)
		file := fs.Forgemind + "/condensations/2026-03-01-lime.md"
		write(t, h.root, file, c.text)
		fi, err := os.Stat(filepath.Join(h.root, file))
		if err != nil {
			t.Fatal(err)
		}
		for _, age := range []time.Duration{time.Second / 2, 2 * time.Second} {
			h.Now = func() time.Time { return fi.ModTime().Add(age) }
			out, err := h.Do(context.Background(), c.event, nil)
			if err != nil {
				t.Fatal(err)
			}
			waits := c.waits && age < time.Second
			if all, _ := engine.Decisions(h); out.Again != waits || (len(all) == 0) != waits {
				t.Errorf("%s, %v after it was written: %d decisions, again %v", name, age, len(all), out.Again)
			}
		}
	}
}
