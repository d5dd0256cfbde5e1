package fs

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path"
)

// A log is a JSONL file that is open for appending. The caller holds the lock.
type log struct {
	*os.File
	name    string
	size    int64
	created bool
}

// openLog opens name, and creates it if it is missing.
func (h *lockedWriter) openLog(name string) (*log, error) {
	if _, err := h.dir(path.Dir(name)); err != nil {
		return nil, err
	}
	created := false
	f, err := h.tree.open(name, os.O_RDWR|os.O_APPEND, 0)
	if isNotExist(err) {
		created = true
		f, err = h.tree.open(name, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o644)
	}
	if err != nil {
		return nil, err
	}
	m, err := stat(f)
	if err == nil {
		err = m.plain(name)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return &log{f, name, m.size, created}, nil
}

// put appends data in one write. After a partial write it truncates the file to its
// former size.
func (l *log) put(data []byte) error {
	if _, err := l.Write(data); err != nil {
		return errors.Join(err, l.Truncate(l.size), l.Sync())
	}
	return l.Sync()
}

// appendLine appends one record.
func (h *lockedWriter) appendLine(w write) error {
	for range rounds {
		l, err := h.openLog(w.name)
		if err != nil {
			return err
		}
		stays, err := h.appendTo(l, w)
		err = errors.Join(err, l.Close())
		if err != nil {
			return err
		}
		if stays {
			return nil
		}
	}
	return fmt.Errorf("%w: %s was replaced under each of %d tries", ErrBusy, w.name, rounds)
}

// appendTo appends to an open log. It returns false if another file replaced the log
// meanwhile, so that the record is not in the file of that name.
func (h *lockedWriter) appendTo(l *log, w write) (stays bool, err error) {
	glue, err := h.prepareEnd(l)
	if err != nil {
		return false, err
	}
	if err := l.put(append(glue, w.data...)); err != nil {
		return false, fmt.Errorf("append to %s: %w", w.name, err)
	}
	h.tree.step("appended", w.name)
	if l.created {
		if err := h.sync(w.name); err != nil {
			return false, err
		}
	}
	ours, err := l.Stat()
	if err != nil {
		return false, err
	}
	now, err := h.tree.open(w.name, os.O_RDONLY, 0)
	if isNotExist(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer now.Close()
	standing, err := now.Stat()
	return err == nil && os.SameFile(ours, standing), err
}

// endOf returns the offset at which the lines of w begin in a transaction of several
// names, and the bytes to write there.
func (h *lockedWriter) endOf(w write) (offset int64, data []byte, err error) {
	f, err := h.tree.open(w.name, os.O_RDWR|os.O_APPEND, 0)
	if isNotExist(err) {
		return 0, w.data, nil
	}
	if err != nil {
		return 0, nil, err
	}
	l := &log{File: f, name: w.name}
	defer l.Close()
	m, err := stat(f)
	if err == nil {
		err = m.plain(w.name)
	}
	if err != nil {
		return 0, nil, err
	}
	l.size = m.size
	glue, err := h.prepareEnd(l)
	return l.size, append(glue, w.data...), err
}

// appendAt writes data at offset of name. It may be called again after a process was
// killed before, during or after the write; the data is written once.
func (h *lockedWriter) appendAt(name string, offset int64, data []byte) error {
	l, err := h.openLog(name)
	if err != nil {
		return err
	}
	defer l.Close()
	if l.size >= offset {
		there := make([]byte, min(l.size-offset, maxFile))
		n, err := l.ReadAt(there, offset)
		there = there[:n]
		switch {
		case err != nil && n < len(there):
			return named(name, err)
		case bytes.Contains(there, bytes.TrimPrefix(data, []byte("\n"))):
			return l.Sync()
		case len(there) > 0 && bytes.HasPrefix(data, there): // an earlier write was cut off
			if err := l.Truncate(offset); err != nil {
				return err
			}
			l.size = offset
		}
	}
	if l.size != offset { // another process wrote too
		glue, err := h.prepareEnd(l)
		if err != nil {
			return err
		}
		data = append(glue, bytes.TrimPrefix(data, []byte("\n"))...)
	}
	if err := l.put(data); err != nil {
		return fmt.Errorf("append to %s: %w", name, err)
	}
	return nil
}
