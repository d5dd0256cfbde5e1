//go:build linux

package faults_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// talking returns updates of processes that talk in one tree, and every so often run one of the
// others.
func talking(others string) func(process, n int, _ update) update {
	return func(process, n int, _ update) update {
		token := fmt.Sprintf("token-%d-%d.", process, n)
		u := update{kind: "message", text: token, args: []string{"message", "add", fmt.Sprintf("%s The kiln and the plumb of row %d came on cart %d beside the orchard, and the mortar dried.", token, n, process), "--agent", "Agent " + string(rune('A'+process))}}
		if n%7 == 3 {
			u.args = []string{"message", "add", token + " " + asking, "--agent", "user"}
		}
		if n%5 == 4 {
			all := parse(others, "ASKING", asking)
			u = update{args: all[(process+n/5)%len(all)]}
			u.kind = u.args[0]
		}
		return u
	}
}

// nothingToTakeBack reports whether it is `uncompact` that was refused, for there is nothing to take back.
func nothingToTakeBack(r run) bool { return r.args[0] == "uncompact" && r.code != 3 }

// counted returns how often each token was said, in the conversation and in cold storage. What
// brings a chunk back, and what sums up, only quotes.
func counted(t *testing.T, dir string) map[string]int {
	t.Helper()
	now, broken := soundHoldings(dir)
	if len(broken) > 0 {
		t.Errorf("broken: %q", broken)
	}
	often := map[string]int{}
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
	c := &crowd{}
	c.work(t, dir, 8, 30, talking(`compact --now --strategy relevance --budget 600; recover --query "ASKING"; uncompact; compact --now --prompt mortar; health; cold-storage expire`))
	succeed(t, dir, "set", "/notes/last", "1")
	often := counted(t, dir)
	for token := range c.texts("message") {
		if often[token] != 1 {
			t.Errorf("%q stands %d times; it is in %v", token, often[token], holders(t, dir, token))
		}
	}
	c.nothingRefused(t, nothingToTakeBack)
	perform(t, dir, "cold-storage verify; validate")
	noLitter(t, dir)
	drops, did := strings.Count(read(t, dir, ".forgemind/logs/context/drops.jsonl"), "\n"), c.kinds()
	t.Logf("%v; %d drops", did, drops)
	if drops == 0 || did["compact"] == 0 || did["uncompact"] == 0 {
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
		c := &crowd{}
		stop, saved := make(chan bool), 0
		var hands [][2]time.Time // from reading to having saved
		var editor sync.WaitGroup
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
		c.work(t, dir, 3, 20, talking(`compact --now --strategy relevance --budget 900; recover --query "ASKING"`))
		close(stop)
		editor.Wait()
		said := map[string]time.Time{} // when it was acknowledged
		for _, u := range c.made {
			if u.kind == "message" {
				said[u.text] = u.ended
			}
		}
		tokens := slices.Collect(maps.Keys(said))
		for n := range saved + 1 {
			tokens = append(tokens, fmt.Sprintf("By hand, %d.", n))
		}
		overwritten := 0
		for _, token := range lost(t, dir, func() []string { return unfound(t, dir, tokens) }) {
			at, ours := said[token]
			if ours && slices.ContainsFunc(hands, func(h [2]time.Time) bool { // it was written some moments before it was acknowledged
				return at.After(h[0]) && at.Add(-300*time.Millisecond).Before(h[1])
			}) {
				overwritten++
				continue
			}
			t.Errorf("%s: %q is not live, not in cold storage, and in no file that a finding names", way, token)
		}
		c.nothingRefused(t, func(r run) bool {
			return nothingToTakeBack(r) || r.code == 3 && (strings.Contains(r.err, "busy") || strings.Contains(r.err, "save in progress"))
		})
		t.Logf("%s: %v, %d saves, %d refused; %d messages were overwritten by hand", way, c.kinds(), saved+1, len(c.refused), overwritten)
	}
}

// unfound returns the tokens that neither the conversation nor cold storage has, nor a file that a
// finding names.
func unfound(t *testing.T, dir string, tokens []string) (lost []string) {
	t.Helper()
	text, _ := displaced(t, dir)
	for name, src := range documents(t, dir) {
		if name == talk || strings.Contains(name, "/cold-storage/") {
			text += src
		}
	}
	for _, token := range tokens {
		if !strings.Contains(text, token) {
			lost = append(lost, token)
		}
	}
	return lost
}
