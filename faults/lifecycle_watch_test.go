//go:build linux

package faults_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
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
	cmd := command(dir, "watch")
	log, err := os.Create(filepath.Join(t.TempDir(), "watch.log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	said := func() string {
		text, _ := os.ReadFile(log.Name())
		return string(text)
	}
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		cmd.Process.Signal(syscall.SIGTERM)
		cmd.Wait()
		if strings.Contains(said(), "panic") {
			t.Errorf("it panicked: %s", cut(said()))
		}
	}()
	eventually(t, "it watches", func() bool { return strings.Contains(said(), " ready ") })
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
	condensed := func() []string {
		found, _ := filepath.Glob(filepath.Join(dir, ".forgemind/condensations/*.md"))
		return found
	}
	eventually(t, "each discussion is condensed", func() bool { return len(condensed()) >= len(talks) })
	before := ""
	eventually(t, "for two seconds nothing is written", func() bool {
		now := canary(t, filepath.Join(dir, ".forgemind"))
		same := now == before
		if before = now; !same {
			time.Sleep(2 * time.Second)
		}
		return same
	})
	decided, _ := filepath.Glob(filepath.Join(dir, ".forgemind/decisions/*.json"))
	for i := range talks {
		often, word := 0, fmt.Sprintf("gate %d is", i)
		for _, name := range decided {
			src, _ := os.ReadFile(name)
			often += min(1, strings.Count(strings.ToLower(string(src)), word))
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
	if r := forgemind(t, dir, "validate"); r.code != 0 {
		t.Errorf("%v", r)
	}
	t.Logf("%d discussions, %d condensations, %d decisions", len(talks), len(condensed()), len(decided))
}
