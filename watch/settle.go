package watch

import "time"

const (
	calm  = 20 * time.Millisecond  // so long must be quiet
	limit = 250 * time.Millisecond // but nobody waits longer than this
	brief = 4 * time.Millisecond   // the quiet that an isolated save needs
	few   = 8                      // so many names can be an isolated save
)

// An event says that something happened at name; what, is for a look to find
// out. With all set it happened anywhere.
type event struct {
	name string
	all  bool
}

// A burst is the events between two times of quiet.
type burst struct {
	names map[string]bool
	all   bool
}

func (b burst) empty() bool { return !b.all && len(b.names) == 0 }

func (b *burst) add(e event) {
	if e.all {
		b.all = true
		return
	}
	if b.names == nil {
		b.names = map[string]bool{}
	}
	b.names[e.name] = true
}

// settle takes events the moment they come and gives them as bursts once they
// are quiet. A few names after a time of quiet are a save by itself, which is
// given nearly at once. It ends, and closes out, when in is closed.
func settle(in <-chan event, out chan<- burst) {
	defer close(out)
	var b burst
	var first, last time.Time // of the burst; of all
	var isolated bool
	var ready chan<- burst // out, while b is due
	timer := time.NewTimer(time.Hour)
	timer.Stop()
	for {
		select {
		case e, open := <-in:
			if !open {
				return
			}
			now := time.Now()
			if b.empty() {
				first, isolated = now, now.Sub(last) >= calm
			}
			last = now
			b.add(e)
			if b.all || len(b.names) > few {
				isolated = false
			}
			pause := calm
			if isolated {
				pause = brief
			}
			timer.Reset(min(pause, limit-now.Sub(first)))
			ready = nil
		case <-timer.C:
			ready = out
		case ready <- b:
			b, ready = burst{}, nil
		}
	}
}
