package engine

import "github.com/forgemind/forgemind/schema"

// render updates the views, the session and the pages after the triggers ran, and
// records the values that the triggers acted on. after is called when everything that
// fired is done.
func render(f fireResult, after func(*WorkingSet) error) error {
	r := f.set
	if err := r.renderDiscussions(); err != nil {
		return err
	}
	if err := r.renewContexts(); err != nil {
		return err
	}
	if err := r.keepSession(); err != nil { // what fired may have changed the session
		return err
	}
	if err := r.fireQueue(f.layer); err != nil {
		return err
	}
	if err := r.tellSize(); err != nil {
		return err
	}
	if after != nil {
		if err := after(r); err != nil {
			return err
		}
	}
	if err := r.renewNotes(); err != nil {
		return err
	}
	if err := r.closeViews(); err != nil {
		return err
	}
	if now := r.values(); now != nil {
		r.memory.Mark = r.mark()
		r.memory.markBeginning(f.before, *now)
	}
	if err := r.keepKnown(); err != nil {
		return err
	}
	if err := r.keepForeign(); err != nil {
		return err
	}
	return r.memory.save(r.tx)
}

// finish completes the result of a working set.
func (r *WorkingSet) finish() result {
	r.tellMasked()
	_, r.out.Version = hotVersion(r.tx)
	r.out.Local = r.config.Records() && r.config.Views != schema.TrackedViews
	return r.result
}
