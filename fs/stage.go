package fs

import (
	"errors"
	"fmt"
	iofs "io/fs"
	"os"
	"path"
	"strings"
	"time"
)

// stageFile writes a file that is complete and durable when it returns. A failed sync
// is never tried again on the same file, because it is unknown which bytes a second
// sync covers.
func (t *Tree) stageFile(d *dir, file string, data []byte, mode iofs.FileMode) error {
	for try := 0; ; try++ {
		unsynced, err := t.writeStaged(d, file, data, mode, true)
		if err == nil {
			return nil
		}
		t.root.Remove(d.name + "/" + file)
		if !unsynced || try > 0 {
			return fmt.Errorf("stage %s: %w", d.name+"/"+file, err)
		}
	}
}

// writeStaged writes a file that is complete when it returns, and durable if durable is
// set. It reports whether the error comes from making it durable.
func (t *Tree) writeStaged(d *dir, file string, data []byte, mode iofs.FileMode, durable bool) (unsynced bool, err error) {
	perm := iofs.FileMode(0o644)
	if canMarkUnfinished {
		perm |= iofs.ModeSticky
	}
	f, err := t.open(d.name+"/"+file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err := f.Write(data); err != nil {
		return false, err
	}
	if mode == 0 { // a new file keeps the mode of the umask
		m, err := stat(f)
		if err != nil {
			return false, err
		}
		mode = m.mode.Perm()
	}
	if err := f.Chmod(mode); err != nil {
		return false, err
	}
	if !durable {
		return false, nil
	}
	err = f.Sync()
	return err != nil, err
}

// stagedName returns a name that tells a later process which bytes a staged file has:
// those that were to be published, or those that were displaced.
func stagedName(name string, over, data string) string {
	return randomID() + "-" + over + "-" + data + "-" + flattenName(name)
}

// ownName returns the staged name of a file that never gets other bytes because it is
// not exchanged. clearStage deletes such files.
func ownName(name string, data []byte) string {
	local := LocalName(folderOf(name), path.Base(name))
	return stagedName(local, version{}.sum(), version{exists: true, data: data}.sum())
}

// clearStage removes the files that a killed process left in stage/. Files with bytes
// of others go to displaced/ or attic/.
func (h *lockedWriter) clearStage(folder string) error {
	home := LocalName(folder, stageDir)
	d, err := h.tree.openDir(home)
	if isNotExist(err) {
		return nil
	}
	if err != nil {
		return err
	}
	defer d.Close()
	files, err := d.Readdirnames(-1)
	if err != nil {
		return named(home, err)
	}
	for _, file := range files {
		parts := strings.SplitN(file, "-", 4)
		if len(parts) != 4 || len(parts[2]) != 16 || folderOf(unflattenName(parts[3])) != folder {
			h.trash(d, file) // not a name of ours
			continue
		}
		h.forget(unflattenName(parts[3]))
		if err := h.discardStaged(d, file, unflattenName(parts[3]), parts[1], parts[2]); err != nil {
			return err
		}
	}
	return nil
}

// stageYouth is the age after which a derived file in stage/ is no longer being
// written.
const stageYouth = time.Minute

// sweepStage removes derived files that readers, which take no lock, staged and did not
// publish because they were killed.
func (h *lockedWriter) sweepStage(folder string, now time.Time) {
	home := LocalName(folder, stageDir)
	d, err := h.tree.openDir(home)
	if err != nil {
		return
	}
	defer d.Close()
	files, _ := d.Readdirnames(-1)
	for _, file := range files {
		parts := strings.SplitN(file, "-", 4)
		if len(parts) != 4 || !IsLocal(unflattenName(parts[3])) {
			continue
		}
		info, err := h.tree.root.Lstat(home + "/" + file)
		if err == nil && info.Mode().IsRegular() && now.Sub(info.ModTime()) > stageYouth {
			h.tree.root.Remove(home + "/" + file)
		}
	}
}

// discardStaged puts away a file that was found in a staging folder. over and data are the
// sums of the content of name before and after.
func (h *lockedWriter) discardStaged(d *dir, file, name, over, data string) error {
	where := d.name + "/" + file
	f, err := h.tree.open(where, os.O_RDONLY, 0)
	if isNotExist(err) {
		return nil
	}
	if err != nil {
		h.trash(d, file)
		return nil
	}
	fi, err := f.Stat()
	f.Close()
	if err != nil {
		return err
	}
	if fi.Mode()&iofs.ModeSticky != 0 || fi.Size() == 0 { // incomplete or empty
		return h.discard(where, name)
	}
	v, err := h.tree.version(where)
	switch {
	case err != nil:
		h.trash(d, file)
		return nil
	case v.sum() == data || IsLocal(name):
		return h.discard(where, name)
	case v.sum() != over:
		h.incident(name, h.aside(name, v), "a save was displaced by a process that was killed before it could merge it")
	}
	h.displaced = append(h.displaced, displacement{d, file, name, v})
	h.keepReplaced()
	return nil
}

// discard removes a staged file of our own. WriteLocal may be publishing it just then, or it
// may be open; that is not an error, and a later sweep removes it.
func (h *lockedWriter) discard(where, name string) error {
	err := h.tree.root.Remove(where)
	switch {
	case err == nil || isNotExist(err):
		return nil
	case IsLocal(name):
		h.litter = true
		return nil
	}
	return err
}

// trash moves a file that no transaction owns to trash/.
func (h *lockedWriter) trash(d *dir, file string) {
	folder := folderOf(d.name)
	to, err := h.dir(LocalName(folder, trashDir))
	if err == nil {
		h.tree.move(d, file, to, h.tree.stamp()+"-"+randomID()+"-"+flattenName(path.Base(file)), replacing)
	}
}
