package engine

import (
	"context"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/validate"
)

// Do runs edit under the lock, runs the triggers that the change and the event fire,
// and publishes all of it or nothing. edit may be nil and may run several times.
func (t *Tree) Do(ctx context.Context, ev Event, edit func(*fs.Tx) error) (Outcome, error) {
	req := request{event: ev}
	if edit != nil {
		req.change = func(r *WorkingSet) error { return edit(r.tx) }
	}
	return t.transact(ctx, req)
}

// ChangeState is Do with an edit of the State. The error is io/fs.ErrNotExist if the
// tree has no State.
func (t *Tree) ChangeState(ctx context.Context, change func(src []byte) ([]byte, error)) (Outcome, error) {
	return t.Do(ctx, Event{}, func(tx *fs.Tx) error { return edit(tx, fs.State, change) })
}

// do is transact for a change without an event.
func (t *Tree) do(ctx context.Context, change func(*WorkingSet) error) (Outcome, error) {
	return t.transact(ctx, request{change: change})
}

// transact runs the stages of one transaction: load, apply, fire and render stage the
// documents, and judge validates them. Then they are written, all or nothing, and
// publish does what follows.
func (t *Tree) transact(ctx context.Context, req request) (Outcome, error) {
	var done result
	changes, err := t.Transaction(ctx, func(tx *fs.Tx) (err error) {
		done, err = stage(t, tx, req)
		return err
	})
	if err != nil {
		return Outcome{}, err
	}
	return t.publish(ctx, changes, done), nil
}

// stage runs the stages that stage documents.
func stage(t *Tree, tx *fs.Tx, req request) (result, error) {
	l, err := load(t, tx, req)
	if err != nil {
		return result{}, err
	}
	a, err := apply(l, req)
	if err == nil && l.unconfigured == nil { // otherwise the triggers fire once the configuration is repaired
		var f fireResult
		if f, err = fire(a); err == nil {
			err = render(f, req.after)
		}
	}
	if a.set.unsigned != nil {
		err = a.set.unsigned
	}
	return a.set.finish(), err
}

// judge refuses documents that would add an error to the tree.
func judge(before, after fs.Reader, names []string) error {
	return validate.CheckWrite(before, after, names)
}
