package cold

import (
	"bufio"
	"io"
	"path"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// An Expired is a file of chunks whose time is over.
type Expired struct {
	Name                string
	Session, Compaction string
	Chunks              int
	Until               time.Time // when the last of them expired
}

// Expire removes the files all of whose chunks were to be recoverable until now
// at most. Removed files go to the trash, so that a clock that jumped loses
// nothing. A chunk that does not say until when is kept for ever, and so is a
// line that holds none. tree is that of tx: of a file that is not due no more
// than the first line is read. What cannot be looked at stays, and is among the
// faults.
func Expire(tx *fs.Tx, tree *fs.Tree, now time.Time) (all []Expired, faults []Fault, err error) {
	for name, err := range files(tree) {
		due := false
		if err == nil {
			due, err = mayBeDue(tree, name, now)
		}
		if err != nil && !missing(err) {
			faults = append(faults, Fault{Name: name, Err: err})
		}
		if !due {
			continue
		}
		src, err := tx.Read(name)
		if missing(err) {
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		until, chunks := latest(src)
		if until.IsZero() || until.After(now) {
			continue
		}
		tx.Remove(name)
		all = append(all, Expired{
			Name: name, Session: path.Base(path.Dir(name)), Compaction: strings.TrimSuffix(path.Base(name), ".jsonl"),
			Chunks: chunks, Until: until,
		})
	}
	return all, faults, nil
}

// mayBeDue says whether the first chunk of a file has expired. The chunks of a
// compaction do so together, unless somebody edited them.
func mayBeDue(tree *fs.Tree, name string, now time.Time) (bool, error) {
	f, err := tree.Stream(name)
	if err != nil {
		return false, err
	}
	defer f.Close()
	const most = 1 << 20 // of what is read for it
	text, err := bufio.NewReader(io.LimitReader(f, most)).ReadBytes('\n')
	switch {
	case err == io.EOF:
		return len(text) > 0, nil // a very long line, or the only one
	case err != nil:
		return false, err
	}
	for line := range jsonedit.Lines(text) {
		c, err := decode(line.Text)
		until, wrong := schema.ParseTime(c.RecoverableUntil)
		return err == nil && wrong == nil && !until.After(now), nil
	}
	return true, nil // a blank line
}
