package engine_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/cold"
	"github.com/forgemind/forgemind/internal/compact"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/schema"
)

// A window that becomes full is shortened to the newest ten messages, and not
// again before it is five points fuller than it was then. Nothing is lost.
func TestAFullWindowIsShortened(t *testing.T) {
	t.Parallel() // it takes long
	for _, scene := range []struct {
		name, config string
		state        bool
		window       int // tokens; 0: nothing is to happen
		own          int // of a window that is not a session's
	}{
		{name: "by default", window: 8000},
		{name: "of a size of its own", config: `{"compaction":{"window_tokens":3000}}`, window: 3000},
		{name: "at another threshold", config: `{"compaction":{"policy":"quaid","window_tokens":5000,"thresholds":{"emergency":60}}}`, window: 5000},
		{name: "of a State", config: `{"compaction":{"policy":"quaid"}}`, state: true, window: 6000},
		{name: "of a State with a policy of its own", config: `{"compaction":{"policy":"forgemind"}}`, state: true, own: 6000},
	} {
		t.Run(scene.name, func(t *testing.T) {
			root := t.TempDir()
			if scene.state {
				src, err := state.New("Orchard", "session-2026-03-02-01", morning)
				if err != nil {
					t.Fatal(err)
				}
				text := strings.Replace(string(src), `"total_tokens": 200000`, `"total_tokens": 6000`, 1)
				if text == string(src) {
					t.Fatalf("the State's window is another:\n%s", src)
				}
				write(t, root, fs.State, text)
			}
			h := converseAt(t, root)
			if scene.config != "" {
				write(t, root, fs.Config, scene.config)
			}
			emergencies, floor := 0, -1.0
			for n := range 90 {
				out := h.utter(schema.Message{Content: fmt.Sprintf("%d: %s", n, strings.Repeat(fmt.Sprintf("row %d of the orchard, ", n*n), (scene.window+scene.own)/25/7)), Agent: "quaid"})
				a := h.account(t)
				chunks, _, err := cold.List(h)
				if err != nil {
					t.Fatal(err)
				}
				for _, chunk := range chunks { // the State's policy has a storage of its own
					if m, ok := session.Left(chunk); ok && m.Kind != "summary" {
						a.stands[m.Content]++
					}
				}
				if len(a.stands) != n+1 {
					t.Fatalf("%d contents stand of %d", len(a.stands), n+1)
				}
				for _, f := range out.Fired {
					if f.Trigger != engine.EmergencyTrigger {
						continue
					}
					emergencies++
					var percent float64
					if _, err := fmt.Sscanf(f.Reason, "the context window is %f", &percent); err != nil {
						t.Fatal(err)
					}
					if percent < floor+4.5 {
						t.Errorf("message %d: fired at %v %%, it was %v %% full after the last", n, percent, floor)
					}
					used, said := 0, 0
					for _, m := range a.windows["conv-1"] {
						used += int(m.Tokens)
						if m.Kind != compact.Summary { // of those that were gathered just now
							said++
						}
					}
					if said != session.KeptMessages {
						t.Errorf("message %d: %d messages are in the window", n, said)
					}
					floor = 100 * float64(used) / float64(max(scene.window, 1))
					if _, err := os.Stat(h.root + "/" + session.SummaryFile("conv-1")); err != nil {
						t.Error(err)
					}
				}
			}
			if (emergencies > 0) != (scene.window > 0) || emergencies > 30 {
				t.Errorf("%d emergencies", emergencies)
			}
		})
	}
}

// What a compaction takes out counts on, wherever its summary stands by now, and
// comes back.
func TestCompactionsKeepTheCount(t *testing.T) {
	h := converse(t)
	ctx := context.Background()
	said := 0
	due := map[string]int{}
	say := func(n int) {
		for range n {
			said++
			out := h.utter(schema.Message{Content: fmt.Sprintf("%d: %s", said, strings.Repeat("a pear, ", 50)), Agent: "go", Role: "tool", Kind: "tool_output"})
			for _, f := range out.Fired {
				due[f.Trigger]++
			}
			if got := h.about("conv-1").MessageCount; int(got) != said {
				t.Fatalf("after %d messages the metadata says %d", said, got)
			}
		}
	}
	say(20)
	before := h.read(session.Window("conv-1"))
	done, _, err := h.Compact(ctx, engine.Compaction{Now: true})
	if err != nil || done.ID == "" {
		t.Fatalf("%+v, %v", done, err)
	}
	if _, _, _, err := h.Uncompact(ctx); err != nil || h.read(session.Window("conv-1")) != before {
		t.Fatalf("the window is another, %v", err)
	}
	if _, _, err := h.Compact(ctx, engine.Compaction{Now: true}); err != nil {
		t.Fatal(err)
	}
	say(3)
	file, err := os.OpenFile(filepath.Join(h.root, session.Window("conv-1")), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // somebody else's
		said++
		fmt.Fprintf(file, `{"msg_id":"x-%d","ts":"2026-03-02T09:50:00Z","agent":"script","content":"line"}`+"\n", said)
	}
	file.Close()
	h.look()
	if got := h.about("conv-1").MessageCount; int(got) != said {
		t.Fatalf("after %d messages the metadata says %d", said, got)
	}
	if _, _, err := h.Compact(ctx, engine.Compaction{Now: true}); err != nil { // with the summary of the first
		t.Fatal(err)
	}
	say(24) // its own slides out
	if want := map[string]int{engine.SummaryTrigger: 3}; !maps.Equal(due, want) {
		t.Errorf("fired %v, want %v", due, want)
	}
	h.valid()
}
