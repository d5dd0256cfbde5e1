package watch

import "time"

const (
	calm  = 20 * time.Millisecond  // the quiet time that ends a burst
	limit = 250 * time.Millisecond // the longest time until a burst is sent
	brief = 4 * time.Millisecond   // the quiet time that ends an isolated save
	few   = 8                      // the most names of an isolated save
)

// An event is a notification for name. It does not say what happened; a check of the
// file finds out. If all is set, anything may have changed.
type event struct {
	name string
	all  bool
}

// A burst is the events between two quiet times.
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

// settle collects events and sends them as bursts once they are quiet. A few names
// after a quiet time are an isolated save, which is sent almost at once. When in is
// closed, it closes out and returns.
func settle(in <-chan event, out chan<- burst) {
	defer close(out)
	var b burst
	var first, last time.Time // of the burst; of all events
	var isolated bool
	var ready chan<- burst // out, while b is to be sent
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
