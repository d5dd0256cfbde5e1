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
// than the first line is read.
func Expire(tx *fs.Tx, tree *fs.Tree, now time.Time) ([]Expired, error) {
	var all []Expired
	for name, err := range files(tree) {
		if err != nil || !mayBeDue(tree, name, now) {
			continue // List has the Fault
		}
		src, err := tx.Read(name)
		if missing(err) {
			continue
		}
		if err != nil {
			return nil, err
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
	return all, nil
}

// mayBeDue says whether the first chunk of a file has expired. The chunks of a
// compaction do so together, unless somebody edited them.
func mayBeDue(tree *fs.Tree, name string, now time.Time) bool {
	f, err := tree.Stream(name)
	if err != nil {
		return false
	}
	defer f.Close()
	const most = 1 << 20 // of what is read for it
	text, err := bufio.NewReader(io.LimitReader(f, most)).ReadBytes('\n')
	if err != nil {
		return len(text) == most || err == io.EOF && len(text) > 0 // a very long line, or the only one
	}
	for line := range jsonedit.Lines(text) {
		c, err := decode(line.Text)
		until, wrong := schema.ParseTime(c.RecoverableUntil)
		return err == nil && wrong == nil && !until.After(now)
	}
	return true // a blank line
}
