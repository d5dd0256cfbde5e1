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
	said := &transcript{}
	cmd.Stdout, cmd.Stderr = said, said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		cmd.Process.Signal(syscall.SIGTERM)
		cmd.Wait()
		if strings.Contains(said.String(), "panic") {
			t.Errorf("it panicked: %s", cut(said.String()))
		}
	}()
	time.Sleep(time.Second)
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
	for range 300 {
		if len(condensed()) >= len(talks) {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	time.Sleep(2 * time.Second)
	quiet := canary(t, filepath.Join(dir, ".forgemind"))
	time.Sleep(2 * time.Second)
	if now := canary(t, filepath.Join(dir, ".forgemind")); now != quiet {
		t.Errorf("there is no quiet two seconds later: %d and %d bytes", len(quiet), len(now))
	}
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
