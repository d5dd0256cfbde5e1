package engine

import (
	"bytes"
	"fmt"
	"path"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/validate"
)

// keepGone puts the messages that another program took out of a window, which holds src now, into its
// archive. What git brought is as somebody committed it.
func (r *round) keepGone(last session.Look, src []byte) error {
	err := r.tx.Try(func(*fs.Tx) error {
		gone, err := last.Gone(r.tx, src)
		if err != nil || len(gone) == 0 {
			return err
		}
		if is, err := r.isCommitted(last.Stamp.Name, src); is || err != nil {
			return err
		}
		return r.archiveGone(last.Stamp.Name, gone, src)
	})
	r.uncopied = r.uncopied || err != nil
	return err
}

// isCommitted reports whether src is what the last commit holds of a file that git does not ignore.
func (r *round) isCommitted(name string, src []byte) (bool, error) {
	if fs.Ignores(r.tx, name) {
		return false, nil
	}
	held, err := r.committed([]string{name})
	if err != nil {
		return false, err
	}
	text, is := held[name]
	return is && bytes.Equal(text, src), nil
}

// archiveGone adds messages that are gone from a window, which holds src now, to its archive, and tells of
// those that no archive can hold.
func (r *round) archiveGone(window string, gone []session.Line, src []byte) error {
	archive := session.ArchiveFile(path.Base(path.Dir(window)))
	held, err := r.maybe(archive)
	if err != nil {
		return err
	}
	taken := map[string]bool{}
	for _, m := range slices.Concat(session.Messages(session.Read(src)), session.Messages(session.Read(held))) {
		taken[m.ID] = true
	}
	kept := 0
	for _, line := range gone {
		records, err := session.ForArchive(line, taken)
		for _, record := range records {
			if err == nil && validate.Unreadable(archive, record) {
				err = errFaulty
			}
		}
		if err != nil {
			r.tell(fmt.Sprintf("message %q is gone from %s, and %s cannot hold it: %v", line.Message.ID, window, archive, err))
			continue
		}
		for _, record := range records {
			r.tx.Append(archive, record)
		}
		taken[line.Message.ID] = true
		kept++
	}
	if kept > 0 {
		r.heard = true
		r.tell(fmt.Sprintf("messages that another program took out of %s are in %s now: %d", window, archive, kept))
	}
	return nil
}

// copyWindow notes in looks what the live conversation holds if it is a window: durably if messages left it
// for another place than the archive, where they are not to be looked for.
func (r *round) copyWindow(looks session.Looks, durably bool) (session.Looks, error) {
	name, err := session.LiveName(r.tx)
	look, known := looks.Of(name)
	if err != nil || name == fs.Messages || !known || r.uncopied {
		return looks, err
	}
	_, wrote := r.tx.Staged()[name]
	if last, known := r.talks.Of(name); known && !wrote && last.Copy != "" && last.Holds(r.found[name]) {
		return looks, nil
	}
	src, err := r.maybe(name)
	if err != nil {
		return looks, nil // it is as it was left
	}
	_, added := r.tx.Appended(name)
	_, archived := r.tx.Appended(session.ArchiveFile(path.Base(path.Dir(name))))
	return looks.With(look.WithCopy(r.tx, r.home, src, durably || wrote && !added && !archived)), nil
}
