package engine

import (
	"bytes"
	"context"
	"fmt"
	iofs "io/fs"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/validate"
)

// FormerBytes are bytes of a document that are put back.
type FormerBytes struct {
	Name string
	Data []byte
}

// RestoreAttic restores the bytes of a document. The present bytes go to the attic
// first. If the document is a view, the restored bytes are read as an edit of the
// present ones: values are restored, but items that were added since are not closed.
func (t *Tree) RestoreAttic(ctx context.Context, what FormerBytes) (Outcome, error) {
	return t.Do(ctx, Event{PutBack: &what}, func(*fs.Tx) error { return nil })
}

// isPutBack reports whether the transaction puts bytes of name back.
func (r *WorkingSet) isPutBack(name string) bool {
	return r.event.PutBack != nil && r.event.PutBack.Name == name
}

// putBack stages the bytes to restore, and returns those that they replace.
func putBack(tx *fs.Tx, what *FormerBytes) (replaced []byte, err error) {
	if what == nil {
		return nil, nil
	}
	replaced, err = readIfExists(tx, what.Name)
	if err != nil || replaced != nil && bytes.Equal(replaced, what.Data) {
		return nil, err
	}
	if replaced != nil {
		tx.Keep(what.Name, replaced, "'forgemind attic restore' put other bytes in its place")
	}
	tx.Write(what.Name, what.Data)
	return replaced, nil
}

// findView returns what src, the text of the view called name, means; see views.Find.
// Restored bytes are an edit of those that they replace.
func (r *WorkingSet) findView(name string, src []byte) (views.Found, bool) {
	if r.isPutBack(name) && r.replaced != nil && !validate.Unreadable(name, r.replaced) {
		return views.Found{Document: views.Document{Name: name, Before: r.replaced, After: src}, Edited: true}, true
	}
	return views.Find(r.tx, r.tree.Tree, name, src)
}

// CopyOut writes data to a new file of the project, outside of the two folders. The
// error is io/fs.ErrExist if the file exists.
func (t *Tree) CopyOut(name string, data []byte) error {
	out, err := fs.OpenOutside(t.Root())
	if err != nil {
		return err
	}
	defer out.Close()
	if there, err := out.Has(name); err != nil || there {
		if there {
			err = fmt.Errorf("%s: %w", name, iofs.ErrExist)
		}
		return err
	}
	if t.DryRun {
		return nil
	}
	_, err = out.Replace(name, nil, data, 0o600)
	return err
}
