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
	// MaxLog is the size at which a log is rotated, in bytes.
	MaxLog = 8 << 20
	// KeptLogs is the number of rotated files of a log that are kept.
	KeptLogs = 10
)

// Log stages a line for the end of a log below home; log is a name such as
// fs.CompactionLog. A log that would exceed MaxLog is rotated first; the oldest of more
// than KeptLogs rotated files go to the trash. Prompts are cut, and secrets in them are
// masked.
//
// The error is fs.ErrIrregular if the log is not a regular file, and fs.ErrTooLarge if
// it is so large that another program must have written it: rotating it would take too
// long.
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

// rotate renames the log at name, with the same bytes.
func rotate(tx *fs.Tx, name string, at time.Time) error {
	full, err := tx.Read(name)
	if err != nil {
		return err
	}
	names, err := rotatedLogs(tx, name)
	if err != nil {
		return err
	}
	if n := len(names); n > 0 { // the clock went back, or two rotations are in one millisecond
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

// concise returns a line with texts of users cut and without secrets.
func concise(line any) any {
	switch l := line.(type) {
	case schema.LogCuration:
		l.Query = session.LogPrompt(l.Query)
		return l
	case schema.LogRecovery:
		l.Prompt = session.LogPrompt(l.Prompt)
		return l
	}
	return line
}
