//go:build linux

package faults_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// An update is a command by which a process of a crowd changes a tree.
type update struct {
	kind, text, agent string
	args              []string
	killed            bool // at some moment
	run               run
	begun, ended      time.Time
}

// A crowd is several processes that change one tree at once.
type crowd struct {
	sync.Mutex
	made    []update // acknowledged
	refused []run
	killed  int
}

// work has each of several processes make so many updates, one after the other. The function
// next returns the n-th update of a process, of which last is the one before.
func (c *crowd) work(t *testing.T, dir string, processes, updates int, next func(process, n int, last update) update) {
	var all sync.WaitGroup
	for process := range processes {
		all.Go(func() {
			var u update
			for n := range updates {
				u = next(process, n, u)
				c.make(t, dir, &u)
			}
		})
	}
	all.Wait()
}

// make makes an update, and notes what it was told. Whether one that is killed is made is not known.
func (c *crowd) make(t *testing.T, dir string, u *update) {
	cmd := command(dir, u.args...)
	if u.killed {
		killAfter(t, cmd, time.Duration(rand.IntN(40))*time.Millisecond)
	} else {
		u.begun = time.Now()
		u.run = execute(t, cmd, hang)
		u.ended = time.Now()
	}
	c.Lock()
	defer c.Unlock()
	switch {
	case u.killed:
		c.killed++
	case u.run.code == 0:
		c.made = append(c.made, *u)
	default:
		c.refused = append(c.refused, u.run)
	}
}

// kinds returns how many updates of each kind were acknowledged.
func (c *crowd) kinds() map[string]int {
	often := map[string]int{}
	for _, u := range c.made {
		often[u.kind]++
	}
	return often
}

// texts returns the texts of the updates of a kind that were acknowledged, with who made them.
func (c *crowd) texts(kind string) map[string]string {
	all := map[string]string{}
	for _, u := range c.made {
		if u.kind == kind {
			all[u.text] = u.agent
		}
	}
	return all
}

// nothingRefused checks that no update was refused, but for those that allowed reports; nil for none.
func (c *crowd) nothingRefused(t *testing.T, allowed func(r run) bool) {
	t.Helper()
	for _, r := range c.refused {
		if allowed == nil || !allowed(r) {
			t.Errorf("refused: %v", r)
		}
	}
}

// nothingUnfinished checks that no command left what it had begun.
func nothingUnfinished(t *testing.T, dir string) {
	t.Helper()
	if left := unfinished(dir); len(left) > 0 {
		t.Errorf("litter: %q", left)
	}
}

// Eight processes change one tree, and an editor saves the State in between.
// Every update and every save is live, or in `.local/` with a finding.
func TestCrowd(t *testing.T) {
	for _, variant := range []struct {
		way      string
		commands int
	}{{"", 80}, {"rename", atLength(200, 80)}, {"inplace", atLength(200, 80)}} {
		t.Run("editor="+variant.way, func(t *testing.T) {
			t.Parallel()
			crowdAndEditor(t, variant.way, variant.commands)
		})
	}
}

func crowdAndEditor(t *testing.T, way string, commands int) {
	dir := newDir(t)
	git(t, dir, "init", "-q")
	perform(t, dir, "init; set /notes/first 0")
	c := &crowd{}
	var ended func() []saving
	if way != "" {
		ended = editor{way: way, name: state, pause: upTo(150), change: func(i int, old string) (token, text string) {
			// Most edits are quick, some are of old bytes.
			upTo(3)()
			if i%5 == 0 {
				upTo(200)()
			}
			token = fmt.Sprintf("editor-%d", i)
			return token, strings.Replace(old, `"notes": {`, fmt.Sprintf("\"notes\": {\n    %q: %d,", token, i), 1)
		}}.start(t, dir)
	}
	stop, reads := make(chan bool), 0
	var reader sync.WaitGroup
	reader.Go(func() { reads = readOn(t, dir, state, way != "inplace", stop) })
	c.work(t, dir, 8, commands, func(process, n int, _ update) update {
		token := fmt.Sprintf("%d-%d", process, n)
		return []update{
			{kind: "member", text: token, args: []string{"set", "/notes/" + token, fmt.Sprint(n)}},
			{kind: "decision", text: fmt.Sprintf("%d %d", process, n), args: []string{"decision", "add", fmt.Sprintf("%d %d", process, n), "--format", "json"}},
			{kind: "question", text: token, args: []string{"question", "ask", token}},
			{kind: "message", text: token, args: []string{"message", "add", token}},
		}[(process+n)%4]
	})
	all := []string{"first"}
	saves := 0
	if way != "" {
		for _, s := range ended() {
			all = append(all, s.token)
			saves++
		}
	}
	close(stop)
	reader.Wait()

	for _, kind := range []string{"member", "question"} {
		all = append(all, slices.Collect(maps.Keys(c.texts(kind)))...)
	}
	kept := 0
	for _, token := range lost(t, dir, func() (lost []string) { lost, kept = whereabouts(t, dir, all); return lost }) {
		t.Errorf("%q is not live, and in no file that a finding names; it is in %v", token, holders(t, dir, token))
	}
	c.decided(t, dir)
	c.inOrder(t, dir)
	c.nothingRefused(t, nil)
	if way == "" && kept > 0 {
		t.Errorf("%d of those acknowledged are not live", kept)
	}
	viewsAgree(t, dir)
	if out := git(t, dir, "status", "--porcelain", "-uall"); strings.Contains(out, ".local") {
		t.Errorf("git sees %s", out)
	}
	nothingUnfinished(t, dir)
	t.Logf("%v acknowledged, %d refused; %d saves; %d not live but kept with a finding; %d reads", c.kinds(), len(c.refused), saves, kept, reads)
}

// decided checks that each decision has an id of its own, under which it stands in the Ledger.
func (c *crowd) decided(t *testing.T, dir string) {
	t.Helper()
	ids, stands := map[string]bool{}, ledger(t, dir)
	for _, u := range c.made {
		var told, d struct{ ID, Decision string }
		if u.kind != "decision" {
			continue
		}
		if err := json.Unmarshal([]byte(u.run.out), &told); err != nil || told.ID == "" || ids[told.ID] {
			t.Errorf("%v: %v", u.run, err)
		}
		ids[told.ID] = true
		src := stands[".forgemind/decisions/"+told.ID+".json"]
		if err := json.Unmarshal([]byte(src), &d); err != nil || d.ID != told.ID || d.Decision != told.Decision {
			t.Errorf("decision %s %q: %v, %q", told.ID, told.Decision, err, src)
		}
	}
}

// inOrder checks that the conversation holds each message once, and those of one
// process in the order in which it added them.
func (c *crowd) inOrder(t *testing.T, dir string) {
	t.Helper()
	held, last := map[string]int{}, map[int]int{}
	for line := range strings.Lines(read(t, dir, talk)) {
		var m struct{ Content string }
		var process, n int
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Errorf("message %q: %v", line, err)
		} else if _, err := fmt.Sscanf(m.Content, "%d-%d", &process, &n); err != nil || n < last[process] {
			t.Errorf("message %q after %d: %v", m.Content, last[process], err)
		}
		held[m.Content]++
		last[process] = n
	}
	for token := range c.texts("message") {
		if held[token] != 1 {
			t.Errorf("message %q stands there %d times", token, held[token])
		}
	}
}

// readOn reads the files that a pattern matches until stop. At least one is there at every moment.
// Those of JSON are whole if whole is set, and so is each line that has an end.
func readOn(t *testing.T, dir, pattern string, whole bool, stop chan bool) (reads int) {
	for {
		names := glob(dir, pattern)
		if len(names) == 0 {
			t.Errorf("%s: nothing there", pattern)
			return reads
		}
		for _, name := range names {
			select {
			case <-stop:
				return reads
			case <-time.After(time.Millisecond):
			}
			text := read(t, dir, name)
			if strings.HasSuffix(name, ".json") && whole && !json.Valid([]byte(text)) {
				t.Errorf("%s is broken: %d bytes, %.100q", name, len(text), text)
			}
			for line := range strings.Lines(text) {
				if strings.HasSuffix(name, ".jsonl") && strings.HasSuffix(line, "\n") && !json.Valid([]byte(line)) {
					t.Errorf("%s has a broken line: %.100q", name, line)
				}
			}
			reads++
		}
	}
}

// A finding is what `validate --format json` says.
type finding struct {
	File, Rule, Severity, Message string
}

func findings(t *testing.T, dir string) []finding {
	t.Helper()
	r := forgemind(t, dir, "validate", "--format", "json")
	var report struct{ Findings []finding }
	if err := json.Unmarshal([]byte(r.out), &report); err != nil {
		t.Errorf("%v: %v", err, r)
	}
	return report.Findings
}

// displaced returns the texts of the files in which findings say that a save was kept, and the
// other findings.
func displaced(t *testing.T, dir string) (kept string, others []finding) {
	t.Helper()
	for _, f := range findings(t, dir) {
		if f.Rule != "displaced-save" {
			others = append(others, f)
		} else if _, path, ok := strings.Cut(f.Message, "kept in "); ok {
			kept += read(t, dir, path)
		} else {
			t.Errorf("it names no file: %s", f.Message)
		}
	}
	return kept, others
}

// lost returns what look returns, once that is nothing or after eight commands: what is written
// late to a file that was displaced is noticed by the commands of the next seconds.
func lost(t *testing.T, dir string, look func() []string) (lost []string) {
	t.Helper()
	for try := range 8 {
		time.Sleep(time.Duration(try) * 600 * time.Millisecond)
		succeed(t, dir, "set", "/notes/last", fmt.Sprint(try))
		if lost = look(); len(lost) == 0 {
			break
		}
	}
	return lost
}

// whereabouts looks for members of /notes, and for questions: those that are neither live nor in
// a file that a finding names are lost.
func whereabouts(t *testing.T, dir string, tokens []string) (lost []string, kept int) {
	t.Helper()
	var live struct {
		Notes     map[string]any
		Questions []struct{ Question string } `json:"open_questions"`
	}
	if src := read(t, dir, state); json.Unmarshal([]byte(src), &live) != nil {
		t.Fatalf("%.300q", src)
	}
	named, others := displaced(t, dir)
	if len(others) > 0 {
		t.Errorf("findings: %+v", others)
	}
	succeed(t, dir, "validate")
	for _, token := range tokens {
		_, member := live.Notes[token]
		switch {
		case member || slices.ContainsFunc(live.Questions, func(q struct{ Question string }) bool { return q.Question == token }):
		case strings.Contains(named, `"`+token+`"`):
			kept++
		default:
			lost = append(lost, token)
		}
	}
	return lost, kept
}

// holders returns the files that hold token.
func holders(t *testing.T, dir, token string) (names []string) {
	for name, text := range documents(t, dir) {
		if strings.Contains(text, `"`+token+`"`) {
			names = append(names, name)
		}
	}
	if len(names) > 4 {
		names = append(names[:4], "…")
	}
	return names
}

// viewsAgree checks that each decision in the State's view is in the Ledger.
func viewsAgree(t *testing.T, dir string) {
	t.Helper()
	var view struct {
		Decisions []struct{ ID string } `json:"recent_decisions"`
	}
	if err := json.Unmarshal([]byte(read(t, dir, state)), &view); err != nil {
		t.Error(err)
	}
	stand := ledger(t, dir)
	for _, d := range view.Decisions {
		if stand[".forgemind/decisions/"+d.ID+".json"] == "" {
			t.Errorf("in the view but not in the Ledger: %s", d.ID)
		}
	}
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=x", "-c", "user.email=x@example.org"}, args...)...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return string(out)
}
