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

// Replace writes data to name if its content is still old; nil means that name must not
// exist. The permissions of an existing file stay, a new file gets perm. It returns the
// directories that it created, outermost first.
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

// Remove removes the file at name if its content is still old.
func (o *Outside) Remove(name string, old []byte) error {
	real, err := o.real(name)
	if err == nil && real != path.Clean(name) {
		if fi, e := o.root.Lstat(name); e == nil && fi.Mode()&iofs.ModeSymlink != 0 {
			err = fmt.Errorf("%s: %w: a link", name, ErrIrregular)
		}
	}
	if err == nil {
		_, err = o.expect(name, real, old)
	}
	if err != nil {
		return err
	}
	if err := o.root.Remove(real); err != nil {
		return named(name, err)
	}
	o.Sweep(path.Dir(real))
	return o.sync(path.Dir(real))
}

// RemoveDir removes the directory name if it is empty. It does nothing if the directory
// is not empty or does not exist. It returns an error if the system does not tell.
func (o *Outside) RemoveDir(name string) error {
	fi, err := o.lstat(name)
	if fi == nil || !fi.IsDir() {
		return err
	}
	o.Sweep(name)
	err = o.root.Remove(name)
	if err == nil || isNotExist(err) || o.holdsMore(name) {
		return nil // the system refuses to remove a directory that is not empty
	}
	return named(name, err)
}

// holdsMore reports whether the directory name is known to contain something.
func (o *Outside) holdsMore(name string) bool {
	d, err := o.root.Open(name)
	if err != nil {
		return false
	}
	defer d.Close()
	found, err := d.Readdirnames(1)
	return err == nil && len(found) > 0
}

// expect reads real again. It must contain old, or not exist if old is nil, and must
// not be read-only.
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

// makeDirs creates the directory name and its missing parents.
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

// put writes a temporary file beside real and renames it to real.
func (o *Outside) put(name, real string, old, data []byte, m meta, perm iofs.FileMode) error {
	exists := old != nil
	o.Sweep(path.Dir(real))
	temp := path.Join(path.Dir(real), fmt.Sprintf("%s%d-%s~", tempPrefix, os.Getpid(), randomID()))
	if exists {
		perm = 0o600 // until it gets the permissions of the file that it replaces
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

// tempPrefix is the prefix of temporary file names; the number of the writing process
// follows.
const tempPrefix = ".forgemind-"

// Sweep removes the temporary files that killed processes left in a directory.
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

// publish renames temp, in the same directory, to real, which must not exist. The file
// never has two names, because a reader would refuse it at that moment.
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
	case errors.Is(err, errNoSuchMove): // this file system can only rename over an existing name
		return o.root.Rename(temp, real)
	}
	return err
}

// sync makes the entries of a directory durable.
func (o *Outside) sync(dir string) error {
	d, err := o.root.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(syncDir(d), d.Close())
}
