package engine

import (
	"errors"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/knobs"
	"github.com/forgemind/forgemind/schema"
)

// A request describes the work of a transaction.
type request struct {
	event  Event
	change func(*WorkingSet) error // nil for a watcher's look, which changes nothing itself
	after  func(*WorkingSet) error // runs after everything that fired; may be nil
}

// A loadResult is the input of a transaction. No later stage changes it.
type loadResult struct {
	tree         *Tree
	tx           *fs.Tx
	at           time.Time     // UTC; the only time in the whole transaction
	looks        bool          // the transaction is a watcher's look
	stored       schema.Config // the configuration; the working set has its own copy
	unconfigured error         // why the configuration could not be read; see errConfig
	knobs        knobs.Set
	home         string        // see Home
	former       triggerMemory // the values that the former transaction stored
	replaced     []byte        // the bytes that restored ones replace; see putBack
	warnings     []string      // faults in the settings
}

// load reads the settings and the memory of a tree. Bytes to restore are staged first,
// because they may be settings.
func load(t *Tree, tx *fs.Tx, req request) (l loadResult, err error) {
	l = loadResult{tree: t, tx: tx, at: t.edge.Now().UTC(), looks: req.change == nil}
	if l.replaced, err = putBack(tx, req.event.PutBack); err != nil {
		return l, err
	}
	switch l.stored, err = readConfig(tx); {
	case errors.Is(err, errConfig):
		l.unconfigured = err
		l.warnings = append(l.warnings, err.Error())
	case err != nil:
		return l, err
	}
	var warnings []string
	if l.knobs, warnings, err = readKnobs(tx, l.stored); err != nil {
		return l, err
	}
	l.warnings = append(l.warnings, warnings...)
	if l.home, err = Home(tx); err != nil {
		return l, err
	}
	if l.former, err = readMemory(tx); err != nil {
		return l, err
	}
	if err := readable(tx, fs.State); err != nil {
		return l, err
	}
	return l, t.checkVersion(tx)
}
