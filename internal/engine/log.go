package engine

import (
	"fmt"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/health"
)

// log adds a line to one of the logs, unless a knob switches that log off. A log
// that cannot be written keeps nothing from being done: people are told.
func (r *round) log(file string, line any) error {
	if !r.logs(file) {
		return nil
	}
	if err := health.Log(r.tx, r.home, file, line, r.at); err != nil {
		r.tell(fmt.Sprintf("the log is not written: %v", err))
	}
	return nil
}

// logs says whether a log is switched on.
func (r *round) logs(file string) bool {
	switch file {
	case fs.CompactionLog:
		return r.knobs.LogCompaction
	case fs.CurationLog:
		return r.knobs.LogCuration
	case fs.DropLog:
		return r.knobs.LogDrops
	case fs.RecoveryLog:
		return r.knobs.LogRecovery
	}
	return true
}

// logHealth adds a line to the log of health: how full the window is now.
func (r *round) logHealth() error {
	window, err := health.WindowOf(r.tx, r.conversationNow(), r.at)
	if err != nil {
		return err
	}
	line, ok := window.Line(r.at, health.ColdChunks(r.tree.Tree, r.tx.Staged()))
	if !ok {
		return nil
	}
	return r.log(fs.HealthLog, line)
}
