//go:build linux

package faults_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// Two agents in eight processes make updates of one session, which is archived
// and carried on meanwhile. All of them are there, each signed; the versions have
// no gap; every file is valid at any moment.
func TestTwoAgentsEightProcesses(t *testing.T) { agents(t, 125, 0) }

// 4,000 updates, or a third of them, with one process killed every 50.
func TestTwoAgentsEightProcessesAndKills(t *testing.T) { agents(t, atLength(500, 170), 50) }

// agents has each of eight processes make so many updates. Every killEvery-th of them is killed;
// 0 is none.
func agents(t *testing.T, updates, killEvery int) {
	const processes = 8
	dir := newDir(t)
	succeed(t, dir, "init", "--layout", "quaid")
	c := &crowd{}
	stop, reads := make(chan bool), 0
	var reader sync.WaitGroup
	reader.Go(func() { reads = readOn(t, dir, ".quaid/context/sessions/*/*", true, stop) })
	open := make([][]string, processes) // goals, by the process
	c.work(t, dir, processes, updates, func(p, n int, last update) update {
		if last.kind == "goal" && !last.killed && last.run.code == 0 {
			open[p] = append(open[p], last.text)
		}
		token := fmt.Sprintf("token %d-%d.", p, n)
		u := update{kind: "message", text: token, args: []string{"message", "add", token}}
		switch {
		case n%4 == 0:
			u = update{kind: "goal", text: token, args: []string{"goal", "add", token}}
		case n%4 == 1:
			u = update{kind: "decision", text: token, args: []string{"decision", "add", token}}
		case n%4 == 2 && len(open[p]) > 0:
			u = update{kind: "completion", text: open[p][0], args: []string{"goal", "complete", open[p][0]}}
			open[p] = open[p][1:]
		}
		u.agent = fmt.Sprintf("agent-%c", 'a'+p%2)
		u.args = append(u.args, "--agent", u.agent, "--format", "json")
		u.killed = killEvery > 0 && (p*updates+n)%killEvery == killEvery-1
		return u
	})
	close(stop)
	reader.Wait()
	succeed(t, dir, "remember", "the end") // what was killed last is mended

	c.nothingRefused(t, nil)
	c.versionsHaveNoGap(t)
	c.allThere(t, dir)
	succeed(t, dir, "validate")
	for _, f := range findings(t, dir) {
		if f.Rule != "hot-context-size" { // a thousand decisions are a lot to keep in mind
			t.Errorf("finding: %+v", f)
		}
	}
	nothingUnfinished(t, dir)
	t.Logf("%v acknowledged, %d killed; %d reads", c.kinds(), c.killed, reads)
}

// versionsHaveNoGap checks that each change of the hot context has a version of
// its own, and that none is left out but those of the killed and of messages that
// began another session.
func (c *crowd) versionsHaveNoGap(t *testing.T) {
	t.Helper()
	var versions []int
	for _, u := range c.made {
		var item struct {
			ID      string
			Version int
		}
		if u.kind == "message" {
			continue
		}
		if err := json.Unmarshal([]byte(u.run.out), &item); err != nil || item.ID == "" || item.Version == 0 {
			t.Errorf("%v: %v", u.run, err)
		}
		versions = append(versions, item.Version)
	}
	slices.Sort(versions)
	missing := 0
	for i, v := range versions[1:] {
		if before := versions[i]; v == before {
			t.Errorf("version %d was given twice", v)
		} else {
			missing += v - before - 1
		}
	}
	archived := len(c.texts("message")) / 100
	if missing > c.killed+archived+1 {
		t.Errorf("%d versions of %d are missing, of which %d were killed and %d were another session's beginning",
			missing, len(versions), c.killed, archived)
	}
}

// allThere looks for every acknowledged update in the documents.
func (c *crowd) allThere(t *testing.T, dir string) {
	t.Helper()
	type signed struct {
		Goal, Decision, Content, Agent string
		RecordedBy                     string `json:"recorded_by"`
		CompletedBy                    string `json:"completed_by"`
	}
	goals, completed, decisions, messages := map[string]string{}, map[string]string{}, map[string]string{}, map[string]int{}
	speakers := map[string]string{}
	now := strings.TrimSpace(read(t, dir, active))
	for name, text := range documents(t, dir) {
		var doc struct {
			Goals     []signed `json:"active_goals"`
			Completed []signed `json:"completed"`
			signed
		}
		decode := func(text string) {
			if err := json.Unmarshal([]byte(text), &doc); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		switch {
		case strings.Contains(name, "/.local/"):
		case strings.HasSuffix(name, now+"/hot_context.json"):
			decode(text)
			for _, g := range doc.Goals {
				goals[g.Goal] = g.Agent
			}
		case strings.HasSuffix(name, "/metadata.json"):
			decode(text)
			for _, g := range doc.Completed {
				completed[g.Goal] = g.CompletedBy
			}
		case strings.Contains(name, "/decisions/"):
			decode(text)
			decisions[doc.Decision] = doc.RecordedBy
		case strings.HasSuffix(name, "recent_history.jsonl"), strings.HasSuffix(name, "archive.jsonl"):
			for line := range strings.Lines(text) {
				var m signed
				if err := json.Unmarshal([]byte(line), &m); err != nil {
					t.Errorf("%s: %v", name, err)
				}
				messages[m.Content]++
				speakers[m.Content] = m.Agent
			}
		}
	}
	compare := func(what string, want, got map[string]string) {
		for text, agent := range want {
			if got[text] != agent {
				t.Errorf("%s %q of %s is signed %q", what, text, agent, got[text])
			}
		}
	}
	done := c.texts("completion")
	undone := c.texts("goal")
	maps.DeleteFunc(undone, func(goal, _ string) bool { return done[goal] != "" })
	compare("goal", undone, goals)
	compare("completion", done, completed)
	compare("decision", c.texts("decision"), decisions)
	compare("message", c.texts("message"), speakers)
	for text := range c.texts("message") {
		if messages[text] != 1 {
			t.Errorf("message %q stands %d times", text, messages[text])
		}
	}
}

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
	now, often := soundHoldings(t, dir), map[string]int{}
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
	succeed(t, dir, "init", "--full", "--layout", "forgemind")
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
		c := &crowd{}
		ended := editor{way: way, name: talk, pause: func() { time.Sleep(100 * time.Millisecond); upTo(300)() }, change: func(n int, old string) (token, text string) {
			upTo(60)()
			token = fmt.Sprintf("By hand, %d.", n)
			return token, old + fmt.Sprintf(`{"msg_id": "hand-%d", "timestamp": "2026-03-02T10:00:00Z", "role": "user", "content": %q}`+"\n", n, token)
		}}.start(t, dir)
		c.work(t, dir, 3, 20, talking(`compact --now --strategy relevance --budget 900; recover --query "ASKING"`))
		hands := ended()
		said, tokens := map[string]update{}, []string(nil)
		for _, u := range c.made {
			if u.kind == "message" {
				said[u.text], tokens = u, append(tokens, u.text)
			}
		}
		for _, h := range hands {
			tokens = append(tokens, h.token)
		}
		overwritten := 0
		for _, token := range lost(t, dir, func() []string { return unfound(t, dir, tokens) }) {
			u, ours := said[token]
			if ours && slices.ContainsFunc(hands, func(h saving) bool { return u.ended.After(h.read) && u.begun.Before(h.done) }) {
				overwritten++
				continue
			}
			t.Errorf("%s: %q is not live, not in cold storage, and in no file that a finding names", way, token)
		}
		c.nothingRefused(t, func(r run) bool {
			return nothingToTakeBack(r) || r.code == 3 && (strings.Contains(r.err, "busy") || strings.Contains(r.err, "save in progress"))
		})
		t.Logf("%s: %v, %d saves, %d refused; %d messages were overwritten by hand", way, c.kinds(), len(hands), len(c.refused), overwritten)
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

// Eight agents work on one tree at once, each by its hooks, under a watcher: what
// each of them said stands there once, each file that it touched is known, and the
// tree is valid.
func TestEightAgentsHooks(t *testing.T) {
	const turns = 4
	dir := newDir(t)
	succeed(t, dir, "init", "--layout", "both")
	stop := watching(t, atHome(dir, "watch"))
	var sessions [][]agentEvent
	for i, agent := range []string{"claude", "claude", "codex", "codex", "cursor", "gemini", "copilot", "memfas"} {
		sessions = append(sessions, dialogue(agent, fmt.Sprintf("s-%d", i), turns))
	}
	var agents sync.WaitGroup
	for _, events := range sessions {
		agents.Go(func() {
			for _, h := range events {
				silent(t, h.agent+" "+h.event, h.agent, execute(t, h.command(t, dir), hang))
			}
		})
	}
	agents.Wait()
	// What waited for another program to give the lock back waits for the next event.
	for _, events := range sessions {
		last := events[len(events)-1]
		silent(t, last.agent+" once more", last.agent, execute(t, last.command(t, dir), hang))
	}
	becomesQuiet(t, filepath.Join(dir, ".forgemind"))
	stop()

	messages, decisions := spoken(t, dir)
	all, files, expected := slices.Concat(sessions...), touched(t, dir), 0
	for _, h := range all {
		if h.says != "" {
			expected++
			messages[h.says] += 0 // which makes it 0 where it is lost
		}
		if h.touches != "" && !files[h.touches] {
			t.Errorf("nobody knows that %s changed %s", h.agent, h.touches)
		}
	}
	for _, said := range []map[string]int{messages, decisions} {
		for text, n := range said {
			if n != 1 {
				t.Errorf("it stands %d times: %q", n, text)
			}
		}
	}
	succeed(t, dir, "validate")
	t.Logf("%d events of %d sessions, %d messages, %d decisions; faults noted: %+v", len(all), len(sessions), expected, len(decisions), notedFaults(t, dir))
}
