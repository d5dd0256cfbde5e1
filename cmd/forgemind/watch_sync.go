package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/refresh"
	"github.com/forgemind/forgemind/internal/sync"
)

// syncBehind begins to sync in the background until ctx ends, if --sync is given. The caller calls
// changed with each occurrence in the tree, and end to wait for the end.
func (p *program) syncBehind(ctx context.Context, c *cli.Context, tell func(refresh.Occurrence)) (changed func(refresh.Occurrence), end func(), err error) {
	if !c.Bool("sync") {
		return func(refresh.Occurrence) {}, func() {}, nil
	}
	tree, err := p.openTree(c) // its own: it is used at the same time as that of the watcher
	if err != nil {
		return nil, nil, err
	}
	if err := p.hasRemote(ctx, tree); err != nil {
		tree.Close()
		return nil, nil, err
	}
	changes, ended := make(chan struct{}, 1), make(chan struct{})
	go func() {
		defer close(ended)
		defer tree.Close()
		p.background(tree, c.Duration("every"), changes, tell).Run(ctx)
	}()
	changed = func(o refresh.Occurrence) {
		if o.Event != refresh.Changed && o.Event != refresh.Wrote {
			return
		}
		select {
		case changes <- struct{}{}:
		default: // one is waiting already
		}
	}
	return changed, func() { <-ended }, nil
}

// hasRemote returns an error if no remote is set for the tree.
func (p *program) hasRemote(ctx context.Context, tree *engine.Tree) error {
	r, err := p.openRemote(ctx, tree)
	if err == nil {
		r.Close()
	}
	return err
}

// background returns a Background whose events are occurrences. It holds the remote only while it syncs.
func (p *program) background(tree *engine.Tree, every time.Duration, changed <-chan struct{}, tell func(refresh.Occurrence)) sync.Background {
	occur := func(event, format string, args ...any) {
		tell(refresh.Occurrence{Time: p.Now().UTC(), Event: event, Message: fmt.Sprintf(format, args...)})
	}
	return sync.Background{
		Every: every, Changed: changed, Jitter: rand.Float64,
		Sync: func(ctx context.Context) (sync.Report, error) {
			r, err := p.openRemote(ctx, tree)
			if err != nil {
				return sync.Report{}, err
			}
			defer r.Close()
			return sync.Run(ctx, tree, r, sync.Options{Jitter: rand.Float64, Wait: p.waits(ctx)})
		},
		Done: func(r sync.Report) {
			if len(r.Taken)+len(r.Published) > 0 {
				occur(refresh.Synced, "taken %s, sent %s", count(len(r.Taken), "file"), count(len(r.Published), "file"))
			}
			p.warnSync(r)
		},
		Lost: func(err error, next time.Duration) {
			occur(refresh.Offline, "%v; what changes here stays here until the remote can be reached; next try in %v", err, next.Round(time.Second))
		},
		Back: func(after time.Duration) {
			occur(refresh.Online, "in contact with the remote again after %v", after.Round(time.Second))
		},
	}
}
