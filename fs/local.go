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

// makeLocal creates folder's `.local/` and its lock file, unless they exist. It returns
// false if the folder does not exist.
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
	// `*` comes first: git must never see anything in .local/. An empty file is from a
	// process that was killed.
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

// createFile creates a file unless it exists. It never removes an empty file again: it
// is a lock, and may be held.
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

// createWhole is createFile for files that would count as complete even if they were
// cut off. The file appears complete and durable, or not at all. The value of how may
// be replacing, for a file that is known to be worthless.
func (t *Tree) createWhole(name string, data []byte, mode iofs.FileMode, how moving) error {
	for try := 0; ; try++ {
		err := t.stageWhole(name, data, mode, how)
		switch {
		case errors.Is(err, iofs.ErrExist):
			return nil
		case !isNotExist(err) || try == 3: // the holder of the lock may have cleared stage/
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

// moveIn stages data as from/temp and renames it to to/name.
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

// ignore writes folder's .gitignore before the first change of a document, for trees
// that were not made by init. The file is also a change of the transaction.
func (h *lockedWriter) ignore(folder string) error {
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

// randomID returns a name that is unique in practice.
func randomID() string {
	var b [8]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// sum returns 64 bits of the SHA-256 of the content as hexadecimal digits. The sum of a
// missing file is "none".
func (v version) sum() string {
	if !v.exists {
		return "none"
	}
	s := sha256.Sum256(v.data)
	return hex.EncodeToString(s[:8])
}

// flattenName turns a Name into one file name; unflat reverses it. flat leaves out the middle
// of a very long Name.
func flattenName(name string) string {
	s := strings.NewReplacer("%", "%25", "/", "%2F").Replace(name)
	if n := len(s); n > 180 {
		s = s[:80] + "…" + s[n-90:]
	}
	return s
}

func unflattenName(s string) string {
	return strings.NewReplacer("%2F", "/", "%25", "%").Replace(s)
}

// stamp returns a file name for the time of t.Now; such names sort by time.
func (t *Tree) stamp() string {
	return fmt.Sprintf("%016x", max(0, t.Now().UnixNano()))
}
