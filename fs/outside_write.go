package fs

import (
	"bytes"
	"errors"
	"fmt"
	iofs "io/fs"
	"os"
	"path"
	"strconv"
	"strings"
)

// Replace makes data the bytes at name, if old still stands there; old is nil where
// nothing may. The permissions of the file stay, a new one has perm. made are the
// directories, outermost first, that it made on the way.
func (o *Outside) Replace(name string, old, data []byte, perm iofs.FileMode) (made []string, err error) {
	real, err := o.real(name)
	if err != nil {
		return nil, err
	}
	m, err := o.expect(name, real, old)
	if err != nil {
		return nil, err
	}
	if made, err = o.makeDirs(path.Dir(real)); err == nil {
		err = o.put(name, real, old, data, m, perm)
	}
	if err != nil {
		for i := len(made) - 1; i >= 0; i-- {
			o.root.Remove(made[i])
		}
		return nil, err
	}
	return made, nil
}

// Remove takes the file at name away, if old still stands there.
func (o *Outside) Remove(name string, old []byte) error {
	real, err := o.removable(name, old)
	if err != nil {
		return err
	}
	if err := o.root.Remove(real); err != nil {
		return named(name, err)
	}
	o.Sweep(path.Dir(real))
	return o.sync(path.Dir(real))
}

// Removable returns the error with which Remove would refuse the file name, which must be old.
func (o *Outside) Removable(name string, old []byte) error {
	_, err := o.removable(name, old)
	return err
}

// removable returns name with no link in it.
func (o *Outside) removable(name string, old []byte) (real string, err error) {
	real, err = o.real(name)
	if err == nil && real != path.Clean(name) {
		if fi, e := o.root.Lstat(name); e == nil && fi.Mode()&iofs.ModeSymlink != 0 {
			err = fmt.Errorf("%s: %w: a link", name, ErrIrregular)
		}
	}
	if err == nil {
		_, err = o.expect(name, real, old)
	}
	return real, err
}

// RemoveDir takes the directory name away where it is empty; where it is not, or
// is not there, it does nothing. Where the system does not say, that is an error.
func (o *Outside) RemoveDir(name string) error {
	fi, err := o.lstat(name)
	if fi == nil || !fi.IsDir() {
		return err
	}
	o.Sweep(name)
	err = o.root.Remove(name)
	if err == nil || isNotExist(err) || o.holdsMore(name) {
		return nil // the system refuses one that is not empty
	}
	return named(name, err)
}

// holdsMore says whether it is seen that something stands in the directory name.
func (o *Outside) holdsMore(name string) bool {
	d, err := o.root.Open(name)
	if err != nil {
		return false
	}
	defer d.Close()
	found, err := d.Readdirnames(1)
	return err == nil && len(found) > 0
}

// expect reads real again: it must be old, nil for nothing, and not read-only.
func (o *Outside) expect(name, real string, old []byte) (meta, error) {
	now, m, err := o.read(name, real)
	switch {
	case isNotExist(err) && old == nil:
		return m, nil
	case err != nil && !isNotExist(err):
		return m, err
	case err != nil, old == nil, !bytes.Equal(now, old):
		return m, fmt.Errorf("%s: %w", name, ErrOvertaken)
	case m.mode&0o200 == 0:
		return m, fmt.Errorf("%s: %w", name, ErrReadOnly)
	}
	return m, nil
}

// makeDirs makes the directory name and those on the way to it.
func (o *Outside) makeDirs(name string) (made []string, err error) {
	if name == "." {
		return nil, nil
	}
	if made, err = o.makeDirs(path.Dir(name)); err != nil {
		return made, err
	}
	err = o.root.Mkdir(name, 0o755)
	switch {
	case err == nil:
		made = append(made, name)
	case errors.Is(err, iofs.ErrExist):
		err = nil
	default:
		err = named(name, err)
	}
	return made, err
}

// put writes a file beside real and gives it that name.
func (o *Outside) put(name, real string, old, data []byte, m meta, perm iofs.FileMode) error {
	exists := old != nil
	o.Sweep(path.Dir(real))
	temp := path.Join(path.Dir(real), fmt.Sprintf("%s%d-%s~", tempPrefix, os.Getpid(), randomID()))
	if exists {
		perm = 0o600 // until it has the permissions of what it replaces
	}
	f, err := o.root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return named(name, err)
	}
	_, err = f.Write(data)
	if err == nil && exists {
		err = f.Chmod(m.mode.Perm())
	}
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil && exists {
		if _, err = o.expect(name, real, old); err == nil {
			err = o.root.Rename(temp, real)
		}
	} else if err == nil {
		err = o.publish(name, temp, real)
	}
	if err != nil {
		o.root.Remove(temp)
		return named(name, err)
	}
	return o.sync(path.Dir(real))
}

// tempPrefix begins the name of a file that is being written, by the process whose
// number follows.
const tempPrefix = ".forgemind-"

// Sweep takes away what processes that were killed were writing in a directory.
func (o *Outside) Sweep(dir string) {
	d, err := o.root.Open(dir)
	if err != nil {
		return
	}
	defer d.Close()
	names, _ := d.Readdirnames(-1)
	for _, name := range names {
		rest, ours := strings.CutPrefix(name, tempPrefix)
		number, id, numbered := strings.Cut(strings.TrimSuffix(rest, "~"), "-")
		pid, err := strconv.Atoi(number)
		if ours && numbered && err == nil && strings.HasSuffix(rest, "~") && len(id) == 16 && ended(pid) {
			o.root.Remove(path.Join(dir, name))
		}
	}
}

// publish gives temp, which lies beside it, the name real, which must be free. It
// never has two names: who reads it in this moment would refuse it.
func (o *Outside) publish(name, temp, real string) error {
	d, err := o.root.Open(path.Dir(real))
	if err != nil {
		return err
	}
	defer d.Close()
	at := &dir{d, path.Dir(real)}
	err = (&Tree{root: o.root}).move(at, path.Base(temp), at, path.Base(real), creating)
	switch {
	case errors.Is(err, iofs.ErrExist):
		return fmt.Errorf("%s: %w", name, ErrOvertaken)
	case errors.Is(err, errNoSuchMove): // a filesystem on which a name can only be taken over
		return o.root.Rename(temp, real)
	}
	return err
}

// sync makes the names in a directory durable.
func (o *Outside) sync(dir string) error {
	d, err := o.root.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(syncDir(d), d.Close())
}
