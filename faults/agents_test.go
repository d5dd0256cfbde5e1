//go:build linux

package faults_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
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
	_, others := displaced(t, dir)
	for _, f := range others {
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
