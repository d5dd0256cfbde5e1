package engine

import (
	"context"
	"fmt"

	"github.com/forgemind/forgemind/internal/cold"
)

// Expire moves what cold storage has kept for its time to the trash. What cannot be
// looked at stays, and is among the faults.
func (t *Tree) Expire(ctx context.Context) (gone []cold.Expired, faults []cold.Fault, out Outcome, err error) {
	out, err = t.do(ctx, func(r *round) (err error) {
		gone, faults, err = cold.Expire(r.tx, r.tree.Tree, r.at)
		return err
	})
	return gone, faults, out, err
}

// expire is Expire in passing, when something else comes into cold storage.
func (r *round) expire() error {
	gone, faults, err := cold.Expire(r.tx, r.tree.Tree, r.at)
	for _, f := range faults {
		r.tell(fmt.Sprintf("%s cannot be looked at, and stays: %v", f.Name, f.Err))
	}
	if n := len(gone); n > 0 {
		r.tell(fmt.Sprintf("%d files of cold storage are past RECOVERABLE_FOR_DAYS and went to .local/trash, where they stay", n))
	}
	return err
}
