//go:build linux

package faults_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// editorEnv makes the test binary an editor that saves the State of the tree
// it is given, in the way that the variable says, until its standard input ends.
const editorEnv = "FAULTS_EDITOR"

// mostSaves is the largest number of saves of an editor. Each adds a member to the State,
// which makes commands slower: without a limit a slow machine would become ever slower.
const mostSaves = 1000

func edit(way, dir string) error {
	path := filepath.Join(dir, state)
	stop := make(chan bool)
	go func() {
		bufio.NewReader(os.Stdin).ReadString('\n')
		close(stop)
	}()
	for i := range mostSaves {
		select {
		case <-stop:
			return nil
		case <-time.After(time.Duration(rand.IntN(150)) * time.Millisecond):
		}
		old, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if !json.Valid(old) {
			continue // people save what they see
		}
		// Most edits are quick, some are of old bytes.
		time.Sleep(time.Duration(rand.IntN(3)) * time.Millisecond)
		if i%5 == 0 {
			time.Sleep(time.Duration(rand.IntN(200)) * time.Millisecond)
		}
		token := fmt.Sprintf("editor-%d", i)
		text := strings.Replace(string(old), `"notes": {`, fmt.Sprintf("\"notes\": {\n    %q: %d,", token, i), 1)
		if err := save(way, path, text); err != nil {
			return err
		}
		fmt.Println(token)
	}
	<-stop
	return nil
}

func save(way, path, text string) error {
	if way == "rename" {
		if err := os.WriteFile(path+"~", []byte(text), 0o644); err != nil {
			return err
		}
		return os.Rename(path+"~", path)
	}
	switch way {
	case "moved": // as vim does
		if err := os.Rename(path, path+"~"); err != nil {
			return err
		}
		return errors.Join(os.WriteFile(path, []byte(text), 0o644), os.Remove(path+"~"))
	case "removed": // as "rm; cp" does
		return errors.Join(os.Remove(path), os.WriteFile(path, []byte(text), 0o644))
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	half := len(text) / 2
	if _, err := f.WriteString(text[:half]); err != nil {
		return err
	}
	time.Sleep(time.Duration(rand.IntN(2)) * time.Millisecond)
	if _, err := f.WriteString(text[half:]); err != nil {
		return err
	}
	return f.Close()
}

// startEditor starts an editor; the function it returns ends it, and gives what
// it saved.
func startEditor(t *testing.T, way, dir string) func() []string {
	t.Helper()
	cmd := exec.Command(os.Args[0], dir)
	cmd.Env = append(os.Environ(), editorEnv+"="+way)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var saved []string
	done := make(chan bool)
	go func() {
		defer close(done)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			saved = append(saved, lines.Text())
		}
	}()
	return func() []string {
		in.Close()
		<-done
		if err := cmd.Wait(); err != nil {
			t.Errorf("the editor: %v", err)
		}
		return saved
	}
}

// A crowd is what processes were told of their updates.
type crowd struct {
	sync.Mutex
	sets      []string          // acknowledged: members of /notes, and questions
	decisions map[string]string // acknowledged: id → text
	messages  []string          // acknowledged
	refused   []run
}

// press runs commands of one process, one after the other.
func (c *crowd) press(t *testing.T, dir string, process, commands int) {
	for n := range commands {
		token := fmt.Sprintf("%d-%d", process, n)
		args := [][]string{
			{"set", "/notes/" + token, fmt.Sprint(n)},
			{"decision", "add", fmt.Sprintf("%d %d", process, n), "--format", "json"},
			{"question", "ask", token},
			{"message", "add", token},
		}[(process+n)%4]
		r := execute(t, command(dir, args...), time.Minute)
		c.Lock()
		switch {
		case r.code != 0:
			c.refused = append(c.refused, r)
		case args[0] == "message":
			c.messages = append(c.messages, token)
		case args[0] == "decision":
			var d struct{ ID, Decision string }
			if err := json.Unmarshal([]byte(r.out), &d); err != nil || d.ID == "" || c.decisions[d.ID] != "" {
				t.Errorf("%v: %v", r, err)
			}
			c.decisions[d.ID] = d.Decision
		default:
			c.sets = append(c.sets, token)
		}
		c.Unlock()
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
	succeed(t, dir, "init")
	succeed(t, dir, "set", "/notes/first", "0")
	c := &crowd{decisions: map[string]string{}}
	ended := func() []string { return nil }
	if way != "" {
		ended = startEditor(t, way, dir)
	}
	stop, reads := make(chan bool), 0
	var reader, processes sync.WaitGroup
	reader.Go(func() { reads = readOn(t, dir, way != "inplace", stop) })
	for p := range 8 {
		processes.Go(func() { c.press(t, dir, p, commands) })
	}
	processes.Wait()
	saved := ended()
	close(stop)
	reader.Wait()

	all := append(append([]string{"first"}, c.sets...), saved...)
	var lost []string
	kept := 0
	for try := range 8 { // late writes to what was displaced are noticed within seconds
		time.Sleep(time.Duration(try) * 600 * time.Millisecond)
		succeed(t, dir, "set", "/notes/last", fmt.Sprint(try))
		if lost, kept = whereabouts(t, dir, all); len(lost) == 0 {
			break
		}
	}
	for _, token := range lost {
		t.Errorf("%q is not live, and in no file that a finding names; it is in %v", token, holders(t, dir, token))
	}
	for id, text := range c.decisions {
		src, err := os.ReadFile(filepath.Join(dir, ".forgemind/decisions", id+".json"))
		var d struct{ ID, Decision string }
		if err != nil || json.Unmarshal(src, &d) != nil || d.ID != id || d.Decision != text {
			t.Errorf("decision %s %q: %v, %q", id, text, err, src)
		}
	}
	c.inOrder(t, dir)
	for _, r := range c.refused {
		t.Errorf("refused: %v", r)
	}
	if way == "" && kept > 0 {
		t.Errorf("%d of those acknowledged are not live", kept)
	}
	viewsAgree(t, dir)
	if out := git(t, dir, "status", "--porcelain", "-uall"); strings.Contains(out, ".local") {
		t.Errorf("git sees %s", out)
	}
	for _, where := range []string{"stage", "txn"} {
		if left, _ := os.ReadDir(filepath.Join(dir, local, where)); len(left) > 0 {
			t.Errorf("litter in %s: %v", where, left)
		}
	}
	t.Logf("%d sets and questions, %d decisions and %d messages acknowledged, %d refused; %d saves; %d not live but kept with a finding; %d reads",
		len(c.sets), len(c.decisions), len(c.messages), len(c.refused), len(saved), kept, reads)
}

// inOrder checks that the conversation holds each message once, and those of one
// process in the order in which it added them.
func (c *crowd) inOrder(t *testing.T, dir string) {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(dir, talk))
	if err != nil {
		t.Error(err)
	}
	held, last := map[string]int{}, map[int]int{}
	for line := range strings.Lines(string(src)) {
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
	for _, token := range c.messages {
		if held[token] != 1 {
			t.Errorf("message %q stands there %d times", token, held[token])
		}
	}
}

// readOn reads the State until stop. It is there at every moment, and whole
// where always says so.
func readOn(t *testing.T, dir string, always bool, stop chan bool) (reads int) {
	for {
		select {
		case <-stop:
			return reads
		case <-time.After(time.Millisecond):
		}
		text, err := os.ReadFile(filepath.Join(dir, state))
		if err != nil || always && !json.Valid(text) {
			t.Errorf("read: %v, %d bytes, %.100q", err, len(text), text)
		}
		reads++
	}
}

// A finding is what `validate --format json` says.
type finding struct {
	File, Rule, Severity, Message string
}

func findings(t *testing.T, dir string) (all []finding, r run) {
	t.Helper()
	r = forgemind(t, dir, "validate", "--format", "json")
	var report struct{ Findings []finding }
	if err := json.Unmarshal([]byte(r.out), &report); err != nil {
		t.Errorf("%v: %v", err, r)
	}
	return report.Findings, r
}

// whereabouts looks for members of /notes, and for questions: those that are neither live nor in
// a file that a finding names are lost.
func whereabouts(t *testing.T, dir string, tokens []string) (lost []string, kept int) {
	t.Helper()
	var live struct {
		Notes     map[string]any
		Questions []struct{ Question string } `json:"open_questions"`
	}
	src, err := os.ReadFile(filepath.Join(dir, state))
	if err != nil || json.Unmarshal(src, &live) != nil {
		t.Fatalf("%v: %.300q", err, src)
	}
	var named strings.Builder
	all, r := findings(t, dir)
	if r.code != 0 {
		t.Errorf("validate: %v", r)
	}
	for _, f := range all {
		if f.Rule != "displaced-save" {
			t.Errorf("finding: %+v", f)
			continue
		}
		_, path, ok := strings.Cut(f.Message, "kept in ")
		if !ok {
			t.Errorf("it names no file: %s", f.Message)
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, path))
		if err != nil {
			t.Errorf("%s: %v", f.Message, err)
		}
		named.Write(text)
	}
	for _, token := range tokens {
		if _, ok := live.Notes[token]; ok {
			continue
		}
		if slices.ContainsFunc(live.Questions, func(q struct{ Question string }) bool { return q.Question == token }) {
			continue
		}
		if strings.Contains(named.String(), `"`+token+`"`) {
			kept++
		} else {
			lost = append(lost, token)
		}
	}
	return lost, kept
}

// holders lists the files that hold token.
func holders(t *testing.T, dir, token string) (names []string) {
	each(t, dir, func(name string, _ os.FileMode, text string) {
		if strings.Contains(text, `"`+token+`"`) {
			names = append(names, name)
		}
	})
	if len(names) > 4 {
		names = append(names[:4], "…")
	}
	return names
}

// viewsAgree checks that each decision in the State's view is in the Ledger.
func viewsAgree(t *testing.T, dir string) {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(dir, state))
	var view struct {
		Decisions []struct{ ID string } `json:"recent_decisions"`
	}
	if err := errors.Join(err, json.Unmarshal(src, &view)); err != nil {
		t.Error(err)
	}
	for _, d := range view.Decisions {
		if _, err := os.Stat(filepath.Join(dir, ".forgemind/decisions", d.ID+".json")); err != nil {
			t.Errorf("in the view but not in the Ledger: %v", err)
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
