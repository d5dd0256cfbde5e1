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

// Expired describes a file of chunks that expired.
type Expired struct {
	Name                string
	Session, Compaction string
	Chunks              int
	Until               time.Time // when the last chunk expired
}

// Expire moves the files whose chunks all expired before now to the trash, so that a wrong clock
// loses nothing. A chunk without an expiry date is kept forever, and so is a line that holds no
// chunk. The argument tree is the tree of tx. Of a file that is not due, Expire reads at most the
// first line. A file that cannot be read stays and is reported among the faults.
func Expire(tx *fs.Tx, tree *fs.Tree, now time.Time) (all []Expired, faults []Fault, err error) {
	for name, err := range files(tree) {
		due := false
		if err == nil {
			due, err = mayBeDue(tree, name, now)
		}
		if err != nil && !isMissing(err) {
			faults = append(faults, Fault{Name: name, Err: err})
		}
		if !due {
			continue
		}
		src, err := tx.Read(name)
		if isMissing(err) {
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

// mayBeDue reports whether the first chunk of a file has expired. The chunks of a compaction expire
// together, unless somebody edited them.
func mayBeDue(tree *fs.Tree, name string, now time.Time) (bool, error) {
	f, err := tree.Stream(name)
	if err != nil {
		return false, err
	}
	defer f.Close()
	const most = 1 << 20 // bytes that are read
	text, err := bufio.NewReader(io.LimitReader(f, most)).ReadBytes('\n')
	switch {
	case err == io.EOF:
		return len(text) > 0, nil // a very long line, or the only line
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
