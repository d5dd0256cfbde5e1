package fs

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// mend readies the end of a log for the next record, which must not be glued to
// a torn one. glue is what has to come before it: a newline where the last
// record is whole and lacks its own. A torn or NUL tail goes to recovered/.
func (h *turn) mend(l *log) (glue []byte, err error) {
	m, err := stat(l.File)
	if err != nil {
		return nil, err
	}
	if l.size == 0 {
		if !l.created {
			err = h.half(l.name, m)
		}
		return nil, err
	}
	start, tail, err := lastLine(l.File, l.size)
	if err != nil {
		return nil, named(l.name, err)
	}
	if start == l.size {
		return nil, nil
	}
	if tail != nil && parses(tail) {
		return []byte("\n"), nil
	}
	if err := h.half(l.name, m); err != nil {
		return nil, err
	}
	return nil, h.cut(l, start)
}

// half asks for patience with a file that changed only just now: somebody may
// be in the middle of writing it.
func (h *turn) half(name string, m meta) error {
	if !within(h.tree.saveTime.youth, m.changed) {
		return nil
	}
	if h.patience > 0 {
		return &savingError{name}
	}
	return fmt.Errorf("%s: %w", name, ErrUnsettled)
}

// cut moves what follows start to recovered/.
func (h *turn) cut(l *log, start int64) error {
	tail := make([]byte, min(l.size-start, maxFile))
	if _, err := l.ReadAt(tail, start); err != nil && err != io.EOF {
		return named(l.name, err)
	}
	kept := ""
	for at := start; at < l.size; at += int64(len(tail)) { // usually once
		tail = tail[:min(int64(len(tail)), l.size-at)]
		if _, err := l.ReadAt(tail, at); err != nil && err != io.EOF {
			return named(l.name, err)
		}
		if kept = h.aside(l.name, version{exists: true, data: tail}); kept == "" {
			return fmt.Errorf("%s: its torn last line could not be kept", l.name)
		}
	}
	if err := errors.Join(l.Truncate(start), l.Sync()); err != nil {
		return named(l.name, err)
	}
	l.size = start
	h.incident(l.name, kept, "the last line was torn")
	return nil
}

// lastLine finds what follows the last newline of the first size bytes of r.
// Of a line longer than 8 MiB the text is nil.
func lastLine(r io.ReaderAt, size int64) (start int64, text []byte, err error) {
	block := int64(4 << 10)
	for end := size; end > 0; {
		begin := max(0, end-block)
		buf := make([]byte, end-begin)
		if _, err := r.ReadAt(buf, begin); err != nil && err != io.EOF {
			return 0, nil, err
		}
		if i := bytes.LastIndexByte(buf, '\n'); i >= 0 {
			start = begin + int64(i) + 1
			break
		}
		end = begin
		block = min(block*4, 1<<20)
	}
	if start == size || size-start > maxFile {
		return start, nil, nil
	}
	text = make([]byte, size-start)
	_, err = r.ReadAt(text, start)
	if err == io.EOF {
		err = nil
	}
	return start, text, err
}

// tornTail says whether the last line of text is no whole record.
func tornTail(text []byte) bool {
	tail := text[bytes.LastIndexByte(text, '\n')+1:]
	return len(tail) > 0 && !parses(tail)
}
