package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
)

// ended waits for the end of a server that has no more to say.
func (s *rawServer) ended() (code int) {
	s.Helper()
	defer time.AfterFunc(time.Minute, func() { s.command.Process.Kill() }).Stop()
	s.command.Wait()
	if status, ok := s.command.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		s.Fatalf("it was ended by %v:\n%s", status.Signal(), s.stderr)
	}
	return s.command.ProcessState.ExitCode()
}

// A client that vanishes while its calls are worked on leaves a tree that is
// whole, and no server. One that will no longer listen is as good as gone.
func TestMCPClientVanishes(t *testing.T) {
	for _, closesInput := range []bool{true, false} {
		dir := aTree(t)
		s := raw(t, dir, "--allow-writes")
		s.say(hello)
		s.hear()
		for i := range 20 {
			s.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"decision_add","arguments":{"decision":"Pears %d"}}}`, 2*i+1, i))
			s.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"validate"}}`, 2*i+2))
		}
		s.hear() // the first of them
		s.heard.Close()
		if closesInput {
			s.in.Close()
		}
		if code := s.ended(); code != exitFailed || !strings.Contains(s.stderr.String(), "broken pipe") {
			t.Errorf("it ended with %d: %s", code, s.stderr)
		}
		ran(t, dir, "validate")
		ran(t, dir, "decision", "add", "Quinces") // nothing is locked
		left, err := filepath.Glob(filepath.Join(dir, ".forgemind", ".local", "txn", "*"))
		if err != nil || len(left) > 0 {
			t.Errorf("it left %v: %v", left, err)
		}
	}
}

// While another program has the lock a change is refused, with a word what to do,
// and nothing that waits for it keeps the server from ending.
func TestMCPOnATreeThatIsLocked(t *testing.T) {
	t.Parallel() // it waits for a lock that it does not get
	dir := aTree(t)
	release := lockTree(t, dir)
	s := raw(t, dir, "--allow-writes")
	s.say(hello)
	s.hear()
	s.say(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"decision_add","arguments":{"decision":"Pears"}}}`)
	if m := s.hear(); !strings.Contains(string(m.Result), "call again in a few seconds") || !strings.Contains(string(m.Result), `"isError":true`) {
		t.Errorf("%s", s.out.Text())
	}
	s.say(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"decision_add","arguments":{"decision":"Pears"}}}`)
	s.in.Close()
	s.hear()
	if code := s.ended(); code != exitDone { // the lock is still held
		t.Errorf("it ended with %d: %s", code, s.stderr)
	}
	release()
}

// A tree that is taken away, and another in its place, is what the next request
// sees.
func TestMCPTreeIsReplaced(t *testing.T) {
	a := serve(t, aTree(t), "", "--allow-writes")
	a.does("decision_list", nil)
	for _, home := range []string{fs.Forgemind, fs.Quaid} {
		if err := os.Rename(filepath.Join(a.dir, home), filepath.Join(a.dir, "old"+home)); err != nil {
			t.Fatal(err)
		}
	}
	a.fails("decision_list", nil, "'forgemind init' makes a tree")
	ran(t, a.dir, "init")
	a.does("decision_add", map[string]any{"decision": "Plant quinces"})
	if text, _ := a.does("decision_list", nil); !strings.Contains(text, "quinces") || strings.Contains(text, "Conference") {
		t.Errorf("%s", text)
	}
}
