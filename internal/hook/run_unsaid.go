package hook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	iofs "io/fs"
	"slices"
	"syscall"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
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
