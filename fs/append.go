package fs

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path"
)

// A log is a JSONL file open for appending, under the lock.
type log struct {
	*os.File
	name    string
	size    int64
	created bool
}

// openLog opens name, or makes it.
func (h *turn) openLog(name string) (*log, error) {
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

// put adds data in one write. What was written only in part is cut off again.
func (l *log) put(data []byte) error {
	if _, err := l.Write(data); err != nil {
		return errors.Join(err, l.Truncate(l.size), l.Sync())
	}
	return l.Sync()
}

// appendLine is the protocol for one record.
func (h *turn) appendLine(w write) error {
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

// appendTo appends to an open log. False means that the file was replaced by
// another one meanwhile, which lacks the record.
func (h *turn) appendTo(l *log, w write) (stays bool, err error) {
	glue, err := h.mend(l)
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

// endOf is where the lines of w will begin in a transaction of several names,
// and what has to be written there.
func (h *turn) endOf(w write) (offset int64, data []byte, err error) {
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
	glue, err := h.mend(l)
	return l.size, append(glue, w.data...), err
}

// appendAt brings data to offset of name, once, however often it is called: a
// process may have been killed before, while or after it did so.
func (h *turn) appendAt(name string, offset int64, data []byte) error {
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
		case len(there) > 0 && bytes.HasPrefix(data, there): // torn
			if err := l.Truncate(offset); err != nil {
				return err
			}
			l.size = offset
		}
	}
	if l.size != offset { // others wrote too
		glue, err := h.mend(l)
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
