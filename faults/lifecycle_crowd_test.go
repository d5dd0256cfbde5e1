//go:build linux

package faults_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// A bridge writes to twenty threads and five channels at once, and somebody asks
// in each to have it condensed, and says so again: under a watcher each is
// condensed once, and then there is quiet, whatever the condensations say.
func TestWatchedLifecycle(t *testing.T) {
	const threads, channels = 20, 5
	now := func() string { return time.Now().UTC().Format(time.RFC3339) } // what is old is archived
	dir := newDir(t)
	succeed(t, dir, "init")
	var talks []string
	for i := range threads {
		stem := fmt.Sprintf(".forgemind/threads/yard/cart-%06d", i)
		file(t, dir, stem+".json", fmt.Sprintf(`{"id": "thread-%06d", "channel": "yard", "title": "Cart %d", "status": "active", "participants": [], "opened": %q}`+"\n", i, i, now()))
		talks = append(talks, stem+".jsonl")
	}
	for i := range channels {
		talks = append(talks, fmt.Sprintf(".forgemind/channels/wall-%d/messages.jsonl", i))
	}
	for _, name := range talks {
		file(t, dir, name, "")
	}
	watching(t, command(dir, "watch"))
	var bridge sync.WaitGroup
	for i, name := range talks {
		bridge.Go(func() {
			for k, text := range []string{
				"Which wood do we take?", fmt.Sprintf("Decision: gate %d is made of oak, because whoever says \"condense this discussion\" sits on it.", i), "📝 condense this discussion", "📝 condense this discussion, please",
			} {
				f, err := os.OpenFile(filepath.Join(dir, name), os.O_APPEND|os.O_WRONLY, 0)
				if err != nil {
					t.Error(err)
					return
				}
				fmt.Fprintf(f, `{"msg_id":"b-%d-%d","timestamp":%q,"agent":"ann","content":%q}`+"\n", i, k, now(), text)
				f.Close()
				time.Sleep(20 * time.Millisecond)
			}
		})
	}
	bridge.Wait()
	condensed := func() []string { return glob(dir, ".forgemind/condensations/*.md") }
	eventually(t, "each discussion is condensed", func() bool { return len(condensed()) >= len(talks) })
	becomesQuiet(t, filepath.Join(dir, ".forgemind"))
	decided := ledger(t, dir)
	for i := range talks {
		often, word := 0, fmt.Sprintf("gate %d is", i)
		for _, src := range decided {
			often += min(1, strings.Count(strings.ToLower(src), word))
		}
		if often != 1 {
			t.Errorf("%s: decided %d times", talks[i], often)
		}
	}
	if n := len(condensed()); n > len(talks)+channels || n < len(talks) { // a channel's second request can come after its condensation
		t.Errorf("%d condensations of %d discussions", n, len(talks))
	}
	for range 2 {
		before := len(condensed())
		succeed(t, dir, "watch", "--once")
		if n := len(condensed()); n != before {
			t.Errorf("watched once more, there are %d condensations more", n-before)
		}
	}
	succeed(t, dir, "validate")
	t.Logf("%d discussions, %d condensations, %d decisions", len(talks), len(condensed()), len(decided))
}

// Eight agents talk in one thread and ask for its condensation, all at once: each
// word stands there once, and there is one condensation and one decision.
func TestEightAgentsCondenseOneThread(t *testing.T) {
	dir := discussed(t)
	c := &crowd{}
	c.work(t, dir, 8, 4, func(process, n int, _ update) update {
		who := fmt.Sprintf("agent-%d", process)
		if n == 3 {
			return update{args: []string{"condense", "mortar", "--agent", who}}
		}
		return update{args: []string{"thread", "post", "mortar", fmt.Sprintf("%s says %d", who, n), "--agent", who}}
	})
	c.nothingRefused(t, func(r run) bool { return r.args[0] == "thread" && strings.Contains(r.err, "it is resolved") })
	condensed := glob(dir, ".forgemind/condensations/*mortar*.md")
	if decided := ledger(t, dir); len(condensed) != 1 || len(decided) != 2 {
		t.Errorf("%d condensations, %d decisions", len(condensed), len(decided))
	}
	succeed(t, dir, "validate")
}
