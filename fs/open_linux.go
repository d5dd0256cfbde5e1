package fs

import (
	"errors"
	"fmt"
	iofs "io/fs"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// openFD opens name relative to the project directory in one call. It never leaves the
// project directory, and follows no link below the two folders. The error is ENOSYS if
// the kernel is too old or a sandbox forbids the call.
func (t *Tree) openFD(name string, flag int, perm uint32) (int, error) {
	if t.plain.Load() {
		return -1, unix.ENOSYS
	}
	how := unix.OpenHow{
		Flags:   uint64(flag | unix.O_CLOEXEC | unix.O_NONBLOCK),
		Mode:    uint64(perm),
		Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_MAGICLINKS,
	}
	if folderOf(name) != "" {
		how.Resolve |= unix.RESOLVE_NO_SYMLINKS
	}
	for {
		fd, err := unix.Openat2(int(t.at.Fd()), name, &how)
		switch err {
		case unix.EINTR, unix.EAGAIN:
			continue
		case unix.ELOOP, unix.EXDEV:
			return -1, fmt.Errorf("%s: %w: a link", name, ErrIrregular)
		case nil, unix.ENOSYS:
			return fd, err
		}
		if isIrregular(err) {
			return -1, fmt.Errorf("%s: %w", name, ErrIrregular)
		}
		return -1, &iofs.PathError{Op: "open", Path: name, Err: err}
	}
}

// mustBePlain reports whether err means that openat2 is not available.
func (t *Tree) mustBePlain(err error) bool {
	if errors.Is(err, unix.ENOSYS) {
		t.plain.Store(true)
		return true
	}
	return errors.Is(err, unix.EPERM)
}

// open opens name below the project directory. It does not block.
func (t *Tree) open(name string, flag int, perm iofs.FileMode) (*os.File, error) {
	fd, err := t.openFD(name, flag, unixMode(perm))
	if t.mustBePlain(err) {
		return t.openPlain(name, flag|unix.O_NONBLOCK, perm)
	}
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), name), nil
}

// readAt appends the bytes at name to buf. It makes four system calls only, because a
// scan reads ten thousand files.
func (t *Tree) readAt(buf []byte, name string) ([]byte, meta, error) {
	fd, err := t.openFD(name, unix.O_RDONLY, 0)
	if t.mustBePlain(err) {
		return t.readPlain(buf, name)
	}
	if err != nil {
		return buf, meta{}, err
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return buf, meta{}, &iofs.PathError{Op: "stat", Path: name, Err: err}
	}
	m := meta{mode: iofs.FileMode(st.Mode & 0o777), size: st.Size, links: uint64(st.Nlink), changed: time.Unix(st.Mtim.Unix())}
	if st.Mode&unix.S_IFMT != unix.S_IFREG {
		m.mode |= iofs.ModeIrregular
	}
	if err := errors.Join(m.plain(name), m.fits(name)); err != nil {
		return buf, m, err
	}
	start := len(buf)
	for room := m.size + 1; ; room = 64 << 10 {
		buf = grow(buf, room)
		free := buf[len(buf):cap(buf)]
		n, err := unix.Read(fd, free)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return buf[:start], m, &iofs.PathError{Op: "read", Path: name, Err: err}
		}
		buf = buf[:len(buf)+n]
		if n < len(free) { // a short read of a regular file is its end
			return buf, m, nil
		}
		if m.size = int64(len(buf) - start); m.fits(name) != nil {
			return buf[:start], m, m.fits(name)
		}
	}
}

func unixMode(perm iofs.FileMode) uint32 {
	mode := uint32(perm.Perm())
	if perm&iofs.ModeSticky != 0 {
		mode |= unix.S_ISVTX
	}
	return mode
}
