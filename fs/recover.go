package fs

import (
	"context"
	"encoding/json"
	"errors"
	iofs "io/fs"
	"path"
)

// recover finishes the transactions below folder that a killed process had committed,
// and removes those that it had not. It can itself be killed at any moment and run
// again.
func (h *lockedWriter) recover(folder string) error {
	home := LocalName(folder, txnDir)
	d, err := h.tree.openDir(home)
	if isNotExist(err) {
		return nil
	}
	if err != nil {
		return err
	}
	ids, err := d.Readdirnames(-1)
	d.Close()
	if err != nil {
		return named(home, err)
	}
	committed := map[string]manifest{}
	superseded := map[string]bool{}
	for _, id := range ids {
		m, ok, err := h.manifest(home + "/" + id)
		if err != nil {
			return err
		}
		if ok {
			committed[id] = m
			superseded[m.Supersedes] = true
		}
	}
	for _, id := range ids {
		if m, ok := committed[id]; ok {
			if err := h.rollForward(home+"/"+id, m, !superseded[id]); err != nil {
				return err
			}
		}
		h.drop(home + "/" + id)
	}
	return nil
}

// manifest reads a transaction's COMMIT. A file that is not a manifest counts as not
// committed, and is moved to the attic.
func (h *lockedWriter) manifest(home string) (m manifest, committed bool, err error) {
	name := home + "/" + commitFile
	v, err := h.tree.version(name)
	if errors.Is(err, ErrIrregular) || errors.Is(err, ErrTooLarge) || isNotDir(err) {
		return m, false, nil
	}
	if err != nil || !v.exists {
		return m, false, err
	}
	err = json.Unmarshal(v.data, &m)
	for _, e := range m.Entries {
		if err == nil {
			err = admitWrite(e.Name)
		}
		if err == nil && (e.File == "" || path.Base(e.File) != e.File) {
			err = ErrName
		}
	}
	if err != nil {
		h.incident(name, h.aside(name, v), "a transaction's record could not be read")
		return m, false, nil
	}
	return m, true, nil
}

// rollForward writes every name of a committed transaction. If publish is false, a
// later transaction replaced it, and only the files that it displaced are put away.
func (h *lockedWriter) rollForward(home string, m manifest, publish bool) error {
	d, err := h.dir(home)
	if err != nil {
		return err
	}
	for _, e := range m.Entries {
		var err error
		h.forget(e.Name)
		switch {
		case e.Do == doing[add]:
			if publish {
				err = h.finishAppend(d, e)
			}
		case e.Do == doing[remove]:
			if publish {
				err = h.finishRemove(e)
			}
		default:
			err = h.finishReplace(d, e, publish)
		}
		if isNotExist(err) { // its folder was removed, so there is no place to write to
			h.incident(e.Name, "", "a transaction could not be finished there: "+err.Error())
			err = nil
		}
		if err != nil {
			return err
		}
		if publish {
			if parent, err := h.tree.openDir(path.Dir(e.Name)); err == nil {
				err = syncDir(parent.File)
				parent.Close()
				if err != nil {
					return err
				}
			}
		}
	}
	h.keepReplaced()
	return nil
}

func (h *lockedWriter) finishReplace(d *dir, e entry, publish bool) error {
	staged, err := h.tree.version(d.name + "/" + e.File)
	if err != nil {
		return err
	}
	if !staged.exists {
		return nil // the file reached its place
	}
	if staged.sum() != e.Data {
		// The file is in its place, and this is the displaced one.
		return h.discardStaged(d, e.File, e.Name, e.Over, e.Data)
	}
	if !publish {
		return nil
	}
	now, err := h.tree.version(e.Name)
	if err != nil {
		return err
	}
	switch now.sum() {
	case e.Data:
		return nil
	case e.Over:
		w := write{name: e.Name, over: now, data: staged.data, mode: iofs.FileMode(e.Mode)}
		conflicts := map[string]version{}
		if err := h.landAnyway(context.Background(), w, d, e.File, conflicts); err != nil {
			return err
		}
		for _, v := range conflicts {
			h.incident(e.Name, h.aside(e.Name, v), "a save came in while an interrupted transaction was finished")
		}
		return nil
	}
	h.incident(e.Name, h.aside(e.Name, staged), "an interrupted transaction was finished, but this file had been saved since and was left alone")
	return nil
}

func (h *lockedWriter) finishRemove(e entry) error {
	now, err := h.tree.version(e.Name)
	if err != nil || !now.exists {
		return err
	}
	if now.sum() == e.Over {
		err := h.take(write{name: e.Name, kind: remove, over: now})
		if !errors.Is(err, errChanged) {
			return err
		}
	}
	h.incident(e.Name, "", "an interrupted transaction was to remove this file, but it had been changed since and was left alone")
	return nil
}

func (h *lockedWriter) finishAppend(d *dir, e entry) error {
	staged, err := h.tree.version(d.name + "/" + e.File)
	if err != nil || !staged.exists || staged.sum() != e.Data {
		return err
	}
	return h.appendAt(e.Name, e.Offset, staged.data)
}
