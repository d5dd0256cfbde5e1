package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/cold"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/schema"
)

// at opens the tree again with another present time.
func (h *house) at(now time.Time) *house {
	h.t.Helper()
	tree, err := engine.Open(h.root, engine.Edge{Now: func() time.Time { now = now.Add(time.Second); return now }})
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { tree.Close() })
	return &house{tree, h.t, h.root}
}

// whereabouts returns where each of the messages is: talk, cold, or trash.
func (h *house) whereabouts(messages []schema.Message) map[string]string {
	h.t.Helper()
	where := map[string]string{}
	look := func(place, text string) {
		for _, m := range messages {
			said, err := json.Marshal(m.Content)
			if err != nil {
				h.t.Fatal(err)
			}
			if strings.Contains(text, string(said)) && where[m.ID] == "" {
				where[m.ID] = place
			}
		}
	}
	for name, text := range h.files() {
		switch {
		case name == fs.Messages:
			look("talk", text)
		case strings.Contains(name, "/"+fs.ColdDir+"/"):
			look("cold", text)
		}
	}
	trash, _ := filepath.Glob(filepath.Join(h.root, fs.LocalName(fs.Forgemind, "trash"), "*"))
	for _, name := range trash {
		src, err := os.ReadFile(name)
		if err != nil {
			h.t.Fatal(err)
		}
		look("trash", string(src))
	}
	return where
}

// clocks are times that a clock may jump to.
var clocks = map[string]time.Time{
	"an hour back": morning.Add(-time.Hour), "twenty years back": morning.AddDate(-20, 0, 0), "to the beginning": time.Unix(0, 0), "before it": time.Date(1901, 12, 13, 0, 0, 0, 0, time.UTC), "to no time": {},
	"a year ahead": morning.AddDate(1, 0, 0), "past 2038": time.Date(2039, 1, 1, 0, 0, 0, 0, time.UTC), "past what is counted in nanoseconds": time.Date(2300, 1, 1, 0, 0, 0, 0, time.UTC),
	"to the last year": time.Date(9999, 12, 20, 0, 0, 0, 0, time.UTC), "elsewhere": morning.In(time.FixedZone("odd", 14*3600-1)),
}

// A clock that jumps forward and back loses nothing: the messages that left are in cold
// storage or, once expired, in the trash, and can be recovered from cold storage byte for
// byte.
func TestAClockThatJumpsLosesNothing(t *testing.T) {
	t.Parallel()
	relevance := engine.Compaction{Now: true, Strategy: "relevance", Budget: 400, Prompt: "How long must the mortar set?"}
	for what, now := range clocks {
		t.Run(what, func(t *testing.T) {
			h := memfas(t, 200_000)
			said := append(chat("bees", 20, 80, bees), chat("walls", 20, 2, walls)...)
			h.say(said...)
			if done, _, err := h.Compact(t.Context(), relevance); err != nil || done.Empty() {
				t.Fatalf("%+v, %v", done, err)
			}
			h.Close()

			jumped := h.at(now)
			more := chat("gates", 20, 1, "Gates of oak hang on iron hinges that a smith forged for the orchard.")
			for i := range more {
				more[i].Timestamp = "" // said now
			}
			jumped.say(more...)
			before := jumped.read(fs.Messages)
			done, _, err := jumped.Compact(t.Context(), relevance)
			if err != nil || done.Empty() {
				t.Fatalf("after the jump: %+v, %v", done, err)
			}
			if found, _, err := jumped.Recover(t.Context(), engine.Recovery{Query: "iron hinges of oak", Limit: 3}); err != nil || len(found) == 0 {
				t.Errorf("recovered %d: %v", len(found), err)
			}
			if _, _, _, err := jumped.Expire(t.Context()); err != nil {
				t.Error(err)
			}
			if _, _, _, err := jumped.Uncompact(t.Context()); err != nil {
				t.Error(err)
			} else if after := jumped.read(fs.Messages); after != before {
				t.Error("what left after the jump does not come back byte for byte")
			}
			jumped.Close()

			again := h.at(morning.Add(time.Hour))
			if _, _, _, err := again.Expire(t.Context()); err != nil {
				t.Error(err)
			}
			if _, _, err := again.Compact(t.Context(), relevance); err != nil {
				t.Error(err)
			}
			where := again.whereabouts(append(said, more...))
			for _, m := range append(said, more...) {
				if where[m.ID] == "" {
					t.Errorf("%s is lost", m.ID)
				}
			}
			logs := again.logs()
			for _, d := range logs.Drops {
				if d.RelevanceScore < 0 || d.RelevanceScore > 1 || d.Hours != nil && *d.Hours < 0 {
					t.Errorf("a drop: %+v", d)
				}
			}
			if faults, n, err := cold.Verify(again.Tree.Tree, func([]byte) (cold.Compaction, bool) { return cold.Compaction{}, false }); err != nil || len(faults) > 0 {
				t.Errorf("%+v: %v, %v", n, faults, err)
			}
		})
	}
}

// Messages with a time in the future, or without one, are neither lost nor kept because of
// that.
func TestStampsThatAreNone(t *testing.T) {
	t.Parallel()
	stamps := []string{"9999-12-31T23:59:59Z", "2099-01-01T00:00:00+14:00", "0001-01-01T00:00:00Z", "1969-12-31T23:59:60Z", morning.Add(time.Hour).Format(time.RFC3339)}
	h := memfas(t, 200_000)
	var said []schema.Message
	for i, stamp := range stamps {
		for n := range 6 {
			m := schema.Message{ID: fmt.Sprintf("msg-%d-%d", i, n), Agent: "Facilitator Agent", Role: "assistant", Timestamp: stamp, Content: fmt.Sprintf("%s Row %d, course %d.", walls, i, n)}
			said = append(said, m)
		}
	}
	h.say(said...)
	before := h.read(fs.Messages)
	done, _, err := h.Compact(context.Background(), engine.Compaction{Now: true, Strategy: "relevance", Budget: 300, Prompt: "the bees"})
	if err != nil || done.Empty() || done.TokensAfter > 300 {
		t.Fatalf("%+v, %v", done, err)
	}
	for _, s := range done.Steps {
		if s.Parts != nil && (s.Parts.Hours < 0 || s.Parts.Recency < 0 || s.Parts.Recency > 1 || s.Parts.Score < 0 || s.Parts.Score > 1000) {
			t.Errorf("%s scores %+v", s.ID, s.Parts)
		}
	}
	for _, d := range h.logs().Drops {
		if d.Hours != nil && *d.Hours < 0 {
			t.Errorf("a drop: %+v", d)
		}
	}
	if _, _, _, err := h.Uncompact(context.Background()); err != nil || h.read(fs.Messages) != before {
		t.Errorf("it does not come back: %v", err)
	}
}
