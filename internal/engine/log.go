package engine

import (
	"fmt"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/health"
)

// log appends a line to one of the logs, unless a knob switches that log off. If a log
// cannot be written, the transaction gets a note and continues.
func (r *WorkingSet) log(file string, line any) error {
	if !r.logs(file) {
		return nil
	}
	if err := health.Log(r.tx, r.home, file, line, r.at); err != nil {
		r.addNote(fmt.Sprintf("the log is not written: %v", err))
	}
	return nil
}

// logs reports whether a log is switched on.
func (r *WorkingSet) logs(file string) bool {
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

// logHealth logs the present usage of the window.
func (r *WorkingSet) logHealth() error {
	report, err := health.Of(r.tx, r.conversationNow(), r.at)
	if err != nil {
		return err
	}
	line, ok := report.Window.Line(r.at, health.ColdChunks(r.tree.Tree, r.tx.Staged()))
	if !ok {
		return nil
	}
	return r.log(fs.HealthLog, line)
}
