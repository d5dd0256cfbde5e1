package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/internal/transcript"
	"github.com/forgemind/forgemind/schema"
)

// inWindow returns how many lines the window of conv-1 has.
func (h *house) inWindow() int {
	h.t.Helper()
	return strings.Count(h.read(session.Window("conv-1")), "\n")
}

// prune says so many times that rows of an orchard are pruned, which is similar.
func (h *house) prune(times int) engine.Outcome {
	h.t.Helper()
	var out engine.Outcome
	for n := range times {
		out = h.utter(schema.Message{Content: fmt.Sprintf("row %d of the orchard is pruned now", n%3), Agent: "quaid"})
	}
	return out
}

// A trigger on the State's window shortens the session that fills it.
func TestATriggerOnTheStateCompactsTheSession(t *testing.T) {
	root := t.TempDir()
	src, err := state.New("Orchard", "session-2026-03-02-01", morning)
	if err != nil {
		t.Fatal(err)
	}
	write(t, root, fs.State, strings.Replace(string(src), `"total_tokens": 200000`, `"total_tokens": 20000`, 1))
	h := converseAt(t, root)
	write(t, root, fs.Config, `{"compaction":{"policy":"quaid"}}`)
	for n := range 30 {
		h.utter(schema.Message{Content: fmt.Sprintf("%d: %s", n, strings.Repeat(fmt.Sprintf("row %d of the orchard, ", n*n), 30)), Agent: "quaid"})
	}
	h.save(fs.State, `"total_tokens": 20000`, `"total_tokens": 3600`)
	if out := h.look(); !strings.Contains(fired(out), "context_window_threshold") || h.inWindow() != session.KeptMessages {
		t.Errorf("fired %+v, and the window holds %d messages", out.Fired, h.inWindow())
	}
}

// What fires with the message that ends a session is done in that session.
func TestWhatEndsASessionComesLast(t *testing.T) {
	h := converse(t)
	write(t, h.root, fs.Config, `{"refresh_triggers":[
		{"name":"session_archive","enabled":true,"condition":"messages_since_archive >= 15","actions":["archive_session"]},
		{"name":"mine","enabled":true,"condition":"session_messages == 15","actions":["cluster_messages","update_session_summary"]},
		{"name":"both","enabled":true,"condition":"session_messages == 15","actions":["archive_session","update_session_summary"]}],
		"compaction":{"thresholds":{"emergency":0.01}}}`)
	out := h.prune(15)
	if got := fired(out); got != "mine session_summary session_archive both" || h.active() == "conv-1" {
		t.Errorf("%s fired, and %s goes on", got, h.active())
	}
	h.read(session.SummaryFile("conv-1"))
	if _, err := h.Read(session.SummaryFile(h.active())); err == nil {
		t.Error("a session in which nothing was said has a summary")
	}
}

// However many triggers config.json has, the program's own are there.
func TestOwnTriggersBesideManyOthers(t *testing.T) {
	h := converse(t)
	var list []schema.Trigger
	for n := range 501 {
		list = append(list, schema.Trigger{Name: fmt.Sprintf("t%d", n), Enabled: true, Condition: "command == 'x'", Actions: []string{"save_context_snapshot"}})
	}
	text, err := json.Marshal(map[string]any{"refresh_triggers": list})
	if err != nil {
		t.Fatal(err)
	}
	write(t, h.root, fs.Config, string(text))
	if out := h.prune(15); !strings.Contains(fired(out), engine.SummaryTrigger) {
		t.Errorf("fired %+v", out.Fired)
	}
	if out, err := h.Trigger(context.Background(), engine.SummaryTrigger); err != nil || fired(out) != engine.SummaryTrigger {
		t.Errorf("fired %+v, %v", out.Fired, err)
	}
}

// What an agent writes down gathers similar messages once, behind the last of them, and that is told then.
func TestAPartOfATranscriptIsGatheredBehindIt(t *testing.T) {
	h := converse(t)
	var all []schema.Message
	for n := range 55 {
		all = append(all, schema.Message{
			ID: fmt.Sprintf("m-%d", n), Agent: "quaid", Role: "assistant", Content: fmt.Sprintf("row %d of the orchard is pruned now", n%3),
			Timestamp: fmt.Sprintf("2026-03-02T09:00:%02dZ", n),
		})
	}
	_, out, err := h.ImportPart(context.Background(), transcript.Transcript{Messages: all})
	if err != nil || !strings.HasSuffix(fired(out), engine.ClusterTrigger) || h.inWindow() >= 20 {
		t.Errorf("fired %s, %v, and the window holds %d messages", fired(out), err, h.inWindow())
	}

	// So does a trigger on what the user says in it.
	write(t, h.root, fs.Config, `{"refresh_triggers":[{"name":"tidy","enabled":true,"condition":"user_prompted","actions":["cluster_messages"]}]}`)
	h.prune(40)
	before := h.inWindow()
	asked := schema.Message{ID: "u-1", Role: "user", Agent: "user", Content: "What next?", Timestamp: "2026-03-02T09:50:00Z"}
	_, out, err = h.ImportPart(context.Background(), transcript.Transcript{Messages: []schema.Message{asked}})
	if err != nil || !strings.Contains(fired(out), "tidy") || h.inWindow() >= before {
		t.Errorf("fired %s, %v, and the window holds %d messages of %d", fired(out), err, h.inWindow(), before)
	}
}

// A condition of one's own that stays true fires once, and is said to wait then.
func TestAConditionThatHoldsFiresOnce(t *testing.T) {
	h := converse(t)
	write(t, h.root, fs.Config, `{"refresh_triggers":[{"name":"mine","enabled":true,"condition":"session_messages >= 3","actions":["update_session_summary","save_context_snapshot"]}]}`)
	waits := func() string {
		all, err := engine.Triggers(h)
		if err != nil {
			t.Fatal(err)
		}
		return all[0].Waits
	}
	for n, want := range []string{"", "", "mine", "", ""} {
		out := h.utter(schema.Message{Content: fmt.Sprintf("step %d", n), Agent: "quaid"})
		if fired(out) != want || (waits() != "") != (n >= 2) {
			t.Errorf("at message %d fired %q, and it waits for %q", n+1, fired(out), waits())
		}
		if want != "" && len(out.Fired[0].Actions) != 2 {
			t.Errorf("it did %+v", out.Fired[0].Actions)
		}
	}
}

// Once a compaction made room the trigger on how full the window is waits for nothing but that.
func TestACompactionArmsItsTrigger(t *testing.T) {
	h := converse(t)
	write(t, h.root, fs.Config, `{"compaction":{"window_tokens":2000}}`)
	for n := range 40 {
		out := h.utter(schema.Message{Content: fmt.Sprintf("%d: %s", n, strings.Repeat(fmt.Sprintf("row %d of the orchard, ", n*n), 20)), Agent: "quaid"})
		if !strings.Contains(fired(out), engine.EmergencyTrigger) {
			continue
		}
		all, err := engine.Triggers(h)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range all {
			if s.Waits != "" && s.Name == engine.EmergencyTrigger {
				t.Errorf("it waits: %s", s.Waits)
			}
		}
		return
	}
	t.Error("the window is never full")
}

// An agent's transcript stays one session, whatever it fires; with the next message that is made up for.
func TestAnImportedSessionIsArchivedAfterwards(t *testing.T) {
	h := converse(t)
	write(t, h.root, fs.Config, `{"refresh_triggers":[{"name":"mine","enabled":true,"condition":"session_messages >= 5","actions":["archive_session"]}]}`)
	h.importing(wroteDown(t, 1000, 2000))
	if h.active() != "conv-1" || h.inWindow() != 6 {
		t.Fatalf("%s goes on, and the window of conv-1 holds %d messages", h.active(), h.inWindow())
	}
	if out := h.utter(schema.Message{Content: "What next?", Agent: "user"}); fired(out) != "mine" || h.active() == "conv-1" {
		t.Errorf("fired %+v, and %s goes on", out.Fired, h.active())
	}
}
