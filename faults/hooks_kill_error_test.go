//go:build linux

package faults_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A rehearsedDialogue is a dialogue of an agent that was rehearsed.
type rehearsedDialogue struct {
	events              []agentEvent
	before              []string       // the tree before each of them
	messages, decisions map[string]int // in the end
}

// rehearseDialogue runs the hooks of a dialogue of an agent undisturbed.
func rehearseDialogue(t *testing.T, agent string) *rehearsedDialogue {
	t.Helper()
	dir := newDir(t)
	perform(t, dir, "init --layout both")
	l := &rehearsedDialogue{events: dialogue(agent, "s-"+agent, 2)}
	for _, h := range l.events {
		l.before = append(l.before, dir)
		dir = copyTree(t, dir)
		silent(t, h.event, agent, execute(t, h.command(t, dir), hang))
	}
	l.messages, l.decisions = spoken(t, dir)
	for _, h := range l.events {
		if h.says != "" && l.messages[h.says] != 1 {
			t.Errorf("undisturbed, of %s it stands %d times: %q", agent, l.messages[h.says], h.says)
		}
	}
	if len(l.messages) < 2 {
		t.Fatalf("undisturbed, of %s there is %v, decided %v", agent, l.messages, l.decisions)
	}
	return l
}

// A hookEvent is the hook that an agent runs at an event of a dialogue.
type hookEvent struct {
	*rehearsedDialogue
	i int // the event, of those of the dialogue
}

// hookEvents rehearses dialogues of agents.
func hookEvents(t *testing.T, kill bool) (all []subject) {
	t.Helper()
	agents := []string{"claude", "gemini", "copilot", "memfas"}
	if kill {
		agents = []string{"claude", "codex", "cursor"}
	}
	for _, agent := range agents {
		l := rehearseDialogue(t, agent)
		for i := range l.events {
			all = append(all, hookEvent{l, i})
		}
	}
	return all
}

func (e hookEvent) it() agentEvent { return e.events[e.i] }

func (e hookEvent) String() string {
	return fmt.Sprintf("%s of %s, event %d", e.it().event, e.it().agent, e.i)
}

func (e hookEvent) prepare(t *testing.T) string { return copyTree(t, e.before[e.i]) }

func (e hookEvent) command(t *testing.T, dir string) *exec.Cmd { return e.it().command(t, dir) }

// judge checks that the agent was not told of the fault, and after the events that follow,
// that nothing that it said is doubled, or lost without doctor's knowing.
func (e hookEvent) judge(t *testing.T, b *broken) (at, after string) {
	t.Helper()
	if b.byRuntime() {
		return did, did
	}
	h := e.it()
	if b.errno != "" {
		silent(t, b.String(), h.agent, b.run)
	}
	for _, next := range e.events[e.i+1:] {
		silent(t, fmt.Sprintf("%v: then %s", b, next.event), h.agent, execute(t, next.command(t, b.dir), hang))
	}
	b.succeed(t, "set", "/notes/next", "1") // which does what the last event left to be done
	// Nobody says again what only the payload of a hook says that was killed, or that could
	// keep it nowhere: of that doctor tells, where the tree could be opened at all.
	cannot := b.errno == "" && b.run.code != 0 || b.errno != "" && slices.Contains(notedFaults(t, b.dir), notedFault{h.agent, h.event}) || b.unopened()
	lost := e.heard(t, b, cannot)
	files := touched(t, b.dir)
	for _, one := range e.events {
		if one.touches != "" && !files[one.touches] && !(cannot && one.touches == h.touches) {
			t.Errorf("%v: nobody knows that %s was changed", b, one.touches)
		}
	}
	b.succeed(t, "validate")
	// What is written without the lock goes after a minute, with whoever has it then.
	left := slices.DeleteFunc(unfinished(b.dir), func(name string) bool { return strings.Contains(name, flat("/.local/")) })
	if len(left) > 0 {
		t.Errorf("%v: litter stays: %q", b, left)
	}
	if lost {
		return unheard, unheard
	}
	return did, did
}

// heard checks that each message and each decision stands as often as without a fault, and
// reports whether what only the payload says is lost, which it may be if cannot is set.
func (e hookEvent) heard(t *testing.T, b *broken, cannot bool) (lost bool) {
	t.Helper()
	own := e.it().own()
	messages, decisions := spoken(t, b.dir)
	lost = cannot && own != "" && messages[own] == 0
	for text, n := range e.messages {
		if messages[text] != n && !(lost && text == own) {
			t.Errorf("%v: it stands %d times, not %d: %q", b, messages[text], n, text)
		}
	}
	for text, n := range messages {
		if n > e.messages[text] {
			t.Errorf("%v: it stands %d times, not %d: %q", b, n, e.messages[text], text)
		}
	}
	for text, n := range e.decisions {
		if decisions[text] != n && !(lost && strings.Contains(own, text)) {
			t.Errorf("%v: decided %d times: %q", b, decisions[text], text)
		}
	}
	if len(decisions) > len(e.decisions) {
		t.Errorf("%v: decided besides: %v", b, decisions)
	}
	return lost
}

// A notedFault is something that went wrong at an event and that doctor knows.
type notedFault struct{ Agent, Event string }

// notedFaults returns what doctor knows of what went wrong in hooks.
func notedFaults(t *testing.T, dir string) []notedFault {
	t.Helper()
	var kept struct{ Faults []notedFault }
	src, err := os.ReadFile(filepath.Join(dir, local, "hook-faults.json"))
	if err == nil {
		err = json.Unmarshal(src, &kept)
	}
	if err != nil && !os.IsNotExist(err) {
		t.Error(err)
	}
	return kept.Faults
}

// unopened reports whether it was the opening of the tree that failed, which takes two
// calls: where nothing can be kept, no fault can be noted either.
func (b *broken) unopened() bool {
	return slices.ContainsFunc(b.hits, func(hit string) bool {
		return strings.Contains(hit, fmt.Sprintf(`%q, O_RDONLY|O_CLOEXEC) = -1`, b.dir)) || strings.Contains(hit, fmt.Sprintf(`<%s>, ".", O_RDONLY|O_NOFOLLOW|O_CLOEXEC) = -1`, b.dir))
	})
}
