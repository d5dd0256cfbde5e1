package hook

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"sync"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/schema"
)

const (
	runFor     = 2 * time.Second // default time limit
	maxPayload = 8 << 20         // bytes that are examined
	atOnce     = 5 * time.Second // an identical event within this time is a repetition
)

// A Call is one event of an agent.
type Call struct {
	Agent, Event string    // from the command line, so any text
	Payload      io.Reader // may be nil
	Out          io.Writer // receives the answer; nil if the caller delivers it
	Tree         string    // path of the tree; "" to find it from the payload
	Dir          string    // working directory
	State        string    // the user's state directory; "" means that nothing is remembered
	Edge         engine.Edge
	// Within is the time limit of the hook; 0 means two seconds. It is divided into 80 % for the
	// work, of which each wait for another program takes at most 15 %, 10 % for Out to take the
	// answer, and 5 % for recording errors.
	Within time.Duration
}

func (c *Call) workTime() time.Duration    { return c.Within * 80 / 100 }
func (c *Call) lockWait() time.Duration    { return c.Within * 15 / 100 }
func (c *Call) deliverTime() time.Duration { return c.Within * 10 / 100 }
func (c *Call) noteTime() time.Duration    { return c.Within * 5 / 100 }

// Run handles an agent's event. It delivers the text for the agent in the agent's form and returns
// it, or nil if there is none. It never fails and never exceeds the time limit, whatever Payload
// and Out do, because an agent must not be disturbed. Errors are recorded in the tree; see
// RunFaults.
func Run(ctx context.Context, call Call) []byte {
	call.Within = cmp.Or(call.Within, runFor)
	ctx, cancel := context.WithTimeout(ctx, call.workTime())
	defer cancel()
	r := &hookCall{call: call, at: momentOf(call.Event)}
	done, delivered := make(chan struct{}), make(chan struct{})
	defer close(delivered)
	go func() {
		defer func() { _ = recover() }()
		defer r.close() // nobody waits for this
		defer func() { <-delivered }()
		defer close(done)
		r.run(ctx)
	}()
	select {
	case <-done:
	case <-ctx.Done():
		r.fail(errors.New("the time limit was exceeded"))
	}
	answer := r.said()
	if call.Out != nil && len(answer) > 0 {
		r.fail(Deliver(call.Out, answer, call.deliverTime()))
	}
	r.noteInTime()
	return answer
}

// noteInTime records the faults unless that takes too long.
func (r *hookCall) noteInTime() {
	noted := make(chan struct{})
	go func() {
		defer func() { _ = recover() }()
		defer close(noted)
		r.note()
	}()
	select {
	case <-noted:
	case <-time.After(r.call.noteTime()):
	}
}

// A hookCall holds the state of one call of Run.
type hookCall struct {
	call    Call
	at      moment
	payload payload
	dir     string // directory where the agent works

	memories hookMemory

	mu     sync.Mutex // guards the following fields: the work may continue after the time limit
	text   string     // text for the agent
	answer []byte     // the text in the agent's form
	faults []error
	tree   *fs.Tree
}

func (r *hookCall) said() []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.answer
}

// setOutput sets the text for the agent, which is delivered even if the rest fails.
func (r *hookCall) setOutput(text string) {
	answer := inForm(r.call.Agent, r.at, text)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.text, r.answer = text, answer
}

func (r *hookCall) fail(errs ...error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, err := range errs {
		if err != nil {
			r.faults = append(r.faults, err)
		}
	}
}

// close releases the resources of run.
func (r *hookCall) close() {
	if r.tree != nil {
		r.tree.Close()
	}
}

// note records the faults in the tree if there is one.
func (r *hookCall) note() {
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
func (r *hookCall) run(ctx context.Context) {
	src, err := ReadObject(ctx, r.call.Payload, maxPayload, r.call.Within/2)
	if err == nil && len(src) > 0 {
		r.payload, err = readPayload(bytes.TrimPrefix(src, []byte("\xef\xbb\xbf"))) // PowerShell's pipes begin with a byte order mark
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
		return // the folder of another product, or an unreadable one
	}
	tree.LockTimeout = r.call.lockWait()
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
	r.memories = hookMemory{tree.Tree, key}
	if r.at == unknown {
		r.fail(errors.New("unknown event"))
		return
	}
	if isIdle(r.call.Event, r.payload.source) {
		return
	}
	if m, twice := r.comeIn(ctx); !twice {
		seen := r.compressed(&m)
		change := r.respond(ctx, tree, &m)
		r.record(ctx, tree, &m, seen, change)
	}
}

// comeIn records the event in the session's memory. It reports whether the event is a repetition:
// an agent that also runs another agent's hooks runs ours twice.
func (r *hookCall) comeIn(ctx context.Context) (m memory, twice bool) {
	m, _ = r.memories.recall(r.payload.session) // a failure here is reported by later steps
	stamp := r.payload.stamp(r.at)
	if stamp == "" {
		return m, false
	}
	now := r.call.Edge.Now()
	_ = r.memories.remember(ctx, r.payload.session, func(kept *memory) {
		last, err := schema.ParseTime(kept.Last.At)
		twice = kept.Last.Stamp == stamp && err == nil && now.Sub(last).Abs() < atOnce
		kept.Last = arrival{schema.FormatTime(now), stamp}
		kept.Since = cmp.Or(kept.Since, kept.Last.At)
		m = *kept
	})
	return m, twice
}

// root returns the project directory of the event's tree, or "".
func (r *hookCall) root() string {
	r.dir = r.call.Dir
	if r.call.Tree != "" {
		return r.call.Tree
	}
	for _, dir := range r.payload.dirs {
		if root, err := fs.Find(dir); err == nil {
			r.dir = filepath.Clean(dir)
			return trusted(root)
		}
	}
	root, err := fs.Find(r.call.Dir)
	if err != nil {
		return ""
	}
	return trusted(root)
}

// trusted returns the root of a tree, or "" if another user owns it.
func trusted(root string) string {
	if !fs.IsOwned(root) {
		return ""
	}
	return root
}
