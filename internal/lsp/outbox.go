package lsp

import (
	"io"
	"sync"
	"time"
)

// maxWaiting is the number of bytes that wait to be written before a writer waits.
const maxWaiting = 64 << 20

// An outbox is a writer that writes later, in a goroutine of its own.
type outbox struct {
	mu      sync.Mutex
	changed *sync.Cond
	waiting []byte
	writing bool
	err     error
}

func newOutbox(w io.Writer) *outbox {
	o := &outbox{}
	o.changed = sync.NewCond(&o.mu)
	go o.run(w)
	return o
}

// Write implements io.Writer. The error is that of a former write.
func (o *outbox) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.waiting) > maxWaiting && o.err == nil {
		o.changed.Wait()
	}
	if o.err != nil {
		return 0, o.err
	}
	o.waiting = append(o.waiting, p...)
	o.changed.Broadcast()
	return len(p), nil
}

// Close ends the goroutine after it wrote what is waiting.
func (o *outbox) Close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil {
		o.err = io.ErrClosedPipe
	}
	o.changed.Broadcast()
	return nil
}

// run writes until an error.
func (o *outbox) run(w io.Writer) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for {
		for len(o.waiting) == 0 {
			if o.err != nil {
				return
			}
			o.changed.Wait()
		}
		p := o.waiting
		o.waiting, o.writing = nil, true
		o.changed.Broadcast()
		o.mu.Unlock()
		_, err := w.Write(p)
		o.mu.Lock()
		if o.writing = false; err != nil {
			o.err, o.waiting = err, nil
		}
		o.changed.Broadcast()
	}
}

// flush waits until all is written, or for a while.
func (o *outbox) flush(patience time.Duration) {
	until := time.Now().Add(patience)
	defer time.AfterFunc(patience, o.changed.Broadcast).Stop()
	o.mu.Lock()
	defer o.mu.Unlock()
	for (len(o.waiting) > 0 || o.writing) && time.Now().Before(until) {
		o.changed.Wait()
	}
}
