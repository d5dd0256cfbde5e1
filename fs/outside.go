package fs

import (
	"errors"
	"fmt"
	"io"
	iofs "io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// Errors of an Outside, besides ErrIrregular and ErrTooLarge.
var (
	ErrLeaves    = errors.New("a link leads out of the directory")
	ErrReadOnly  = errors.New("it is read-only")
	ErrOvertaken = errors.New("somebody changed it in this moment")
)

// An Outside is a directory whose files belong to other programs, such as the settings
// of an agent in a project or in the user's home. It has no documents, no lock and no
// transactions. Files are read as a whole, and replaced as a whole if they did not
// change since they were read. No file is ever half written. Links that lead out of the
// directory are not followed.
type Outside struct {
	path string // the path without links
	root *os.Root
}

// OpenOutside opens the directory dir, which must exist.
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

// Close closes the directory.
func (o *Outside) Close() error { return o.root.Close() }

// Dir returns the absolute path of the directory, without links.
func (o *Outside) Dir() string { return o.path }

// Path returns the absolute path of name, whether or not a file exists there. It
// follows links inside the directory; the error is ErrLeaves if a link leads out of it.
// Two names with the same path are the same file.
func (o *Outside) Path(name string) (string, error) {
	real, err := o.real(name)
	if err != nil {
		return "", err
	}
	return filepath.Join(o.path, filepath.FromSlash(real)), nil
}

// Has reports whether a file of any kind exists at name. It returns an error if the
// system does not tell.
func (o *Outside) Has(name string) (bool, error) {
	fi, err := o.lstat(name)
	return fi != nil, err
}

// lstat returns the FileInfo of name, nil if it does not exist. It returns an error if
// the system does not tell, because a file may exist.
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

// Read returns the bytes at name. The error is io/fs.ErrNotExist for a missing name,
// ErrIrregular if it is not a regular file with one link, and ErrTooLarge for more than
// 8 MiB.
func (o *Outside) Read(name string) ([]byte, error) {
	real, err := o.real(name)
	if err != nil {
		return nil, err
	}
	data, _, err := o.read(name, real)
	return data, err
}

// Writable returns ErrReadOnly if the file at name is read-only.
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

// Names returns the names of what is in the directory dir, sorted; none if it does not
// exist.
func (o *Outside) Names(dir string) ([]string, error) {
	real, err := o.real(dir)
	if err != nil {
		return nil, err
	}
	d, err := o.root.Open(real)
	if isNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, named(dir, err)
	}
	defer d.Close()
	names, err := d.Readdirnames(-1)
	if err != nil {
		return nil, named(dir, err)
	}
	slices.Sort(names)
	return names, nil
}

// KeptBy returns the name of the program that owns the files where a path leads, "" if
// none is known. Files of the user's are never there, but a link in a stranger's project
// may lead there.
func KeptBy(path string) string {
	for part := range strings.SplitSeq(filepath.ToSlash(path), "/") {
		switch strings.ToLower(part) {
		case ".git":
			return "git"
		case Forgemind, Quaid:
			return "forgemind"
		}
	}
	return ""
}

// real returns name without links.
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

// follow returns the target of the link at, which is on the path of name.
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

// read reads the file real, the target of name.
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
