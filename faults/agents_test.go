//go:build linux

package faults_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// An agency is what the processes of two agents were told of their updates of a
// session.
type agency struct {
	sync.Mutex
	goals, completed, decisions, messages map[string]string // acknowledged: text → agent
	versions                              []int             // that goals and completions were told of
	killed                                int
	refused                               []run
}

// A dealing is one update that an agent makes.
type dealing struct {
	kind, text string
	args       []string
}

// work runs updates of one process, one after the other. Every killEvery-th of
// them is killed at some moment; 0 is none.
func (a *agency) work(t *testing.T, dir string, process, updates, killEvery int) {
	agent := fmt.Sprintf("agent-%c", 'a'+process%2)
	var open []string // goals of this process
	for n := range updates {
		token := fmt.Sprintf("token %d-%d.", process, n)
		d := dealing{"message", token, []string{"message", "add", token}}
		switch {
		case n%4 == 0:
			d = dealing{"goal", token, []string{"goal", "add", token}}
		case n%4 == 1:
			d = dealing{"decision", token, []string{"decision", "add", token}}
		case n%4 == 2 && len(open) > 0:
			d = dealing{"completion", open[0], []string{"goal", "complete", open[0]}}
			open = open[1:]
		}
		cmd := command(dir, append(d.args, "--agent", agent, "--format", "json")...)
		if killEvery > 0 && (process*updates+n)%killEvery == killEvery-1 {
			a.kill(t, dir, d, agent)
			continue
		}
		r := execute(t, cmd, time.Minute)
		if a.note(t, d, agent, r) && d.kind == "goal" {
			open = append(open, token)
		}
	}
}

// kill starts an update and kills it. Whether it was made is not known then.
func (a *agency) kill(t *testing.T, dir string, d dealing, agent string) {
	cmd := command(dir, append(d.args, "--agent", agent)...)
	if err := cmd.Start(); err != nil {
		t.Error(err)
		return
	}
	time.Sleep(time.Duration(rand.IntN(40)) * time.Millisecond)
	cmd.Process.Signal(syscall.SIGKILL)
	cmd.Wait()
	a.Lock()
	a.killed++
	a.Unlock()
}

// note notes what an update was told.
func (a *agency) note(t *testing.T, d dealing, agent string, r run) bool {
	a.Lock()
	defer a.Unlock()
	if r.code != 0 {
		a.refused = append(a.refused, r)
		return false
	}
	switch d.kind {
	case "message":
		a.messages[d.text] = agent
		return true
	case "decision":
		a.decisions[d.text] = agent
	case "goal":
		a.goals[d.text] = agent
	case "completion":
		a.completed[d.text] = agent
		delete(a.goals, d.text)
	}
	var item struct {
		ID      string
		Version int
	}
	if err := json.Unmarshal([]byte(r.out), &item); err != nil || item.ID == "" || item.Version == 0 {
		t.Errorf("%v: %v", r, err)
	}
	a.versions = append(a.versions, item.Version)
	return true
}

// Two agents in eight processes make updates of one session, which is archived
// and carried on meanwhile. All of them are there, each signed; the versions have
// no gap; every file is valid at any moment.
func TestTwoAgentsEightProcesses(t *testing.T) { agents(t, 125, 0) }

// 4,000 updates, or a third of them, with one process killed every 50.
func TestTwoAgentsEightProcessesAndKills(t *testing.T) { agents(t, atLength(500, 170), 50) }

// agents has each of eight processes make so many updates.
func agents(t *testing.T, updates, killEvery int) {
	const processes = 8
	dir := newDir(t)
	succeed(t, dir, "init", "--layout", "quaid")
	a := &agency{goals: map[string]string{}, completed: map[string]string{}, decisions: map[string]string{}, messages: map[string]string{}}
	stop, reads := make(chan bool), 0
	var reader, workers sync.WaitGroup
	reader.Go(func() { reads = readSessions(t, dir, stop) })
	for p := range processes {
		workers.Go(func() { a.work(t, dir, p, updates, killEvery) })
	}
	workers.Wait()
	close(stop)
	reader.Wait()
	succeed(t, dir, "remember", "the end") // whoever was killed last is seen to

	for _, r := range a.refused {
		t.Errorf("refused: %v", r)
	}
	a.versionsHaveNoGap(t)
	a.allThere(t, dir)
	if all, r := findings(t, dir); r.code != 0 {
		t.Errorf("validate: %v", r)
	} else {
		for _, f := range all {
			if f.Rule != "hot-context-size" { // a thousand decisions are a lot to keep in mind
				t.Errorf("finding: %+v", f)
			}
		}
	}
	for _, where := range []string{"stage", "txn"} {
		if left, _ := os.ReadDir(filepath.Join(dir, ".quaid/.local", where)); len(left) > 0 {
			t.Errorf("litter in %s: %v", where, left)
		}
	}
	t.Logf("%d goals, %d completions, %d decisions and %d messages acknowledged, %d killed; %d reads",
		len(a.goals), len(a.completed), len(a.decisions), len(a.messages), a.killed, reads)
}

// versionsHaveNoGap checks that each change of the hot context has a version of
// its own, and that none is left out but those of the killed and of messages that
// began another session.
func (a *agency) versionsHaveNoGap(t *testing.T) {
	t.Helper()
	slices.Sort(a.versions)
	missing := 0
	for i, v := range a.versions[1:] {
		switch before := a.versions[i]; {
		case v == before:
			t.Errorf("version %d was given twice", v)
		default:
			missing += v - before - 1
		}
	}
	archived := len(a.messages) / 100
	if missing > a.killed+archived+1 {
		t.Errorf("%d versions of %d are missing, of which %d were killed and %d were another session's beginning",
			missing, len(a.versions), a.killed, archived)
	}
}

// allThere looks for every acknowledged update in the documents.
func (a *agency) allThere(t *testing.T, dir string) {
	t.Helper()
	type signed struct {
		Goal, Decision, Content, Agent string
		RecordedBy                     string `json:"recorded_by"`
		CompletedBy                    string `json:"completed_by"`
	}
	goals, completed, decisions, messages := map[string]string{}, map[string]string{}, map[string]string{}, map[string]int{}
	speakers := map[string]string{}
	id, err := os.ReadFile(filepath.Join(dir, ".quaid/context/active_session.txt"))
	if err != nil {
		t.Fatal(err)
	}
	active := strings.TrimSpace(string(id))
	each(t, dir, func(name string, _ fs.FileMode, text string) {
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
		case strings.HasSuffix(name, active+"/hot_context.json"):
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
	})
	compare := func(what string, want, got map[string]string) {
		for text, agent := range want {
			if got[text] != agent {
				t.Errorf("%s %q of %s is signed %q", what, text, agent, got[text])
			}
		}
	}
	compare("goal", a.goals, goals)
	compare("completion", a.completed, completed)
	compare("decision", a.decisions, decisions)
	compare("message", a.messages, speakers)
	for text := range a.messages {
		if messages[text] != 1 {
			t.Errorf("message %q stands %d times", text, messages[text])
		}
	}
}

// readSessions reads the files of the sessions until stop: each is whole.
func readSessions(t *testing.T, dir string, stop chan bool) (reads int) {
	for {
		names, _ := filepath.Glob(filepath.Join(dir, ".quaid/context/sessions/*/*"))
		for _, name := range names {
			select {
			case <-stop:
				return reads
			case <-time.After(time.Millisecond):
			}
			text, err := os.ReadFile(name)
			if err != nil {
				t.Errorf("read: %v", err)
			}
			if strings.HasSuffix(name, ".json") && !json.Valid(text) {
				t.Errorf("%s is broken: %.100q", name, text)
			}
			if strings.HasSuffix(name, ".jsonl") {
				for line := range strings.Lines(string(text)) {
					if strings.HasSuffix(line, "\n") && !json.Valid([]byte(line)) {
						t.Errorf("%s has a broken line: %.100q", name, line)
					}
				}
			}
			reads++
		}
	}
}
