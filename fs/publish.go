package fs

import (
	"context"
	"errors"
	"fmt"
	iofs "io/fs"
	"path"
	"strings"
	"time"
)

// publish brings writes to disk, all or none. conflicts are saves that the
// exchange has displaced unseen. errChanged means that nothing was done.
func (h *turn) publish(ctx context.Context, writes []write) (conflicts map[string]version, err error) {
	brought := map[string]bool{} // a .gitignore that is itself to be written
	for _, w := range writes {
		brought[w.name] = true
	}
	for _, w := range writes {
		if folder := folderOf(w.name); !IsLocal(w.name) && !brought[folder+"/"+gitIgnoreFile] {
			if err := h.ignore(folder); err != nil {
				return nil, err
			}
		}
	}
	single := len(writes) == 1 && h.previous == ""
	if !single || writes[0].kind == add && strings.Count(string(writes[0].data), "\n") > 1 {
		return h.commit(ctx, writes)
	}
	switch w := writes[0]; w.kind {
	case add:
		return nil, h.appendLine(w)
	case remove:
		err := h.take(w)
		if err == nil {
			err = h.sync(w.name)
		}
		return nil, err
	default:
		return h.replace(ctx, w)
	}
}

// replace is the protocol for one file: stage, compare, exchange, look at what
// came out, sync.
func (h *turn) replace(ctx context.Context, w write) (map[string]version, error) {
	if _, err := h.dir(path.Dir(w.name)); err != nil {
		return nil, err
	}
	stage, err := h.dir(LocalName(folderOf(w.name), stageDir))
	if err != nil {
		return nil, err
	}
	data := version{exists: true, data: w.data}.sum()
	file := stagedName(w.name, w.over.sum(), data)
	if err := h.tree.stageFile(stage, file, w.data, w.mode); err != nil {
		return nil, err
	}
	if err := h.unchanged(w); err != nil {
		return nil, errors.Join(err, h.tree.root.Remove(stage.name+"/"+file))
	}
	h.tree.step("compared", w.name)
	came, err := h.land(w, stage, file)
	if err != nil {
		return nil, errors.Join(err, h.retire(stage, file, w.name, w.over.sum(), data))
	}
	conflicts := map[string]version{}
	if err := h.came(ctx, w, came, conflicts); err != nil {
		h.putBack(w)
		return nil, err
	}
	if err := h.sync(w.name); err != nil {
		return nil, err
	}
	h.remember(w, len(conflicts) == 0)
	return conflicts, nil
}

// step lets tests come between.
func (t *Tree) step(step, name string) {
	if t.pause != nil {
		t.pause(step, name)
	}
}

// unchanged compares what stands at w.name with what the edit saw.
func (h *turn) unchanged(w write) error {
	now, err := h.tree.version(w.name)
	if err == nil && !same(now, w.over) {
		err = errChanged
	}
	return err
}

// land gives the staged file its name. It says whether something came out in
// its place, which then lies where the file was staged. errChanged means that
// the name vanished or appeared, and that nothing was done.
func (h *turn) land(w write, from *dir, file string) (came bool, err error) {
	to, err := h.dir(path.Dir(w.name))
	if err != nil {
		return false, err
	}
	base := path.Base(w.name)
	how := creating
	switch {
	case IsLocal(w.name):
		how = replacing
	case w.over.exists:
		how = swapping
	}
	now := time.Now()
	err = h.tree.move(from, file, to, base, how)
	if isCrossDevice(err) {
		if from, file, err = h.beside(w, from, file, to); err != nil {
			return false, err
		}
		err = h.tree.move(from, file, to, base, how)
	}
	switch {
	case how == swapping && isNotExist(err), how == creating && errors.Is(err, iofs.ErrExist):
		return false, errChanged
	case errors.Is(err, errNoSuchMove):
		return false, h.landPlain(w, from, file, to, base)
	}
	if err == nil && how == swapping {
		h.displaced = append(h.displaced, displacement{from: from, file: file, name: w.name, seen: w.over, since: now})
	}
	return err == nil && how == swapping, err
}

// landPlain is land where only plain renames are known. The bytes that are
// replaced are copied out first; a save within that moment is lost.
func (h *turn) landPlain(w write, from *dir, file string, to *dir, base string) error {
	if err := h.unchanged(w); err != nil {
		return err
	}
	if w.over.exists {
		if err := h.keepCopy(w.name, w.over); err != nil {
			return err
		}
	}
	err := h.tree.move(from, file, to, base, replacing)
	if isCrossDevice(err) {
		if from, file, err = h.beside(w, from, file, to); err == nil {
			err = h.tree.move(from, file, to, base, replacing)
		}
	}
	return err
}

// putBack undoes the exchange that was done last. Somebody may have opened what stood
// there for a moment: it is displaced now.
func (h *turn) putBack(w write) {
	last := &h.displaced[len(h.displaced)-1]
	if h.tree.move(last.from, last.file, h.dirs[path.Dir(w.name)], path.Base(w.name), swapping) == nil {
		last.seen = version{exists: true, data: w.data}
	}
}

// beside stages once more, in the target's own directory: `.local/` is another
// filesystem.
func (h *turn) beside(w write, from *dir, file string, to *dir) (*dir, string, error) {
	name := ".forgemind-" + randomID() + "~"
	if err := h.tree.stageFile(to, name, w.data, w.mode); err != nil {
		return from, file, err
	}
	h.tree.root.Remove(from.name + "/" + file)
	return to, name, nil
}

// came looks at what an exchange brought out: bytes that the edit has not seen
// are a conflict, once the editor that writes them is done.
func (h *turn) came(ctx context.Context, w write, came bool, conflicts map[string]version) error {
	if !came {
		return nil
	}
	last := &h.displaced[len(h.displaced)-1]
	v, err := h.settled(ctx, w.name, last.from.name+"/"+last.file)
	if err == nil && !v.exists { // moved away, folder and all, under our open directories
		err = fmt.Errorf("%s is gone: %w", folderOf(w.name), iofs.ErrNotExist)
	}
	if err != nil {
		return err
	}
	h.tree.step("displaced", w.name)
	if !same(v, w.over) {
		conflicts[w.name] = v
		last.seen = v
		if w.over.exists {
			h.overtaken(w.name, v, w.over)
		}
	}
	return nil
}
