//go:build linux

package faults_test

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// A chatter is what processes that talk in one tree were told.
type chatter struct {
	sync.Mutex
	said    []string // acknowledged
	refused []run
	did     map[string]int       // commands that were done
	when    map[string]time.Time // what was said was acknowledged
}

// talk has one process say so much; every so often it compacts, recovers, or does
// what else there is to do.
func (c *chatter) talk(t *testing.T, dir string, process, commands int, others ...[]string) {
	for n := range commands {
		token := fmt.Sprintf("token-%d-%d.", process, n)
		args := []string{"message", "add", fmt.Sprintf("%s The kiln and the plumb of row %d came on cart %d beside the orchard, and the mortar dried.", token, n, process), "--agent", "Agent " + string(rune('A'+process))}
		if n%7 == 3 {
			args = []string{"message", "add", token + " " + asking, "--agent", "user"}
		}
		if n%5 == 4 && len(others) > 0 {
			args = others[(process+n/5)%len(others)]
		}
		r := execute(t, command(dir, args...), time.Minute)
		c.Lock()
		switch {
		case args[0] == "message" && r.code == 0:
			c.said = append(c.said, token)
			c.when[token] = time.Now()
		case r.code == 3 || args[0] == "message":
			c.refused = append(c.refused, r)
		case r.code != 0 && args[0] != "uncompact": // there may be nothing to take back
			t.Errorf("%v", r)
		}
		if r.code == 0 {
			c.did[args[0]]++
		}
		c.Unlock()
	}
}

// counted is how often each token was said, in the conversation and in cold
// storage. What brings a chunk back, and what sums up, only quotes.
func counted(t *testing.T, dir string) map[string]int {
	t.Helper()
	now, often := holdings(t, dir), map[string]int{}
	for _, in := range []map[string]int{now.talk, now.cold} {
		for line, n := range in {
			_, said, _ := strings.Cut(line, `"content":"`)
			if token, _, ok := strings.Cut(said, "."); ok && strings.HasPrefix(token, "token-") {
				often[token+"."] += n
			}
		}
	}
	return often
}

// Eight agents talk, compact, recover and take compactions back at once, in a
// window that is curated and compacted all the time: what was said stands in the
// conversation or in cold storage, once.
func TestEightAgentsThatForget(t *testing.T) {
	dir := newDir(t)
	succeed(t, dir, "init")
	replaceIn(t, dir, state, `"(total|available)_tokens": 200000`, `"${1}_tokens": 2500`)
	replaceIn(t, dir, knobsFile, `(?m)^KEEP_THRESHOLD: .*`, `KEEP_THRESHOLD: 0.4`)
	succeed(t, dir, "config", "set", "compaction.policy", "memfas")
	c := &chatter{did: map[string]int{}, when: map[string]time.Time{}}
	var all sync.WaitGroup
	for p := range 8 {
		all.Go(func() {
			c.talk(t, dir, p, 30, []string{"compact", "--now", "--strategy", "relevance", "--budget", "600"}, []string{"recover", "--query", asking}, []string{"uncompact"},
				[]string{"compact", "--now", "--prompt", "mortar"}, []string{"health"}, []string{"cold-storage", "expire"})
		})
	}
	all.Wait()
	succeed(t, dir, "set", "/notes/last", "1")
	often := counted(t, dir)
	for _, token := range c.said {
		if often[token] != 1 {
			t.Errorf("%q stands %d times; it is in %v", token, often[token], holders(t, dir, token))
		}
	}
	for _, r := range c.refused {
		t.Errorf("refused: %v", r)
	}
	for _, args := range [][]string{{"cold-storage", "verify"}, {"validate"}} {
		succeed(t, dir, args...)
	}
	noLitter(t, dir)
	drops := 0
	each(t, dir, func(name string, _ fs.FileMode, text string) {
		if strings.HasSuffix(name, "/drops.jsonl") {
			drops = strings.Count(text, "\n")
		}
	})
	t.Logf("%d messages, %v; %d drops", len(c.said), c.did, drops)
	if drops == 0 || c.did["compact"] == 0 || c.did["uncompact"] == 0 {
		t.Error("nothing was forgotten")
	}
}

// Somebody saves the conversation from an editor while it is compacted and added
// to: what was said, and what was saved, is live, in cold storage, or in a file
// that a finding names. What was said between the moments at which the editor read
// and saved is overwritten by that hand, and nothing can know of it.
func TestForgettingAndAnEditor(t *testing.T) {
	for _, way := range []string{"rename", "inplace"} {
		dir := longTalk(t)
		path := filepath.Join(dir, talk)
		c := &chatter{did: map[string]int{}, when: map[string]time.Time{}}
		stop, saved := make(chan bool), 0
		var hands [][2]time.Time // from reading to having saved
		var editor, all sync.WaitGroup
		editor.Go(func() {
			for ; ; saved++ {
				begun := time.Now()
				old, err := os.ReadFile(path)
				if err != nil {
					t.Errorf("%s: %v", way, err)
					return
				}
				time.Sleep(time.Duration(rand.IntN(60)) * time.Millisecond)
				if len(old) == 0 || old[len(old)-1] != '\n' {
					saved--
					continue // people save what they see
				}
				line := fmt.Sprintf(`{"msg_id": "hand-%d", "timestamp": "2026-03-02T10:00:00Z", "role": "user", "content": "By hand, %d."}`+"\n", saved, saved)
				if err := save(way, path, string(old)+line); err != nil {
					t.Errorf("%s: %v", way, err)
				}
				hands = append(hands, [2]time.Time{begun, time.Now()})
				select {
				case <-stop:
					return
				case <-time.After(time.Duration(100+rand.IntN(300)) * time.Millisecond):
				}
			}
		})
		for p := range 3 {
			all.Go(func() {
				c.talk(t, dir, p, 20, []string{"compact", "--now", "--strategy", "relevance", "--budget", "900"}, []string{"recover", "--query", asking})
			})
		}
		all.Wait()
		close(stop)
		editor.Wait()
		tokens := c.said
		for n := range saved + 1 {
			tokens = append(tokens, fmt.Sprintf("By hand, %d.", n))
		}
		var lost []string
		for try := range 6 { // late writes to what was displaced are noticed within seconds
			time.Sleep(time.Duration(try) * 500 * time.Millisecond)
			succeed(t, dir, "set", "/notes/last", fmt.Sprint(try))
			if lost = unfound(t, dir, tokens); len(lost) == 0 {
				break
			}
		}
		overwritten := 0
		for _, token := range lost {
			at, ours := c.when[token]
			if ours && slices.ContainsFunc(hands, func(h [2]time.Time) bool { // it was written some moments before it was acknowledged
				return at.After(h[0]) && at.Add(-300*time.Millisecond).Before(h[1])
			}) {
				overwritten++
				continue
			}
			t.Errorf("%s: %q is not live, not in cold storage, and in no file that a finding names", way, token)
		}
		for _, r := range c.refused {
			if r.code != 3 || !strings.Contains(r.err, "busy") && !strings.Contains(r.err, "save in progress") {
				t.Errorf("%s: refused: %v", way, r)
			}
		}
		t.Logf("%s: %d messages, %d saves, %v, %d refused; %d messages were overwritten by hand", way, len(c.said), saved+1, c.did, len(c.refused), overwritten)
	}
}

// unfound are the tokens that no document has, and no file that a finding names.
func unfound(t *testing.T, dir string, tokens []string) (lost []string) {
	t.Helper()
	var text strings.Builder
	each(t, dir, func(name string, _ fs.FileMode, src string) {
		if name == talk || strings.Contains(name, "/cold-storage/") {
			text.WriteString(src)
		}
	})
	all, _ := findings(t, dir)
	for _, f := range all {
		if _, path, ok := strings.Cut(f.Message, "kept in "); ok && f.Rule == "displaced-save" {
			src, _ := os.ReadFile(filepath.Join(dir, path))
			text.Write(src)
		}
	}
	for _, token := range tokens {
		if !strings.Contains(text.String(), token) {
			lost = append(lost, token)
		}
	}
	return lost
}
