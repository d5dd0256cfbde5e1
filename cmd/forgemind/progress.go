package main

import (
	"github.com/schollz/progressbar/v3"
)

// A progress is a bar on standard error for work that takes a while. It shows nothing for little
// work, or without a terminal.
type progress struct {
	p   *program
	bar *progressbar.ProgressBar
}

func (p *program) progress() *progress { return &progress{p: p} }

// at shows the number of completed units. It must not be called concurrently.
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

// end removes the bar.
func (b *progress) end() {
	if b.bar != nil {
		b.bar.Finish()
	}
}
