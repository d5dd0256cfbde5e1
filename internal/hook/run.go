package hook

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/brief"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/schema"
)

// Limit is the time that a hook may take.
const Limit = 2 * time.Second

const (
	maxPayload = 8 << 20         // bytes that are looked at
	atOnce     = 5 * time.Second // within it the same event is the same
)

// A Call is one event of an agent, as it came in.
type Call struct {
	Agent, Event string    // as on the command line: anything
	Payload      io.Reader // nil for none
	Out          io.Writer // takes the answer; nil where the caller delivers it
	Tree         string    // where it is to be found; "" where the payload says
	Dir          string    // the working directory
	State        string    // the user's own folder of state; "" for none: then nothing is remembered
	Edge         engine.Edge
	// Within is the time limit of the hook, Limit if it is 0: 80 % for the work, of
	// these 15 % at most for waiting for another program, each time; 10 % for Out to
	// take the answer; 5 % for noting what went wrong.
	Within time.Duration
}

func (c *Call) workTime() time.Duration    { return c.Within * 80 / 100 }
func (c *Call) lockWait() time.Duration    { return c.Within * 15 / 100 }
func (c *Call) deliverTime() time.Duration { return c.Within * 10 / 100 }
func (c *Call) noteTime() time.Duration    { return c.Within * 5 / 100 }

// Run does what is due at an agent's event, delivers what the agent is told, in its
// own form, and returns it; nil for nothing. It never fails, and takes no longer than
// it may, whatever Payload and Out do: an agent must not be kept from its work. What
// went wrong is noted in the tree; see RunFaults.
func Run(ctx context.Context, call Call) []byte {
	call.Within = cmp.Or(call.Within, Limit)
	ctx, cancel := context.WithTimeout(ctx, call.workTime())
	defer cancel()
	r := &running{call: call, at: momentOf(call.Event)}
	done, noted := make(chan struct{}), make(chan struct{})
	go func() {
		defer func() { _ = recover() }()
		defer r.close() // nobody waits for that
		defer func() { <-noted }()
		defer close(done)
		r.run(ctx)
	}()
	over := false
	select {
	case <-done:
		over = true
	case <-ctx.Done():
		r.fail(errors.New("it was not done in time"))
	}
	answer := r.said()
	var undelivered error
	if call.Out != nil && len(answer) > 0 {
		undelivered = Deliver(call.Out, answer, call.deliverTime())
		r.fail(undelivered)
	}
	r.noteInTime(over && undelivered != nil, noted)
	return answer
}

// noteInTime notes the faults, and that the agent was told nothing if it is untold, unless
// that takes too long. It closes noted once it needs the tree no more, which may be later.
func (r *running) noteInTime(untold bool, noted chan struct{}) {
	go func() {
		defer func() { _ = recover() }()
		defer close(noted)
		r.note()
		if untold {
			_ = r.memories.remember(context.Background(), r.payload.session, func(m *memory) {
				if r.payload.subagent != "" {
					m.forgetBelow(r.payload.subagent)
					return
				}
				m.Begun, m.Room, m.Given = "", 0, nil
				m.Lost, m.Putting = m.Lost || r.back, arrival{}
			})
		}
	}()
	select {
	case <-noted:
	case <-time.After(r.call.noteTime()):
	}
}

// A running is a hook at work.
type running struct {
	call    Call
	at      moment
	payload payload
	dir     string                // where the agent works
	back    bool                  // what a compaction lost is told
	beside  bool                  // another hook is telling what a compaction lost
	records func() *brief.Records // reads those of the tree, once

	memories memories

	mu     sync.Mutex // of what follows: time may be over while the work goes on
	text   string     // that the agent is told
	answer []byte     // the same in its form
	faults []error
	tree   *fs.Tree
}

func (r *running) said() []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.answer
}

// say is what the agent is told, from now on, whatever happens.
func (r *running) say(text string) {
	answer := inForm(r.call.Agent, r.at, text)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.text, r.answer = text, answer
}

func (r *running) fail(errs ...error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, err := range errs {
		if err != nil {
			r.faults = append(r.faults, err)
		}
	}
}

// close gives back what run took.
func (r *running) close() {
	if r.tree != nil {
		r.tree.Close()
	}
}

// note notes the faults in the tree, where there is one.
func (r *running) note() {
	r.mu.Lock()
	tree, faults := r.tree, r.faults
	r.faults = nil
	r.mu.Unlock()
	if tree == nil || len(faults) == 0 {
		return
	}
	for _, err := range faults[:min(len(faults), mostFaults)] {
		NoteFault(tree, r.call.Edge.Now(), r.call.Agent, r.call.Event, err.Error())
	}
}

// run finds the tree, answers, and records.
func (r *running) run(ctx context.Context) {
	src, err := ReadObject(ctx, r.call.Payload, maxPayload, r.call.Within/2)
	if err == nil && len(src) > 0 {
		r.payload, err = readPayload(r.call.Agent, bytes.TrimPrefix(src, []byte("\xef\xbb\xbf"))) // PowerShell's pipes begin so
		r.fail(r.payload.bound()...)
	}
	if err != nil {
		r.fail(fmt.Errorf("payload: %w", err))
	}
	root := r.root()
	if root == "" || ctx.Err() != nil {
		return
	}
	tree, err := engine.Open(root, r.call.Edge)
	if err != nil {
		return // another product's folder, or one that cannot be read: not ours to tell
	}
	tree.LockTimeout, tree.Unheard = r.call.lockWait(), true
	r.mu.Lock()
	r.tree = tree.Tree
	r.mu.Unlock()
	defer r.note()
	defer func() {
		if fault := recover(); fault != nil {
			r.fail(fmt.Errorf("a fault in forgemind itself: %v", fault))
		}
	}()
	key, err := fs.Secret(r.call.State, keyFile)
	if err != nil {
		r.fail(fmt.Errorf("what hooks remember: %w", err))
	}
	r.memories = memories{tree.Tree, key}
	if r.at == unknown {
		r.fail(errors.New("an event that is not known"))
		return
	}
	if isIdle(r.call.Event, r.payload.source) {
		return
	}
	if r.at == broken {
		r.payload.said = "" // why it broke off
	}
	if r.payload.subagent != "" && r.belongsToSubagent(ctx) {
		return
	}
	if m, twice := r.comeIn(ctx); !twice {
		seen := r.compressed(&m)
		change := r.respond(ctx, tree, &m)
		if r.at == begins && r.catchUp(ctx, tree) { // that may be told, too
			m, _ = r.memories.recall(r.payload.session)
			if seen != nil {
				seen(&m)
			}
			if more := r.respond(ctx, tree, &m); more != nil {
				change = more
			}
		}
		r.record(ctx, tree, &m, seen, change)
	}
}

// belongsToSubagent reports whether an event is no matter of the session, but of a subagent of
// it: what that is asked and answers, and when it compacts its window.
func (r *running) belongsToSubagent(ctx context.Context) bool {
	if r.at == compacted {
		_ = r.memories.remember(ctx, r.payload.session, func(m *memory) { m.forgetBelow(r.payload.subagent) })
	}
	return !slices.Contains([]moment{working, worked, failed, delegated}, r.at)
}

// comeIn notes in the session's memory that the event came in, with the transcript that it
// names, and reports whether it did so a moment ago: where an agent runs the hooks of
// another besides its own, it runs ours twice. Of a session's start and a prompt that come in
// at once, as in the Copilot CLI, one tells what a compaction lost.
func (r *running) comeIn(ctx context.Context) (m memory, twice bool) {
	m, _ = r.memories.recall(r.payload.session) // what fails here fails once more behind it
	stamp := r.payload.stamp(r.at)
	named := m.progress
	named.expect(r)
	if stamp == "" && named.same(m.progress) {
		return m, false
	}
	_ = r.memories.remember(ctx, r.payload.session, func(kept *memory) {
		if stamp != "" {
			now := arrival{At: schema.FormatTime(r.call.Edge.Now()), Stamp: stamp}
			if r.at == prompted || r.at == begins && r.payload.source != "compact" {
				now.Beside = r.at
			}
			twice = kept.came(now, r.since)
			kept.Since = cmp.Or(kept.Since, kept.Last.At)
		}
		if kept.Lost && (r.at == begins || r.at == prompted) {
			if p := kept.Putting; p.Beside != "" && p.Beside != r.at && r.since(p.At) < atOnce {
				r.beside = true
			} else {
				kept.Putting = arrival{At: schema.FormatTime(r.call.Edge.Now()), Beside: r.at}
			}
		}
		kept.expect(r)
		m = *kept
	})
	return m, twice
}

// since returns how long ago a time is; long ago if it is none.
func (r *running) since(at string) time.Duration {
	t, err := schema.ParseTime(at)
	if err != nil {
		return math.MaxInt64
	}
	return r.call.Edge.Now().Sub(t).Abs() // a clock may be set back
}

// root is the project directory of the tree that the event is about; "" for none.
func (r *running) root() string {
	r.dir = r.call.Dir
	if r.call.Tree != "" {
		return r.call.Tree
	}
	root, dir, err := fs.FindFirst(append(slices.Clone(r.payload.dirs), r.call.Dir)...)
	if err != nil {
		return ""
	}
	r.dir = dir
	return trusted(root)
}

// trusted is the root of a tree, if it is no other user's: nobody sees that one, as who
// types a command does.
func trusted(root string) string {
	if !fs.Ours(root) {
		return ""
	}
	return root
}
