package hook

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	iofs "io/fs"
	"path"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

const (
	mostMemories = 256             // memories that are kept
	atWork       = time.Hour       // time after which an idle session counts as ended
	longSilence  = 5 * time.Minute // time after which another session stores the unsaid messages of an idle one
)

// sayAll adds messages to the conversation, and returns those that need not be kept. A message that
// no conversation can hold is dropped and reported.
func (r *hookCall) sayAll(ctx context.Context, tree *engine.Tree, messages []schema.Message) (done map[string]bool) {
	done = map[string]bool{}
	_, _, err := tree.Say(ctx, messages)
	if err != nil && !passing(err) {
		rest, refused := admissible(messages)
		if len(refused) > 0 {
			for _, m := range messages {
				done[m.ID] = !slices.ContainsFunc(rest, func(left schema.Message) bool { return left.ID == m.ID })
			}
			r.fail(refused...)
			if messages, err = rest, nil; len(rest) > 0 {
				_, _, err = tree.Say(ctx, rest)
			}
		}
	}
	if err != nil {
		r.fail(err)
		return done
	}
	for _, m := range messages {
		done[m.ID] = true
	}
	return done
}

// passing reports whether an error comes from the system and may not occur again.
func passing(err error) bool {
	var file *iofs.PathError
	var system syscall.Errno
	return errors.Is(err, fs.ErrBusy) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, fs.ErrUnsettled) ||
		errors.Is(err, engine.ErrNoSession) || errors.As(err, &file) || errors.As(err, &system)
}

// admissible returns the messages that a conversation can hold, and the errors of the others.
func admissible(messages []schema.Message) (rest []schema.Message, refused []error) {
	terms := session.Terms{Now: time.Unix(0, 0), Count: func(string) int { return 0 }, Random: bytes.NewReader(make([]byte, 64)), Imported: true}
	for _, m := range messages {
		if _, _, err := terms.Admit(nil, []schema.Message{m}); err != nil {
			refused = append(refused, fmt.Errorf("a message was left out: %w", err))
			continue
		}
		rest = append(rest, m)
	}
	return rest, refused
}

// sweep stores the unsaid messages of idle sessions, and removes the oldest memories if there are
// too many.
func (r *hookCall) sweep(ctx context.Context, tree *engine.Tree) {
	stamps, err := slots(tree.Tree)
	if err != nil || len(r.memories.key) == 0 {
		return
	}
	slices.SortFunc(stamps, func(a, b fs.Stamp) int { return cmp.Compare(b.Written, a.Written) })
	var old []string
	for i, s := range stamps {
		left := r.sayFor(ctx, tree, s.Name)
		if i >= mostMemories && !left {
			old = append(old, s.Name)
		}
	}
	if len(old) == 0 {
		return
	}
	_, err = tree.Transaction(ctx, func(tx *fs.Tx) error {
		for _, name := range old {
			tx.Remove(name)
		}
		return nil
	})
	r.fail(err)
}

// slots returns the stamps of the memories of sessions.
func slots(tree *fs.Tree) ([]fs.Stamp, error) {
	stamps, _, err := tree.Stamps(fs.LocalName(folderOf(tree)))
	return slices.DeleteFunc(stamps, func(s fs.Stamp) bool { return !strings.HasPrefix(path.Base(s.Name), slotPrefix) }), err
}

// othersWork reports whether another session of an agent is active in the tree: it has not ended,
// and had an event in the last hour. It returns true if that cannot be determined.
func (r *hookCall) othersWork(tree *engine.Tree) bool {
	stamps, err := slots(tree.Tree)
	if err != nil || !r.memories.remembers(r.payload.session) {
		return true
	}
	return slices.ContainsFunc(stamps, func(s fs.Stamp) bool {
		m, ok, err := r.memories.read(s.Name)
		if err != nil || !ok || m.Ended || m.Session == r.payload.session {
			return err != nil
		}
		last, err := schema.ParseTime(m.Last.At)
		return err == nil && r.call.Edge.Now().Sub(last).Abs() < atWork
	})
}

// sayFor stores the unsaid messages of another session, and reports whether some are left.
func (r *hookCall) sayFor(ctx context.Context, tree *engine.Tree, name string) (left bool) {
	if src, err := tree.Read(name); err != nil || !bytes.Contains(src, []byte(`"unsaid"`)) {
		return fs.IsUnread(err) // it may hold something
	}
	m, ok, err := r.memories.read(name)
	if err != nil {
		return true
	}
	if !ok || len(m.Unsaid) == 0 || m.Session == r.payload.session {
		return ok && len(m.Unsaid) > 0
	}
	if last, err := schema.ParseTime(m.Last.At); err == nil && r.call.Edge.Now().Sub(last).Abs() < longSilence {
		return true
	}
	done := r.sayAll(ctx, tree, m.Unsaid)
	left = true
	r.fail(r.memories.remember(ctx, m.Session, func(m *memory) { m.forgetUnsaid(done); left = len(m.Unsaid) > 0 }))
	return left
}
