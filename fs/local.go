package fs

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	iofs "io/fs"
	"os"
	"path"
	"strings"
)

// makeLocal makes folder's `.local/` with the lock in it, unless they stand.
// False means that there is no such folder.
func (t *Tree) makeLocal(folder string) (bool, error) {
	d, err := t.openDir(folder)
	if isNotExist(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	d.Close()
	local := LocalName(folder)
	if err := t.root.Mkdir(local, 0o700); err != nil && !errors.Is(err, iofs.ErrExist) {
		return false, named(local, err)
	}
	// `*` first: nothing in .local/ may ever be seen by git. An empty one is what
	// somebody left who was killed.
	ignore, all := LocalName(folder, gitIgnoreFile), []byte("*\n")
	fi, err := t.Look(ignore)
	switch {
	case isNotExist(err):
		err = t.createWhole(ignore, all, 0o600, creating)
	case err == nil && fi.Mode().IsRegular() && fi.Size() == 0:
		err = t.createWhole(ignore, all, 0o600, replacing)
	}
	if err != nil {
		return false, err
	}
	return true, t.createFile(LocalName(folder, lockFile), nil, 0o600)
}

// createFile writes a file that is not there yet; one that is stays as it is.
// An empty one is never taken away again: it is a lock, and may be held.
func (t *Tree) createFile(name string, data []byte, perm iofs.FileMode) error {
	f, err := t.open(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if errors.Is(err, iofs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if len(data) == 0 {
		return f.Close()
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		t.root.Remove(name)
	}
	return err
}

// createWhole is createFile for what would count as there for ever if it were
// cut off: it comes whole and durable, or not at all. how may be replacing,
// for a file that is known to be worth nothing.
func (t *Tree) createWhole(name string, data []byte, mode iofs.FileMode, how moving) error {
	for try := 0; ; try++ {
		err := t.stageWhole(name, data, mode, how)
		switch {
		case errors.Is(err, iofs.ErrExist):
			return nil
		case !isNotExist(err) || try == 3: // stage/ may be cleared by who has the lock
			return err
		}
	}
}

func (t *Tree) stageWhole(name string, data []byte, mode iofs.FileMode, how moving) error {
	stage, err := t.makeDirs(LocalName(folderOf(name), stageDir))
	if err != nil {
		return err
	}
	defer stage.Close()
	to, err := t.openDir(path.Dir(name))
	if err != nil {
		return err
	}
	defer to.Close()
	err = t.moveIn(stage, ownName(name, data), to, name, data, mode, how)
	if isCrossDevice(err) {
		err = t.moveIn(to, ".forgemind-"+randomID()+"~", to, name, data, mode, how)
	}
	return err
}

// moveIn stages data as from/temp and gives it its name.
func (t *Tree) moveIn(from *dir, temp string, to *dir, name string, data []byte, mode iofs.FileMode, how moving) error {
	if err := t.stageFile(from, temp, data, mode); err != nil {
		return err
	}
	t.step("staged", name)
	err := t.move(from, temp, to, path.Base(name), how)
	if errors.Is(err, errNoSuchMove) {
		if _, err = t.Look(name); isNotExist(err) {
			err = t.move(from, temp, to, path.Base(name), replacing)
		} else if err == nil {
			err = iofs.ErrExist
		}
	}
	if err != nil {
		t.root.Remove(from.name + "/" + temp)
	}
	return err
}

// ignore writes folder's .gitignore before the first change of a document, for
// trees that init did not make. The file is a change of the transaction, too.
func (h *turn) ignore(folder string) error {
	t := h.tree
	t.mu.Lock()
	done := t.ignored[folder]
	t.mu.Unlock()
	if done {
		return nil
	}
	name, text := folder+"/"+gitIgnoreFile, GitIgnore(folder)
	_, err := t.Look(name)
	if isNotExist(err) {
		if err = t.createWhole(name, text, 0, creating); err == nil {
			h.created = append(h.created, Change{Name: name, After: text})
		}
	}
	if err != nil {
		return err
	}
	t.mu.Lock()
	t.ignored[folder] = true
	t.mu.Unlock()
	return nil
}

// randomID is a name that nobody else picks.
func randomID() string {
	var b [8]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// sum is a short name for content: 64 bits of its SHA-256. The content of a
// missing file is "none".
func (v version) sum() string {
	if !v.exists {
		return "none"
	}
	s := sha256.Sum256(v.data)
	return hex.EncodeToString(s[:8])
}

// flat makes one file name out of a Name, and unflat the Name again. Of a very long Name a
// hash takes the place of the middle, and unflat returns it so; flat of that is the same
// file name.
func flat(name string) string {
	if s := escapeName(name); len(s) <= 180 {
		return s
	}
	sum := sha256.Sum256([]byte(name))
	head, tail := 0, len(name)
	for head < tail && len(escapeName(name[:head])) < 70 {
		head++
	}
	for head < tail && len(escapeName(name[tail:])) < 70 {
		tail--
	}
	return escapeName(strings.ToValidUTF8(name[:head], "") + "…" + hex.EncodeToString(sum[:8]) + "…" + strings.ToValidUTF8(name[tail:], ""))
}

func escapeName(name string) string {
	return strings.NewReplacer("%", "%25", "/", "%2F").Replace(name)
}

func unflat(s string) string {
	return strings.NewReplacer("%2F", "/", "%25", "%").Replace(s)
}

// stamp is a name that sorts by the time t.Now gives.
func (t *Tree) stamp() string {
	return fmt.Sprintf("%016x", max(0, t.Now().UnixNano()))
}
