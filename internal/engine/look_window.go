package engine

import (
	"bytes"
	"fmt"
	"path"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/validate"
)

// keepGone puts the messages that another program took out of a window, which holds src now, into its archive,
// and takes those out of the archive that are back in the window. What git brought is as somebody committed it.
func (r *round) keepGone(last session.Look, src []byte) error {
	window := last.Stamp.Name
	id := path.Base(path.Dir(window))
	if there, err := r.maybe(session.MetadataFile(id)); there == nil || err != nil {
		return err // somebody removed the session
	}
	err := r.tx.Try(func(*fs.Tx) error {
		w, err := last.Rewriting(r.tx, src)
		if err != nil || len(w.Gone) == 0 && !w.Changed {
			return err
		}
		if is, err := r.isBrought(window, src); is || err != nil {
			return err
		}
		return r.archiveGone(last, w, src)
	})
	if err != nil {
		r.uncopied = window
		return fmt.Errorf("what others took out of it is not kept: %w", err)
	}
	return nil
}

// isBrought reports whether all messages of the window at name, which holds src, are in the last commit, and git
// does not ignore it.
func (r *round) isBrought(name string, src []byte) (bool, error) {
	if fs.Ignores(r.tx, name) {
		return false, nil
	}
	held, err := r.committed([]string{name})
	if err != nil || held[name] == nil {
		return false, err
	}
	known := map[string]bool{}
	for _, line := range session.Read(held[name]) {
		known[string(bytes.TrimSpace(line.Raw))] = true
	}
	return !slices.ContainsFunc(session.Read(src), func(line session.Line) bool { return !known[string(bytes.TrimSpace(line.Raw))] }), nil
}

// archiveGone writes the archive of a window, which holds src, as w says, and tells of what is added there and of
// messages that no archive can hold.
func (r *round) archiveGone(last session.Look, w session.Rewriting, src []byte) error {
	window := last.Stamp.Name
	archive := session.ArchiveFile(path.Base(path.Dir(window)))
	if w.Changed {
		r.tx.Write(archive, w.Archive)
	}
	taken := map[string]bool{}
	for _, m := range slices.Concat(session.Messages(session.Read(src)), session.Messages(session.Read(w.Archive))) {
		taken[m.ID] = true
	}
	kept := 0
	for _, line := range w.Gone {
		if line.Message.Timestamp == "" {
			line.Message.Timestamp = schema.FormatTime(r.at)
		}
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
			last = last.Keeping(line, record)
		}
		taken[line.Message.ID] = true
		kept++
	}
	r.talks = r.talks.With(last)
	r.heard = true
	if kept > 0 {
		r.tell(fmt.Sprintf("messages that another program took out of %s are in %s now: %d", window, archive, kept))
	}
	return nil
}

// copyWindow keeps a copy of the window at name as this round, which wrote it or not, leaves it: durably if
// messages left it for another place than the archive, where they are not to be looked for.
func (r *round) copyWindow(name string, wrote bool) {
	if name == fs.Messages || name == r.uncopied {
		return
	}
	if last, known := r.talks.Of(name); known && !wrote && last.Holds(r.found[name]) {
		return
	}
	src, err := r.maybe(name)
	if err != nil {
		return // it is as it was left
	}
	_, added := r.tx.Appended(name)
	_, archived := r.tx.Appended(session.ArchiveFile(path.Base(path.Dir(name))))
	session.KeepCopy(r.tx, r.home, name, src, r.heard || wrote && !added && !archived)
}
