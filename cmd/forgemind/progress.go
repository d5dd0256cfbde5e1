package main

import (
	"github.com/schollz/progressbar/v3"
)

// A progress is a bar on standard error for work that takes a while. Where
// that is no terminal, or the work is small, it shows nothing.
type progress struct {
	p   *program
	bar *progressbar.ProgressBar
}

func (p *program) progress() *progress { return &progress{p: p} }

// at shows how many are done. It is for one goroutine at a time.
func (b *progress) at(done, total int) {
	const worthIt = 1000
	if total < worthIt || !isTerminal(b.p.Stderr) {
		return
	}
	if b.bar == nil {
		b.bar = progressbar.NewOptions(total,
			progressbar.OptionSetWriter(b.p.Stderr),
			progressbar.OptionShowCount(),
			progressbar.OptionClearOnFinish(),
		)
	}
	b.bar.Set(done)
}

// end takes the bar away.
func (b *progress) end() {
	if b.bar != nil {
		b.bar.Finish()
	}
}
