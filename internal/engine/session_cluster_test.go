package engine_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// At 50 messages similar ones go to the archive, except for the newest ten; the message for
// them names them, and no message is clustered twice.
func TestSimilarMessagesAreGatheredOnce(t *testing.T) {
	t.Parallel()
	h := converse(t)
	for n := range 49 {
		h.utter(schema.Message{ID: fmt.Sprintf("m-%02d", n), Content: fmt.Sprintf("%s, coat %d", topics[n%len(topics)], n), Agent: "quaid"})
	}
	before := h.account(t)
	if got := fired(h.utter(schema.Message{ID: "m-49", Content: topics[49%len(topics)] + ", coat 49", Agent: "quaid"})); got != engine.ClusterTrigger {
		t.Fatalf("fired %q", got)
	}
	a := h.account(t)
	archived := map[string]bool{}
	for _, m := range a.archives["conv-1"] {
		archived[m.ID] = true
	}
	var members []string
	summaries := 0
	for _, m := range slices.Concat(a.archives["conv-1"], a.windows["conv-1"]) {
		if named := session.Members(m); named != nil {
			summaries++
			members = append(members, named...)
			if !strings.Contains(m.Content, named[0]) || len(named) < 4 {
				t.Errorf("%q stands for %v", m.Content, named)
			}
		}
	}
	if summaries == 0 || len(before.windows["conv-1"])-len(a.windows["conv-1"]) < 5 {
		t.Fatalf("%d summaries, %d messages in the window", summaries, len(a.windows["conv-1"]))
	}
	for i, id := range members {
		if !archived[id] || slices.Contains(members[:i], id) {
			t.Errorf("%s is gathered, archived: %t, or twice", id, archived[id])
		}
	}
	newest := a.windows["conv-1"][len(a.windows["conv-1"])-session.KeptMessages:]
	for i, m := range newest {
		if want := fmt.Sprintf("m-%d", 40+i); m.ID != want {
			t.Errorf("the window ends in %s where %s should be", m.ID, want)
		}
	}
	if got := h.about("conv-1").MessageCount; got != 50 {
		t.Errorf("the metadata says %d messages", got)
	}
	h.valid()

	files := h.files()
	if _, err := h.Trigger(context.Background(), engine.ClusterTrigger); err != nil {
		t.Fatal(err)
	}
	for name, text := range h.files() {
		if files[name] != text {
			t.Errorf("%s changed although all is gathered", name)
		}
	}
	for n := 50; n < 99; n++ {
		h.utter(schema.Message{ID: fmt.Sprintf("m-%02d", n), Content: fmt.Sprintf("%s, coat %d", topics[n%len(topics)], n), Agent: "quaid"})
	}
	if _, err := h.Trigger(context.Background(), engine.ClusterTrigger); err != nil {
		t.Fatal(err)
	}
	a = h.account(t)
	seen := map[string]bool{}
	for _, m := range slices.Concat(a.archives["conv-1"], a.windows["conv-1"]) {
		for _, id := range session.Members(m) {
			if seen[id] {
				t.Errorf("%s is gathered twice", id)
			}
			seen[id] = true
		}
	}
	if len(seen) <= len(members) || len(a.stands) != 99 {
		t.Errorf("%d are gathered, %d stand", len(seen), len(a.stands))
	}
	h.valid()
}
