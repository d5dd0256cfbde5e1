package fs

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"time"
)

// prepareEnd prepares the end of a log for the next record. It returns the bytes that must
// precede the record: a newline if the last record is complete but has none. An
// incomplete record or NUL bytes at the end go to the attic.
func (h *lockedWriter) prepareEnd(l *log) (glue []byte, err error) {
	m, err := stat(l.File)
	if err != nil {
		return nil, err
	}
	if l.size == 0 {
		if !l.created {
			err = h.checkFinished(l.name, m)
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
	if err := h.checkFinished(l.name, m); err != nil {
		return nil, err
	}
	return nil, h.cutTail(l, start)
}

// checkFinished returns a savingError if the file changed just now, because another process may
// be writing it.
func (h *lockedWriter) checkFinished(name string, m meta) error {
	if age := time.Since(m.changed); age > youth || age < -youth {
		return nil
	}
	if time.Now().Before(h.deadline) {
		return &savingError{name}
	}
	return fmt.Errorf("%s: %w", name, ErrUnsettled)
}

// tornEnd is the text of the Incident for an incomplete last line.
const tornEnd = "the last line was torn"

// cutTail moves the bytes after start to attic/.
func (h *lockedWriter) cutTail(l *log, start int64) error {
	tail := make([]byte, min(l.size-start, maxFile))
	if _, err := l.ReadAt(tail, start); err != nil && err != io.EOF {
		return named(l.name, err)
	}
	kept := ""
	for at := start; at < l.size; at += int64(len(tail)) { // usually runs once
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
	h.incident(l.name, kept, tornEnd)
	return nil
}

// lastLine returns the offset and the text after the last newline of the first size
// bytes of r. The text is nil for a line longer than 8 MiB.
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

// tornTail reports whether the last line of text is not a complete record.
func tornTail(text []byte) bool {
	tail := text[bytes.LastIndexByte(text, '\n')+1:]
	return len(tail) > 0 && !parses(tail)
}
