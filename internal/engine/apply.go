package engine

import "github.com/forgemind/forgemind/triggers"

// An applyResult is a working set with the change of a request and the adopted changes
// of other programs.
type applyResult struct {
	set    *WorkingSet
	before *triggers.Values // of the State before the change; nil if it has none
}

// apply reads back hand edits of views, makes the change of a request, and adopts what
// other programs wrote. The result has a working set even if there is an error.
func apply(l loadResult, req request) (applyResult, error) {
	r := newWorkingSet(l, req.event)
	done := applyResult{set: r}
	if err := r.openViews(); err != nil {
		return done, err
	}
	done.before = r.values()
	if err := r.findAppended(); err != nil {
		return done, err
	}
	if err := r.takeAppended(); err != nil {
		return done, err
	}
	if err := r.findForeign(); err != nil {
		return done, err
	}
	if req.change != nil {
		if err := req.change(r); err != nil {
			return done, err
		}
		if err := r.recountArtifacts(); err != nil {
			return done, err
		}
	}
	if err := r.renderBehind(); err != nil {
		return done, err
	}
	if err := r.condenseOthersRequests(); err != nil {
		return done, err
	}
	if err := r.adoptForeign(); err != nil {
		return done, err
	}
	if !r.settled {
		if err := r.keepSession(); err != nil {
			return done, err
		}
	}
	if len(r.tx.Staged()) > 0 { // a watcher's look alone adopts nothing
		if done.before != nil {
			if err := r.count(); err != nil {
				return done, err
			}
		}
		if err := r.adopt(); err != nil {
			return done, err
		}
	}
	r.tallied = true
	return done, nil
}
