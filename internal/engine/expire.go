package engine

import (
	"context"
	"fmt"

	"github.com/forgemind/forgemind/internal/cold"
)

// Expire moves the expired files of cold storage to the trash. Files that cannot be
// read stay, and are among the faults.
func (t *Tree) Expire(ctx context.Context) (gone []cold.Expired, faults []cold.Fault, out Outcome, err error) {
	out, err = t.do(ctx, func(r *WorkingSet) (err error) {
		gone, faults, err = cold.Expire(r.tx, r.tree.Tree, r.at)
		return err
	})
	return gone, faults, out, err
}

// expire is Expire as part of a transaction that adds to cold storage.
func (r *WorkingSet) expire() error {
	gone, faults, err := cold.Expire(r.tx, r.tree.Tree, r.at)
	for _, f := range faults {
		r.addNote(fmt.Sprintf("%s cannot be read, and stays: %v", f.Name, f.Err))
	}
	if n := len(gone); n > 0 {
		r.addNote(fmt.Sprintf("%d files of cold storage are past RECOVERABLE_FOR_DAYS and were moved to .local/trash", n))
	}
	return err
}
