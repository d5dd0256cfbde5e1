//go:build linux

package faults_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// Eight agents work on one tree at once, each by its hooks, under a watcher: what
// each of them said stands there once, each file that it touched is known, and the
// tree is valid.
func TestEightAgentsHooks(t *testing.T) {
	const turns = 4
	dir := newDir(t)
	succeed(t, dir, "init", "--layout", "both")
	stop := watching(t, atHome(dir, "watch"))
	var sessions [][]happening
	for i, agent := range []string{"claude", "claude", "codex", "codex", "cursor", "gemini", "copilot", "memfas"} {
		sessions = append(sessions, dialogue(agent, fmt.Sprintf("s-%d", i), turns))
	}
	var agents sync.WaitGroup
	for _, happenings := range sessions {
		agents.Go(func() {
			for _, h := range happenings {
				silent(t, h.agent+" "+h.event, h.agent, execute(t, h.command(t, dir), hang))
			}
		})
	}
	agents.Wait()
	// What waited for another program to give the lock back waits for the next event.
	for _, happenings := range sessions {
		last := happenings[len(happenings)-1]
		silent(t, last.agent+" once more", last.agent, execute(t, last.command(t, dir), hang))
	}
	becomesQuiet(t, filepath.Join(dir, ".forgemind"))
	stop()

	messages, decisions := spoken(t, dir)
	expected := 0
	for _, happenings := range sessions {
		for _, h := range happenings {
			if h.says != "" {
				expected++
				messages[h.says] += 0
			}
		}
	}
	for text, n := range messages {
		if n != 1 {
			t.Errorf("it stands %d times: %q", n, text)
		}
	}
	files := touched(t, dir)
	for _, happenings := range sessions {
		for _, h := range happenings {
			if h.touches != "" && !files[h.touches] {
				t.Errorf("nobody knows that %s changed %s", h.agent, h.touches)
			}
		}
	}
	for text, n := range decisions {
		if n != 1 {
			t.Errorf("decided %d times: %q", n, text)
		}
	}
	succeed(t, dir, "validate")
	var doctor struct {
		Faults []struct {
			Agent, Event, Text string
			Times              int
		}
	}
	if src, err := os.ReadFile(filepath.Join(dir, local, "hook-faults.json")); err == nil {
		if err := json.Unmarshal(src, &doctor); err != nil {
			t.Error(err)
		}
	}
	t.Logf("%d events of %d sessions, %d messages, %d decisions; faults noted: %+v", eventsOf(sessions), len(sessions), expected, len(decisions), doctor.Faults)
}

func eventsOf(sessions [][]happening) (n int) {
	for _, happenings := range sessions {
		n += len(happenings)
	}
	return n
}
