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

// stageFile writes a file that is complete and durable when it returns. A
// failed sync is never tried again on the same file: what it covers is unknown.
func (t *Tree) stageFile(d *dir, file string, data []byte, mode iofs.FileMode) error {
	for try := 0; ; try++ {
		err, unsynced := t.writeStaged(d, file, data, mode)
		if err == nil {
			return nil
		}
		t.root.Remove(d.name + "/" + file)
		if !unsynced || try > 0 {
			return fmt.Errorf("stage %s: %w", d.name+"/"+file, err)
		}
	}
}

// writeStaged is one try of stageFile. It reports whether an error is one of making the
// file durable.
func (t *Tree) writeStaged(d *dir, file string, data []byte, mode iofs.FileMode) (err error, unsynced bool) {
	perm := iofs.FileMode(0o644)
	if canMarkUnfinished {
		perm |= iofs.ModeSticky
	}
	f, err := t.open(d.name+"/"+file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err, false
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err := f.Write(data); err != nil {
		return err, false
	}
	if mode == 0 { // a new file: what the umask left
		m, err := stat(f)
		if err != nil {
			return err, false
		}
		mode = m.mode.Perm()
	}
	if err := f.Chmod(mode); err != nil {
		return err, false
	}
	err = f.Sync()
	return err, err != nil
}

// A staged file's name tells a later process what it is: whether its bytes are
// those that were to be published, or those that stood in their place.
func stagedName(name string, over, data string) string {
	return randomID() + "-" + over + "-" + data + "-" + flat(name)
}

// ownName is the staged name of a file that never has bytes of others in it,
// because it is not exchanged with anything: whoever clears stage/ drops it.
func ownName(name string, data []byte) string {
	local := LocalName(folderOf(name), path.Base(name))
	return stagedName(local, version{}.sum(), version{exists: true, data: data}.sum())
}

// clearStage clears away what a killed process left in stage/. What is not our
// own goes to displaced/ or recovered/.
func (h *turn) clearStage(folder string) error {
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
		if len(parts) != 4 || len(parts[2]) != 16 || folderOf(unflat(parts[3])) != folder {
			h.trash(d, file) // none of ours
			continue
		}
		h.forget(unflat(parts[3]))
		if err := h.retire(d, file, unflat(parts[3]), parts[1], parts[2]); err != nil {
			return err
		}
	}
	return nil
}

// stageYouth is how old a derived file in stage/ must be for nobody to be writing
// it any more.
const stageYouth = time.Minute

// sweepStage clears away derived files that readers had begun, which have no
// lock, and were killed before they had put them into their places.
func (h *turn) sweepStage(folder string, now time.Time) {
	home := LocalName(folder, stageDir)
	d, err := h.tree.openDir(home)
	if err != nil {
		return
	}
	defer d.Close()
	files, _ := d.Readdirnames(-1)
	for _, file := range files {
		parts := strings.SplitN(file, "-", 4)
		if len(parts) != 4 || !IsLocal(unflat(parts[3])) {
			continue
		}
		info, err := h.tree.root.Lstat(home + "/" + file)
		if err == nil && info.Mode().IsRegular() && now.Sub(info.ModTime()) > stageYouth {
			h.tree.root.Remove(home + "/" + file)
		}
	}
}

// retire puts away a file that was found where files are staged. over and data
// are the sums of what stood at name before and of what was to stand there.
func (h *turn) retire(d *dir, file, name, over, data string) error {
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
	if fi.Mode()&iofs.ModeSticky != 0 || fi.Size() == 0 { // never finished, or nothing
		return h.discard(where, name)
	}
	now := time.Now()
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
	h.displaced = append(h.displaced, displacement{d, file, name, v, now})
	h.ring()
	return nil
}

// discard removes a staged file of our own. That of a Jot may go to its place
// just then, or be open: it is nobody's failure, and looked for again.
func (h *turn) discard(where, name string) error {
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

// trash moves a file that is nobody's where it is out of the way.
func (h *turn) trash(d *dir, file string) {
	folder := folderOf(d.name)
	to, err := h.dir(LocalName(folder, trashDir))
	if err == nil {
		h.tree.move(d, file, to, h.tree.stamp()+"-"+randomID()+"-"+flat(path.Base(file)), replacing)
	}
}
