package health

import (
	"fmt"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

const (
	// MaxLog is how large a log grows before it is rotated, in bytes.
	MaxLog = 8 << 20
	// KeptLogs is how many rotated files of a log are kept beside it.
	KeptLogs = 10
)

// Log stages a line for the end of a log, one of fs.CompactionLog and its like,
// below home. A log that would grow beyond MaxLog is rotated first; the oldest
// rotated ones beyond KeptLogs go to trash. A prompt is cut, and secrets in it
// are masked.
//
// fs.ErrIrregular means that something else stands where the log is to be, and
// fs.ErrTooLarge that it is somebody else's: to rotate it takes too long.
func Log(tx *fs.Tx, home, log string, line any, at time.Time) error {
	name := home + "/" + log
	text, err := jsonedit.Value(concise(line))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	size, err := tx.Size(name)
	if err != nil {
		return err
	}
	if size > maxLogRead {
		return fmt.Errorf("%s: %w: it has %d MiB, and forgemind writes none of more than %d", name, fs.ErrTooLarge, size>>20, MaxLog>>20)
	}
	if size > 0 && size+int64(len(text))+1 > MaxLog {
		if err := rotate(tx, name, at); err != nil {
			return err
		}
	}
	tx.Append(name, text)
	return nil
}

// rotate moves the log at name aside, byte for byte.
func rotate(tx *fs.Tx, name string, at time.Time) error {
	full, err := tx.Read(name)
	if err != nil {
		return err
	}
	names, err := rotatedLogs(tx, name)
	if err != nil {
		return err
	}
	if n := len(names); n > 0 { // of a clock that went back, or two in a millisecond
		if _, last, _ := fs.Rotated(names[n-1]); !at.Truncate(time.Millisecond).After(last) {
			at = last.Add(time.Millisecond)
		}
	}
	tx.Restore(fs.RotatedLog(name, at), full)
	tx.Remove(name)
	for len(names) >= KeptLogs {
		tx.Remove(names[0])
		names = names[1:]
	}
	return nil
}

// concise is a line with what people typed cut and without secrets.
func concise(line any) any {
	switch l := line.(type) {
	case schema.LogCuration:
		l.Query = session.Noted(l.Query)
		return l
	case schema.LogRecovery:
		l.Prompt = session.Noted(l.Prompt)
		return l
	}
	return line
}
