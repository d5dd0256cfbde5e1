package fs

import (
	"errors"
	"path"
)

// take moves w.name to trash/, or removes a file of our own. The error is errChanged if
// the content is not the expected one; the file is then still there unless it vanished.
func (h *lockedWriter) take(w write) error {
	if IsLocal(w.name) {
		return h.tree.root.Remove(w.name)
	}
	from, err := h.dir(path.Dir(w.name))
	if err != nil {
		return err
	}
	to, err := h.dir(LocalName(folderOf(w.name), trashDir))
	if err != nil {
		return err
	}
	if err := h.unchanged(w); err != nil {
		return err
	}
	h.tree.step("compared", w.name)
	file := h.tree.stamp() + "-" + randomID() + "-" + flattenName(w.name)
	base := path.Base(w.name)
	out := to
	err = h.tree.move(from, base, to, file, replacing)
	if isCrossDevice(err) {
		out, file = from, ".forgemind-"+randomID()+"~"
		err = h.tree.move(from, base, out, file, replacing)
	}
	if isNotExist(err) {
		return errChanged
	}
	if err != nil {
		return err
	}
	where := out.name + "/" + file
	v, err := h.tree.version(where)
	if err != nil || !same(v, w.over) {
		// A save came between: the file goes back, unless another one exists there.
		if back := h.tree.move(out, file, from, base, creating); back != nil {
			h.incident(w.name, where, "a save was taken away together with what it replaced")
		}
		if err == nil {
			err = errChanged
		}
		return err
	}
	if out != to { // trash/ is on another filesystem
		if err := h.tree.stageFile(to, h.tree.stamp()+"-"+randomID()+"-"+flattenName(w.name), v.data, v.mode); err != nil {
			return errors.Join(err, h.tree.move(out, file, from, base, creating))
		}
		if err := h.tree.root.Remove(where); err != nil {
			return named(where, err)
		}
	}
	return syncDir(to.File)
}
