package main

import (
	"io"
	"strings"
	"syscall"
	"testing"
)

// A message of 100 MB is refused without being held; the next one is read.
func TestMCPRefusesAHugeMessage(t *testing.T) {
	dir := aTree(t)
	took := map[int]int64{} // KiB, by the size of the message in MiB
	for _, size := range []int{1, 100} {
		s := raw(t, dir)
		s.say(hello)
		s.hear()
		io.WriteString(s.in, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":"`)
		for range size {
			io.WriteString(s.in, strings.Repeat("p", 1<<20))
		}
		s.say(`"}}}`)
		m := s.hear()
		if size > 4 && (m.Error == nil || m.Error.Code != -32600 || !strings.Contains(m.Error.Message, "4194304 bytes")) {
			t.Errorf("%d MiB: %s", size, s.out.Text())
		}
		s.say(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"status"}}`)
		if m := s.hear(); string(m.ID) != "2" || m.Error != nil {
			t.Errorf("%s", s.out.Text())
		}
		s.in.Close()
		if code := s.ended(); code != exitDone {
			t.Errorf("it ended with %d: %s", code, s.stderr)
		}
		if usage, ok := s.command.ProcessState.SysUsage().(*syscall.Rusage); ok {
			took[size] = usage.Maxrss
		}
	}
	if took[100] > took[1]+(32<<10) {
		t.Errorf("it took %v KiB", took)
	}
}
