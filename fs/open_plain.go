package fs

import (
	"errors"
	"fmt"
	"io"
	iofs "io/fs"
	"os"
	"strings"
)

// openPlain is open through os.Root, for systems without openat2. os.Root stays inside
// the project directory but follows links inside it, so each directory on the path is
// checked first.
func (t *Tree) openPlain(name string, flag int, perm iofs.FileMode) (*os.File, error) {
	for range 100 {
		seen, err := t.checkPath(name)
		if err != nil {
			return nil, err
		}
		f, err := t.root.OpenFile(name, flag, perm.Perm())
		if err != nil {
			if isIrregular(err) || strings.Contains(err.Error(), "escapes from parent") {
				return nil, fmt.Errorf("%s: %w", name, ErrIrregular)
			}
			return nil, named(name, err)
		}
		opened, err := f.Stat()
		if err == nil && (seen == nil || os.SameFile(seen, opened)) {
			if perm&iofs.ModeSticky != 0 {
				err = f.Chmod(opened.Mode().Perm() | iofs.ModeSticky)
			}
			return f, err
		}
		f.Close() // the file was replaced meanwhile
		if err != nil {
			return nil, named(name, err)
		}
	}
	return nil, fmt.Errorf("%s: %w: it changes faster than it can be opened", name, ErrIrregular)
}

// checkPath checks name and its parent directories for links. It returns the FileInfo of
// name, or nil if name is missing or its FileInfo is not needed.
func (t *Tree) checkPath(name string) (iofs.FileInfo, error) {
	if folderOf(name) == "" {
		return nil, nil
	}
	var last iofs.FileInfo
	for i := range len(name) + 1 {
		if i < len(name) && name[i] != '/' {
			continue
		}
		fi, err := t.root.Lstat(name[:i])
		if isNotExist(err) {
			return nil, nil
		}
		if err != nil {
			return nil, named(name, err)
		}
		if fi.Mode()&iofs.ModeSymlink != 0 {
			return nil, fmt.Errorf("%s: %w: a link", name, ErrIrregular)
		}
		last = fi
	}
	return last, nil
}

// readPlain is readAt through openPlain.
func (t *Tree) readPlain(buf []byte, name string) ([]byte, meta, error) {
	f, err := t.openPlain(name, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return buf, meta{}, err
	}
	defer f.Close()
	m, err := stat(f)
	if err == nil {
		err = errors.Join(m.plain(name), m.fits(name))
	}
	if err != nil {
		return buf, m, err
	}
	start := len(buf)
	buf = grow(buf, m.size+1)
	for {
		n, err := f.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if err == io.EOF {
			return buf, m, nil
		}
		if m.size = int64(len(buf) - start); err == nil {
			err = m.fits(name)
		}
		if err != nil {
			return buf[:start], m, named(name, err)
		}
		buf = grow(buf, 512)
	}
}

// named puts name into err in place of the path that package os reported.
func named(name string, err error) error {
	var pe *iofs.PathError
	if errors.As(err, &pe) {
		return &iofs.PathError{Op: strings.TrimSuffix(pe.Op, "at"), Path: name, Err: pe.Err}
	}
	return err
}

func isNotExist(err error) bool { return errors.Is(err, iofs.ErrNotExist) }
