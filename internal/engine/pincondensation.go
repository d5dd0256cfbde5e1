package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"

	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/records"
)

// ErrNoChannel reports a condensation that names no channel to pin it in.
var ErrNoChannel = errors.New("the condensation names no channel")

// PinCondensation pins the condensation called name in a channel, by default its own, and returns the
// channel. A condensation that is pinned already stays as it is. The error is ErrNoChannel if there is
// no channel.
func (t *Tree) PinCondensation(ctx context.Context, name, channel, agent string) (in string, out Outcome, err error) {
	out, err = t.do(ctx, func(r *WorkingSet) error {
		r.event.Agent = agent
		src, err := r.tx.Read(name)
		if err != nil {
			return err
		}
		c, err := condense.ReadCondensation(path.Base(name), src)
		if err != nil {
			return err
		}
		if in = channelOf(cmp.Or(channel, c.Channel)); in == "" {
			return ErrNoChannel
		}
		pinned, err := condense.Pin(r.tx, r.home, in, path.Base(name), r.Actor(), r.at)
		for _, p := range pinned.Unpinned {
			r.addNote(fmt.Sprintf("%.100s was unpinned in #%s, which has %d pins at most", p.Condensation, in, condense.MaxPins))
		}
		return err
	})
	return in, out, err
}

// UnpinCondensation removes the pins of the condensation called name, in a channel or in all, and
// returns them.
func (t *Tree) UnpinCondensation(ctx context.Context, name, channel, agent string) (gone []condense.Unpinned, out Outcome, err error) {
	out, err = t.do(ctx, func(r *WorkingSet) (err error) {
		r.event.Agent = agent
		gone, err = condense.UnpinFile(r.tx, path.Base(name), channel, records.Change{At: r.Now(), By: r.Actor()})
		return err
	})
	return gone, out, err
}
