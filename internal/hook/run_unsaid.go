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
	mostMemories = 256             // that are kept
	longSilence  = 5 * time.Minute // after which others say what a session left unsaid
)

// sayAll takes messages into the conversation, and says which need not be kept any
// longer: what nobody could take in is left out, and noted.
func (r *running) sayAll(ctx context.Context, tree *engine.Tree, messages []schema.Message) (done map[string]bool) {
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

// passing says whether an error is not of what is written, but of the moment, or of
// the machine: it may be gone the next time.
func passing(err error) bool {
	var file *iofs.PathError
	var system syscall.Errno
	return errors.Is(err, fs.ErrBusy) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, fs.ErrUnsettled) ||
		errors.Is(err, engine.ErrNoSession) || errors.As(err, &file) || errors.As(err, &system)
}

// admissible are the messages that a conversation can hold, whatever it holds, and
// why others are none.
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

// sweep says what sessions left unsaid that are silent for some time, and lets the
// oldest memories go where there are too many.
func (r *running) sweep(ctx context.Context, tree *engine.Tree) {
	stamps, _, err := tree.Stamps(fs.LocalName(folderOf(tree.Tree)))
	if err != nil || len(r.memories.key) == 0 {
		return
	}
	stamps = slices.DeleteFunc(stamps, func(s fs.Stamp) bool { return !strings.HasPrefix(path.Base(s.Name), slotPrefix) })
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

// sayFor says what another session left unsaid, and says whether something of it is
// left.
func (r *running) sayFor(ctx context.Context, tree *engine.Tree, name string) (left bool) {
	if src, err := tree.Read(name); err != nil || !bytes.Contains(src, []byte(`"unsaid"`)) {
		return fs.Unread(err) // it may hold something
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
