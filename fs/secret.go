package fs

import (
	"crypto/rand"
	"errors"
	"fmt"
	iofs "io/fs"
	"path"
	"path/filepath"
)

// secretSize is the length of a secret in bytes.
const secretSize = 32

// Secret returns the random bytes kept at name below dir, a folder of the user's own.
// It creates them if they do not exist. A signature made with them proves that this
// user wrote the signed data, whatever a tree from elsewhere contains.
func Secret(dir, name string) ([]byte, error) {
	if !filepath.IsAbs(dir) {
		return nil, errors.New("there is no place for what only the user knows")
	}
	out, below, err := openAbove(dir, name)
	if err != nil {
		return nil, err
	}
	defer out.Close()
	secret, err := out.Read(below)
	if errors.Is(err, iofs.ErrNotExist) {
		secret = make([]byte, secretSize)
		rand.Read(secret) // never fails
		_, err = out.Replace(below, nil, secret, 0o600)
		if errors.Is(err, ErrOvertaken) { // by another forgemind process
			secret, err = out.Read(below)
		}
	}
	if err == nil && len(secret) != secretSize {
		err = fmt.Errorf("%s: it has %d bytes, not %d", name, len(secret), secretSize)
	}
	if err != nil {
		return nil, err
	}
	return secret, nil
}

// openAbove opens dir or its nearest parent that exists, and returns name relative to
// it.
func openAbove(dir, name string) (*Outside, string, error) {
	for {
		out, err := OpenOutside(dir)
		if err == nil || !errors.Is(err, iofs.ErrNotExist) || dir == filepath.Dir(dir) {
			return out, name, err
		}
		dir, name = filepath.Dir(dir), path.Join(filepath.Base(dir), name)
	}
}
