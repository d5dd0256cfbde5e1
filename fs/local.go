package fs

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	iofs "io/fs"
	"os"
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
	// `*` first: nothing in .local/ may ever be seen by git.
	if err := t.createFile(LocalName(folder, gitIgnoreFile), []byte("*\n"), 0o600); err != nil {
		return false, err
	}
	return true, t.createFile(LocalName(folder, lockFile), nil, 0o600)
}

// createFile writes a file that is not there yet; one that is stays as it is.
func (t *Tree) createFile(name string, data []byte, perm iofs.FileMode) error {
	f, err := t.open(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if errors.Is(err, iofs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// ignore writes folder's .gitignore before the first change of a document, for
// trees that init did not make.
func (t *Tree) ignore(folder string) error {
	t.mu.Lock()
	done := t.ignored[folder]
	t.ignored[folder] = true
	t.mu.Unlock()
	if done {
		return nil
	}
	return t.createFile(folder+"/"+gitIgnoreFile, GitIgnore(folder), 0o644)
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

// flat makes one file name out of a Name, and unflat the Name again. Of a very
// long one the middle is left out.
func flat(name string) string {
	s := strings.NewReplacer("%", "%25", "/", "%2F").Replace(name)
	if n := len(s); n > 180 {
		s = s[:80] + "…" + s[n-90:]
	}
	return s
}

func unflat(s string) string {
	return strings.NewReplacer("%2F", "/", "%25", "%").Replace(s)
}

// stamp is a name that sorts by the time t.Now gives.
func (t *Tree) stamp() string {
	return fmt.Sprintf("%016x", max(0, t.Now().UnixNano()))
}
