package fs

import (
	"errors"
	"fmt"
	"path"
)

// Rewrite replaces one file outside of the two folders, such as a document that the
// user keeps by itself. It replaces the file as a whole or not at all, durably, and
// keeps its mode. There is no lock for it, and nothing is kept aside. The error is
// ErrBusy if somebody saved the file meanwhile; the file then holds their save. The
// error is io/fs.ErrNotExist if the file is missing. If edit returns the same bytes,
// nothing is written.
func (t *Tree) Rewrite(name string, edit func(old []byte) ([]byte, error)) error {
	if err := checkName(name); err != nil {
		return err
	}
	old, err := t.version(name)
	if err != nil {
		return err
	}
	if !old.exists {
		return notExist(name)
	}
	data, err := edit(old.data)
	if err != nil || t.DryRun || same(old, version{exists: true, data: data}) {
		return err
	}
	d, err := t.openDir(path.Dir(name))
	if err != nil {
		return err
	}
	defer d.Close()
	temp := ".forgemind-" + randomID() + "~"
	if err := t.stageFile(d, temp, data, old.mode); err != nil {
		return err
	}
	if err := t.swapIn(d, temp, path.Base(name), name, old); err != nil {
		return errors.Join(err, t.root.Remove(path.Join(d.name, temp)))
	}
	return nil
}

// swapIn renames the staged file to its final name, unless the current content is not
// old.
func (t *Tree) swapIn(d *dir, temp, base, name string, old version) error {
	busy := fmt.Errorf("%s: %w: it was saved meanwhile", name, ErrBusy)
	if now, err := t.version(name); err != nil || !same(now, old) {
		return errors.Join(busy, err)
	}
	err := t.move(d, temp, d, base, swapping)
	if errors.Is(err, errNoSuchMove) {
		if err = t.move(d, temp, d, base, replacing); err == nil {
			err = syncDir(d.File)
		}
		return err
	}
	if err != nil {
		return err
	}
	came, err := t.version(path.Join(d.name, temp))
	if err != nil || !same(came, old) { // a save within that moment goes back to its place
		return errors.Join(busy, err, t.move(d, temp, d, base, swapping))
	}
	if err := syncDir(d.File); err != nil {
		return err
	}
	return t.root.Remove(path.Join(d.name, temp))
}
