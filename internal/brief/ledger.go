package brief

import (
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/schema"
)

// A ledgerRead holds what the Ledger held when its folders had been changed at those times.
type ledgerRead struct {
	all      []schema.Decision
	proposed []schema.Decision
	faults   []records.Fault
	changed  [2]time.Time
}

// read reads the Ledger, unless its folders are as they were.
func (l *ledgerRead) read(r fs.Reader) {
	changed, known := foldersChanged(r)
	if known && changed == l.changed {
		return
	}
	*l = ledgerRead{}
	if l.all, l.proposed, l.faults = records.Decisions(r); known {
		l.changed = changed
	}
}

// foldersChanged returns when a file of the Ledger was last added or removed, in each home. It
// returns false where that does not tell one change from the next: clocks of file systems tick
// in up to two seconds.
func foldersChanged(r fs.Reader) (changed [2]time.Time, known bool) {
	tree, ok := r.(*fs.Tree)
	if !ok {
		return changed, false
	}
	for i, home := range []string{fs.Forgemind, fs.Quaid} {
		folder, err := tree.Look(home + "/" + fs.DecisionsDir)
		if err != nil {
			continue // what cannot be read has no files
		}
		changed[i] = folder.ModTime()
		if known = true; tree.Now().Sub(changed[i]) < 2*time.Second {
			return changed, false
		}
	}
	return changed, known
}
