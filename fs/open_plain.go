package fs

import (
	"errors"
	"fmt"
	"io"
	iofs "io/fs"
	"os"
	"strings"
)

// openPlain is open by way of os.Root, for systems without openat2. os.Root
// keeps us inside the project directory but follows links inside it, so that
// every step of the way is looked at first.
func (t *Tree) openPlain(name string, flag int, perm iofs.FileMode) (*os.File, error) {
	var last iofs.FileInfo
	if folderOf(name) != "" {
		for i := range len(name) + 1 {
			if i < len(name) && name[i] != '/' {
				continue
			}
			fi, err := t.root.Lstat(name[:i])
			if errors.Is(err, iofs.ErrNotExist) {
				break
			}
			if err != nil {
				return nil, named(name, err)
			}
			if fi.Mode()&iofs.ModeSymlink != 0 {
				return nil, fmt.Errorf("%s: %w: a link", name, ErrIrregular)
			}
			last = fi
			if i < len(name) {
				last = nil
			}
		}
	}
	f, err := t.root.OpenFile(name, flag, perm.Perm())
	if err != nil {
		if strings.Contains(err.Error(), "escapes from parent") {
			return nil, fmt.Errorf("%s: %w: a link", name, ErrIrregular)
		}
		return nil, named(name, err)
	}
	if perm&iofs.ModeSticky != 0 {
		if fi, err := f.Stat(); err == nil {
			f.Chmod(fi.Mode().Perm() | iofs.ModeSticky)
		}
	}
	if last != nil {
		fi, err := f.Stat()
		if err != nil || !os.SameFile(fi, last) {
			f.Close()
			return nil, fmt.Errorf("%s: %w: it changed while it was opened", name, ErrIrregular)
		}
	}
	return f, nil
}

// readPlain is readAt by way of openPlain.
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

// named puts name into err once, in place of the path that os gave it.
func named(name string, err error) error {
	var pe *iofs.PathError
	if errors.As(err, &pe) {
		return &iofs.PathError{Op: strings.TrimSuffix(pe.Op, "at"), Path: name, Err: pe.Err}
	}
	return err
}

func isNotExist(err error) bool { return errors.Is(err, iofs.ErrNotExist) }
