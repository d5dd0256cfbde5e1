package fs

import (
	"errors"
	"fmt"
	"io"
	iofs "io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
)

// What an Outside refuses, besides ErrIrregular and ErrTooLarge.
var (
	ErrLeaves    = errors.New("a link leads out of the directory")
	ErrReadOnly  = errors.New("it is read-only")
	ErrOvertaken = errors.New("somebody changed it in this moment")
)

// An Outside is a directory whose files belong to other programs: the settings
// of an agent, in a project or at a user's home. There are no documents in it, no
// lock and no transaction. A file is read whole, and replaced whole if it is
// still what was read; nothing is ever half written, and a link that leads out of
// the directory is not followed.
type Outside struct {
	path string // with no link in it
	root *os.Root
}

// OpenOutside opens the directory dir, which must be there.
func OpenOutside(dir string) (*Outside, error) {
	abs, err := filepath.Abs(dir)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	if err != nil {
		return nil, named(dir, err)
	}
	root, err := os.OpenRoot(abs)
	if err != nil {
		return nil, named(dir, err)
	}
	return &Outside{abs, root}, nil
}

// Close gives back what OpenOutside took.
func (o *Outside) Close() error { return o.root.Close() }

// Dir is the absolute path of the directory, with no link in it.
func (o *Outside) Dir() string { return o.path }

// Path is the absolute path of name, whether or not something stands there: links
// are followed as far as they stay in the directory, else it is ErrLeaves. Two
// names with one path are one file.
func (o *Outside) Path(name string) (string, error) {
	real, err := o.real(name)
	if err != nil {
		return "", err
	}
	return filepath.Join(o.path, filepath.FromSlash(real)), nil
}

// Has says whether something stands at name, of any kind. Where the system does not
// say, that is an error.
func (o *Outside) Has(name string) (bool, error) {
	fi, err := o.lstat(name)
	return fi != nil, err
}

// lstat is what stands at name, nil for nothing. Where the system does not say, that
// is an error: something may be there.
func (o *Outside) lstat(name string) (iofs.FileInfo, error) {
	fi, err := o.root.Lstat(name)
	var errno syscall.Errno
	switch {
	case err == nil:
		return fi, nil
	case errors.As(err, &errno) && !isNotExist(err) && errno != syscall.ENOTDIR:
		return nil, named(name, err)
	}
	return nil, nil
}

// Read returns the bytes at name. A missing name is io/fs.ErrNotExist, what is no
// plain file with one link ErrIrregular, more than 8 MiB ErrTooLarge.
func (o *Outside) Read(name string) ([]byte, error) {
	real, err := o.real(name)
	if err != nil {
		return nil, err
	}
	data, _, err := o.read(name, real)
	return data, err
}

// Writable refuses what stands at name where it is read-only (ErrReadOnly).
func (o *Outside) Writable(name string) error {
	real, err := o.real(name)
	if err != nil {
		return err
	}
	fi, err := o.root.Stat(real)
	if err != nil {
		return named(name, err)
	}
	if fi.Mode()&0o200 == 0 {
		return fmt.Errorf("%s: %w", name, ErrReadOnly)
	}
	return nil
}

// real is name with no link in it.
func (o *Outside) real(name string) (string, error) {
	if !filepath.IsLocal(name) {
		return "", fmt.Errorf("%q: %w", name, ErrName)
	}
	at, rest := ".", path.Clean(name)
	for rest != "" {
		head, tail, _ := strings.Cut(rest, "/")
		next := path.Join(at, head)
		fi, err := o.root.Lstat(next)
		switch {
		case isNotExist(err):
			return path.Join(next, tail), nil
		case err != nil:
			return "", named(name, err)
		case fi.Mode()&iofs.ModeSymlink != 0:
			if next, err = o.follow(name, next); err != nil {
				return "", err
			}
		}
		at, rest = next, tail
	}
	return at, nil
}

// follow is where the link at leads, for the sake of name.
func (o *Outside) follow(name, at string) (string, error) {
	end, err := filepath.EvalSymlinks(filepath.Join(o.path, filepath.FromSlash(at)))
	if isNotExist(err) {
		return "", fmt.Errorf("%s: %w: a link to nothing", name, ErrIrregular)
	}
	if err != nil {
		return "", named(name, err)
	}
	rel, err := filepath.Rel(o.path, end)
	if err != nil || !filepath.IsLocal(rel) {
		return "", fmt.Errorf("%s: %w, to %q", name, ErrLeaves, end)
	}
	return filepath.ToSlash(rel), nil
}

// read reads the file real, which name leads to.
func (o *Outside) read(name, real string) ([]byte, meta, error) {
	f, err := o.root.OpenFile(real, os.O_RDONLY|nonblock, 0)
	if err != nil {
		if isIrregular(err) {
			return nil, meta{}, fmt.Errorf("%s: %w", name, ErrIrregular)
		}
		return nil, meta{}, named(name, err)
	}
	defer f.Close()
	m, err := stat(f)
	if err == nil {
		err = m.plain(name)
	}
	if err != nil {
		return nil, m, err
	}
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, m, named(name, err)
	}
	if len(data) > maxFile {
		return nil, m, fmt.Errorf("%s: %w: more than %d bytes", name, ErrTooLarge, maxFile)
	}
	return data, m, nil
}
