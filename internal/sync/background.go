package sync

import (
	"context"
	"time"
)

const (
	settle     = time.Second      // quiet time after a change here before it is sent
	longestGap = 10 * time.Minute // longest time between tries while the remote cannot be reached
)

// A Background syncs at an interval and after changes.
type Background struct {
	Every   time.Duration // between syncs
	Changed <-chan struct{}
	Sync    func(context.Context) (Report, error)
	Jitter  func() float64 // from 0 to 1, spreads the tries while the remote cannot be reached

	// What happens is reported by these. Lost is called once until Back is; next is the time until
	// the next try, which grows with each one.
	Done func(Report) // something was exchanged, or told
	Lost func(err error, next time.Duration)
	Back func(after time.Duration)
}

// Run syncs until ctx ends.
func (b Background) Run(ctx context.Context) {
	var lost time.Time // zero while the remote can be reached
	failures := 0
	for {
		report, err := b.Sync(ctx)
		if ctx.Err() != nil {
			return
		}
		next := b.Every
		if err != nil {
			next = b.gap(failures)
			if failures++; failures == 1 {
				lost = time.Now()
				b.Lost(err, next)
			}
		} else {
			if failures > 0 {
				b.Back(time.Since(lost))
			}
			failures = 0
			b.Done(report)
		}
		if !b.wait(ctx, next, err == nil) {
			return
		}
	}
}

// gap returns the time until the next try after a number of failures in a row.
func (b Background) gap(failures int) time.Duration {
	gap := longestGap
	if failures < 10 {
		gap = min(gap, b.Every<<failures)
	}
	return max(b.Every, gap) - time.Duration(b.Jitter()*float64(gap)/4)
}

// wait waits for the next sync: until the time is over, or until a change here is settled if
// listen is set. It returns false if ctx ended.
func (b Background) wait(ctx context.Context, next time.Duration, listen bool) bool {
	end := time.Now().Add(next)
	timer := time.NewTimer(next)
	defer timer.Stop()
	changed := b.Changed
	if !listen {
		changed = nil
	}
	for {
		select {
		case <-ctx.Done():
			return false
		case <-timer.C:
			return true
		case <-changed:
			timer.Reset(min(settle, time.Until(end)))
		}
	}
}
