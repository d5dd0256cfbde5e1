package main

import (
	"time"

	"github.com/schollz/progressbar/v3"
)

// busy shows on a terminal, after a moment, that work without a known end is in progress. The
// caller calls stop when it is done.
func (p *program) busy(what string) (stop func()) {
	if !isTerminal(p.Stderr) {
		return func() {}
	}
	const moment = 300 * time.Millisecond
	ended, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		select {
		case <-ended:
			return
		case <-time.After(moment):
		}
		bar := progressbar.NewOptions(-1,
			progressbar.OptionSetWriter(p.Stderr),
			progressbar.OptionSetDescription(what),
			progressbar.OptionSpinnerType(14),
			progressbar.OptionClearOnFinish(),
		)
		defer bar.Finish()
		for tick := time.NewTicker(moment / 3); ; {
			select {
			case <-ended:
				tick.Stop()
				return
			case <-tick.C:
				bar.Add(1)
			}
		}
	}()
	return func() {
		close(ended)
		<-gone
	}
}
