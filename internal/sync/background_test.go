package sync

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// TestBackground has a remote that is away for a while: tries become rarer, and losing and finding it
// is told once each. A change here is sent once it is settled.
func TestBackground(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		start, changed := time.Now(), make(chan struct{}, 1)
		var events []string
		tell := func(what string) { events = append(events, fmt.Sprintf("%v %s", time.Since(start), what)) }
		away := func() bool { at := time.Since(start); return at >= 95*time.Second && at < 500*time.Second }
		b := Background{
			Every: 30 * time.Second, Changed: changed, Jitter: func() float64 { return 0 },
			Sync: func(context.Context) (Report, error) {
				tell("sync")
				if away() {
					return Report{}, errors.New("away")
				}
				return Report{}, nil
			},
			Done: func(Report) {},
			Lost: func(err error, next time.Duration) { tell(fmt.Sprintf("lost, next in %v", next)) },
			Back: func(after time.Duration) { tell(fmt.Sprintf("back after %v", after)) },
		}
		ended := make(chan struct{})
		go func() { b.Run(ctx); close(ended) }()
		time.Sleep(40 * time.Second)
		changed <- struct{}{}
		time.Sleep(500 * time.Millisecond)
		changed <- struct{}{} // not quiet yet
		time.Sleep(110 * time.Second)
		changed <- struct{}{} // while it is away nobody tries because of it
		time.Sleep(10 * time.Minute)
		cancel()
		before := time.Now()
		<-ended
		if d := time.Since(before); d != 0 {
			t.Errorf("it ended %v after it was told to", d)
		}
		want := []string{
			"0s sync", "30s sync", "41.5s sync", "1m11.5s sync", "1m41.5s sync", "1m41.5s lost, next in 30s", "2m11.5s sync", "3m11.5s sync", "5m11.5s sync",
			"9m11.5s sync", "9m11.5s back after 7m30s", "9m12.5s sync", "9m42.5s sync", "10m12.5s sync", "10m42.5s sync", "11m12.5s sync",
		}
		if !slices.Equal(events[:min(len(events), len(want))], want) {
			t.Errorf("the events are\n%q\nwant\n%q", events, want)
		}
	})
}
