package engine_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// An account is what stands in the sessions of a tree.
type account struct {
	stands   map[string]int // by content, without what stands for others
	inOne    map[string]int // messages by session
	windows  map[string][]schema.Message
	archives map[string][]schema.Message
}

// account reads all sessions, and holds that ids are unique.
func (h *house) account(t rapid.TB) account {
	t.Helper()
	a := account{map[string]int{}, map[string]int{}, map[string][]schema.Message{}, map[string][]schema.Message{}}
	ids := map[string]bool{}
	for name, err := range h.Names(fs.Sessions) {
		if err != nil {
			t.Fatal(err)
		}
		if fs.Place(name) != fs.DocMessage {
			continue
		}
		id := strings.Split(name, "/")[3]
		for _, line := range session.Read([]byte(h.read(name))) {
			if line.Err != nil {
				continue
			}
			m := line.Message
			if ids[m.ID] {
				t.Errorf("%s stands twice", m.ID)
			}
			ids[m.ID] = true
			if name == session.Window(id) {
				a.windows[id] = append(a.windows[id], *m)
			} else {
				a.archives[id] = append(a.archives[id], *m)
			}
			if m.Kind != "summary" {
				a.stands[m.Content]++
				a.inOne[id]++
			}
		}
	}
	return a
}

// An expectation is what the thresholds of config.json say of messages that come
// in one by one.
type expectation struct {
	summary, cluster, archive int
	count                     int // of the active session
	due                       map[string]int
}

func (e *expectation) message() {
	e.count++
	if e.count%e.summary == 0 {
		e.due[engine.SummaryTrigger]++
	}
	switch {
	case e.count%e.archive == 0:
		e.due[engine.ArchiveTrigger]++
		e.count = 0
	case e.count%e.cluster == 0:
		e.due[engine.ClusterTrigger]++
	}
}

// In whatever batches messages come, of whatever time and weight, and whatever
// the thresholds are: what is due is done when it is due and once, nothing is
// lost, and the newest ten stay.
func TestMessagesInBatches(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		root := nest(t)
		h := converseAt(t, root)
		e := expectation{
			summary: rapid.IntRange(2, 20).Draw(rt, "summary"), cluster: rapid.IntRange(10, 60).Draw(rt, "cluster"),
			archive: rapid.IntRange(15, 120).Draw(rt, "archive"), due: map[string]int{},
		}
		write(t, root, fs.Config, fmt.Sprintf(`{"compaction":{"policy":%q,"window_tokens":10000000,"thresholds":{"summary_messages":%d,"cluster_messages":%d,"archive_messages":%d}}}`,
			rapid.SampledFrom([]string{"quaid", "forgemind"}).Draw(rt, "policy"), e.summary, e.cluster, e.archive))
		said := 0
		var last []string // contents of the newest of the active session
		want := map[string]int{}
		var total int
		for range rapid.IntRange(1, 12).Draw(rt, "batches") {
			var batch []schema.Message
			due := maps.Clone(e.due)
			for range rapid.IntRange(1, 40).Draw(rt, "messages") {
				said++
				m := schema.Message{
					ID:      fmt.Sprintf("m-%04d", said),
					Content: fmt.Sprintf("%s, number %d \u2028 \"x\"\\\t\r\n", rapid.SampledFrom(topics).Draw(rt, "about"), said),
					Agent:   rapid.SampledFrom([]string{"user", "quaid", "ben"}).Draw(rt, "agent"),
				}
				if rapid.Bool().Draw(rt, "weighed") {
					ratio := rapid.SampledFrom([]float64{0, 0.2, 0.5, 0.8, 1}).Draw(rt, "importance")
					m.Importance = &ratio
				}
				if rapid.Bool().Draw(rt, "timed") {
					m.Timestamp = fmt.Sprintf("2026-03-02T09:%02d:00.000Z", rapid.IntRange(0, 59).Draw(rt, "minute"))
				}
				batch = append(batch, m)
				want[m.Content]++
				archived := e.due[engine.ArchiveTrigger]
				e.message()
				if last = append(last, m.Content); e.due[engine.ArchiveTrigger] > archived {
					last = nil
				}
			}
			total += len(batch)
			added, out, err := h.Say(context.Background(), batch)
			if err != nil || len(added) != len(batch) {
				rt.Fatalf("%d of %d were added: %v", len(added), len(batch), err)
			}
			fired := map[string]int{}
			for _, f := range out.Fired {
				fired[f.Trigger]++
			}
			for trigger, n := range e.due {
				if fired[trigger] != n-due[trigger] {
					rt.Fatalf("%s fired %d times, want %d", trigger, fired[trigger], n-due[trigger])
				}
			}
			a := h.account(rt)
			if !maps.Equal(a.stands, want) {
				rt.Fatalf("%d contents stand of %d", len(a.stands), len(want))
			}
			active := h.active()
			if a.inOne[active] != e.count {
				rt.Fatalf("%s holds %d messages, want %d", active, a.inOne[active], e.count)
			}
			for id, n := range a.inOne {
				if got := h.about(id).MessageCount; int(got) != n {
					rt.Fatalf("the metadata of %s says %d messages, there are %d", id, got, n)
				}
				if len(a.windows[id]) > session.WindowMessages {
					rt.Fatalf("the window of %s holds %d", id, len(a.windows[id]))
				}
			}
			var newest []string
			for _, m := range a.windows[active] {
				newest = append(newest, m.Content)
			}
			keep := last[max(0, len(last)-session.KeptMessages):]
			if newest = newest[max(0, len(newest)-len(keep)):]; !slices.Equal(newest, keep) {
				rt.Fatalf("the newest are\n%q\nwant\n%q", newest, keep)
			}
		}
		for _, out := range []engine.Outcome{h.look(), h.look()} {
			if len(out.Fired) > 0 || len(out.Changes) > 0 {
				rt.Fatalf("a look fired %s and changed %d documents", fired(out), len(out.Changes))
			}
		}
	})
}

var versioned = regexp.MustCompile(`"version": \d+`)

var topics = []string{
	"the north wall needs paint before winter", "the north wall needs fresh paint before winter comes",
	"pears are pruned in row seven of the orchard", "the login endpoint gives status 500 for expired tokens",
	"tests of the parser fail on windows line endings", "lunch",
}

// The same messages leave the same files, whether they come at once or one by
// one, but for the version of hot contexts, which counts commands.
func TestBatchesLeaveTheSameFiles(t *testing.T) {
	t.Parallel()
	var messages []schema.Message
	for n := 1; n <= 333; n++ {
		m := schema.Message{
			ID: fmt.Sprintf("m-%04d", n), Agent: []string{"user", "quaid"}[n%2], Timestamp: fmt.Sprintf("2026-03-02T%02d:%02d:00.000Z", 10+n/60, n%60),
			Content: fmt.Sprintf("%s.\nWorking on: src/part%d.go, part%d() is done.\nNext: look at part%d.", topics[n*n%len(topics)], n/9, n%5, n/20),
		}
		if n%40 > 30 { // so that the window becomes full
			m.Content += strings.Repeat(fmt.Sprintf(" Row %d is pruned.", n), 150)
		}
		if n%13 == 0 {
			m.Content = fmt.Sprintf("We decided to use plan %d because it is cheaper", n)
		}
		messages = append(messages, m)
	}
	var first map[string]string
	for _, size := range []int{1, 7, 40, len(messages)} {
		h := converse(t)
		fixed, err := engine.Open(h.root, engine.Edge{Now: func() time.Time { return morning.Add(time.Hour) }, Random: rand.NewChaCha8([32]byte{7})})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { fixed.Close() })
		h.Tree = fixed
		emergencies := 0
		for batch := range slices.Chunk(messages, size) {
			emergencies += strings.Count(fired(h.utter(batch...)), engine.EmergencyTrigger)
		}
		if emergencies < 3 {
			t.Fatalf("%d emergencies", emergencies)
		}
		now := h.files()
		for name := range now {
			if fs.Place(name) == fs.DocHotContext {
				now[name] = versioned.ReplaceAllString(now[name], "")
			}
		}
		if first == nil {
			first = now
			continue
		}
		for name := range maps.Keys(now) {
			if first[name] == "" {
				t.Errorf("%d at once: %s is there", size, name)
			}
		}
		for name, text := range first {
			if now[name] != text {
				t.Errorf("%d at once: %s is\n%.1500s\nwant\n%.1500s", size, name, now[name], text)
			}
		}
	}
}
