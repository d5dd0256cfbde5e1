package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
)

// A rawServer is a forgemind mcp that is spoken to line by line.
type rawServer struct {
	*testing.T
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Scanner
	heard   io.Closer // what out reads
	stderr  *bytes.Buffer
}

func raw(t *testing.T, dir string, flags ...string) *rawServer {
	t.Helper()
	command := exec.Command("forgemind", append([]string{"mcp"}, flags...)...)
	command.Dir = dir
	s := &rawServer{T: t, command: command, stderr: new(bytes.Buffer)}
	command.Stderr = s.stderr
	var err error
	if s.in, err = command.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	s.out, s.heard = bufio.NewScanner(out), out
	s.out.Buffer(nil, 16<<20)
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { command.Process.Kill(); command.Wait() })
	return s
}

func (s *rawServer) say(line string) {
	s.Helper()
	if _, err := io.WriteString(s.in, line+"\n"); err != nil {
		s.Fatal(err)
	}
}

// hear reads the next line, which must be a message. A server that says nothing is
// ended.
func (s *rawServer) hear() (m struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  json.RawMessage `json:"result"`
	Error   *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}) {
	s.Helper()
	defer time.AfterFunc(time.Minute, func() { s.command.Process.Kill() }).Stop()
	if !s.out.Scan() {
		s.Fatalf("it says no more: %v\n%s", s.out.Err(), s.stderr)
	}
	if err := json.Unmarshal(s.out.Bytes(), &m); err != nil || m.Version != "2.0" {
		s.Fatalf("no message: %.200q", s.out.Text())
	}
	return m
}

const hello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}` + "\n" + `{"jsonrpc":"2.0","method":"notifications/initialized"}`

// A request that is cancelled changes nothing, and the server goes on.
func TestMCPCancelledRequest(t *testing.T) {
	t.Parallel()
	dir := aTree(t)
	s := raw(t, dir, "--allow-writes")
	s.say(hello)
	s.hear()
	release := lockTree(t, dir)
	s.say(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"decision_add","arguments":{"decision":"Cancelled pears"}}}`)
	s.say(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"status"}}`)
	if m := s.hear(); string(m.ID) != "2" || m.Error != nil { // others are answered meanwhile
		t.Errorf("while it waits: %s", s.out.Text())
	}
	s.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	if m := s.hear(); string(m.ID) != "1" || m.Error == nil {
		t.Errorf("it was cancelled: %s", s.out.Text())
	}
	release()
	s.say(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"decision_add","arguments":{"decision":"Other pears"}}}`)
	if m := s.hear(); string(m.ID) != "3" || m.Error != nil {
		t.Errorf("the next: %s", s.out.Text())
	}
	if list := ran(t, dir, "decision", "list"); strings.Contains(list, "Cancelled pears") || !strings.Contains(list, "Other pears") {
		t.Errorf("%s", list)
	}
}

// An invalid message is answered, and the next one is read. Standard output has nothing but
// messages. At the end of the input the server ends with 0 after every request is answered.
func TestMCPSurvivesWhatIsNoMessage(t *testing.T) {
	t.Parallel()
	s := raw(t, aTree(t))
	s.say(`{"jsonrpc":"2.0","id":"early","method":"tools/list"}`)
	if m := s.hear(); m.Error == nil {
		t.Errorf("before the handshake: %s", m.Result)
	}
	s.say(hello)
	s.hear()
	for _, c := range []struct {
		line, id string
		code     int
	}{
		{`not json`, "null", -32700},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/list"`, "null", -32700},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", "null", -32700},
		{"\x00", "null", -32700},
		{strings.Repeat("[", 1_000_000), "null", -32700},
		{`{"a": 1}`, "null", -32600},
		{`{"jsonrpc":"1.0","id":7,"method":"tools/list"}`, "7", -32600},
		{`{"jsonrpc":"2.0","id":{},"method":"tools/list"}`, "null", -32600},
		{`7`, "null", -32600},
		{`[]`, "null", -32600},
		{`{"jsonrpc":"2.0","id":8,"method":"no/such"}`, "8", -32601},
		{`{"jsonrpc":"2.0","id":9,"method":"tools/call"}`, "9", -32600},
		{`{"jsonrpc":"2.0","id":10,"method":"tools/call","params":{"name":"status","arguments":[1]}}`, "10", 0},
		{`{"jsonrpc":"2.0","id":11,"method":"resources/read","params":{"uri":7}}`, "11", -32602},
		{`{"jsonrpc":"2.0","id":12,"method":"tools/call","params":{"name":"status","arguments":{"x":"` + strings.Repeat("a", 5<<20) + `"}}}`, "null", -32600},
		{`{"jsonrpc":"2.0","id":"13","method":"ping"}`, `"13"`, 0},
	} {
		s.say(c.line)
		m := s.hear()
		code := 0
		if m.Error != nil {
			code = m.Error.Code
		}
		if string(m.ID) != c.id || code != c.code {
			t.Errorf("%.80q: id %s, code %d: %s", c.line, m.ID, code, s.out.Text())
		}
	}
	s.say("\n  \n" + `[{"jsonrpc":"2.0","id":21,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/x"},{"jsonrpc":"2.0","id":22,"method":"ping"}]`)
	if a, b := s.hear(), s.hear(); string(a.ID)+string(b.ID) != "2122" && string(a.ID)+string(b.ID) != "2221" {
		t.Errorf("a batch: %s, %s", a.ID, b.ID)
	}
	s.say(`{"jsonrpc":"2.0","id":31,"method":"tools/call","params":{"name":"validate"}}`)
	io.WriteString(s.in, `{"jsonrpc":"2.0","id":32,"method":"tools/call","params":{"name":"brief"}}`) // no line feed
	s.in.Close()
	ids := []string{string(s.hear().ID), string(s.hear().ID)}
	if slices.Sort(ids); !slices.Equal(ids, []string{"31", "32"}) {
		t.Errorf("before the end: %v", ids)
	}
	if s.out.Scan() {
		t.Errorf("and then %s", s.out.Text())
	}
	if err := s.command.Wait(); err != nil {
		t.Errorf("it ended with %v: %s", err, s.stderr)
	}
}

// Hundreds of requests at once are answered, each of them.
func TestMCPManyRequestsAtOnce(t *testing.T) {
	t.Parallel()
	s := raw(t, aTree(t), "--allow-writes")
	s.say(hello)
	s.hear()
	const many = 300
	go func() {
		for i := range many {
			call := `"name":"work_list"`
			if i%6 == 0 {
				call = `"name":"remember","arguments":{"text":"the same"}`
			}
			io.WriteString(s.in, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{%s}}`+"\n", i+1, call))
		}
	}()
	answered := map[string]bool{}
	for range many {
		m := s.hear()
		if m.Error != nil || answered[string(m.ID)] {
			t.Fatalf("%s: %v", m.ID, m.Error)
		}
		answered[string(m.ID)] = true
	}
	if open, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", s.command.Process.Pid)); err == nil && len(open) > 16 {
		t.Errorf("%d files are still open", len(open))
	}
	s.in.Close()
	if err := s.command.Wait(); err != nil {
		t.Errorf("it ended with %v: %s", err, s.stderr)
	}
}

// SIGTERM ends the server, with 0, whatever it is doing; so does the end of an
// input that never said anything.
func TestMCPEnds(t *testing.T) {
	t.Parallel()
	dir := aTree(t)
	s := raw(t, dir)
	s.say(hello)
	s.hear()
	if err := s.command.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if s.out.Scan() {
		t.Errorf("it says %s", s.out.Text())
	}
	if err := s.command.Wait(); err != nil || s.stderr.Len() > 0 {
		t.Errorf("SIGTERM: %v: %s", err, s.stderr)
	}
	s = raw(t, dir)
	s.in.Close()
	ended := make(chan error, 1)
	go func() { ended <- s.command.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("%v: %s", err, s.stderr)
		}
	case <-time.After(time.Minute):
		t.Error("it does not end")
	}
}

// lockTree has the write lock of the tree in dir until release is called.
func lockTree(t *testing.T, dir string) (release func()) {
	t.Helper()
	tree, err := fs.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	held, done := make(chan struct{}), make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() {
		tree.Transaction(context.Background(), func(*fs.Tx) error {
			close(held)
			<-done
			return errors.New("nothing after all")
		})
	})
	<-held
	return func() {
		close(done)
		group.Wait()
		tree.Close()
	}
}
