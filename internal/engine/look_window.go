package engine

import (
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
	var kept []session.Line
	err := r.tx.Try(func(*fs.Tx) error {
		w, err := last.Rewriting(r.tx, src)
		if err != nil || len(w.Gone) == 0 && !w.Changed {
			return err
		}
		if is, err := r.isCommitted(window, src); is || err != nil {
			return err
		}
		last, kept, err = r.archiveGone(last, w, src)
		return err
	})
	if err != nil {
		r.uncopied = window
		return fmt.Errorf("what others took out of it is not kept: %w", err)
	}
	if len(kept) > 0 {
		r.talks, r.heard = r.talks.With(last), true
		r.tell(fmt.Sprintf("messages that another program took out of %s go to %s: %d", window, session.ArchiveFile(id), len(kept)))
	}
	return nil
}

// archiveGone writes the archive of a window, which holds src, as w says. It returns the Look at the window with
// that noted, and the messages that are added to the archive; it tells of those that no archive can hold.
func (r *round) archiveGone(last session.Look, w session.Rewriting, src []byte) (_ session.Look, kept []session.Line, err error) {
	window := last.Stamp.Name
	archive := session.ArchiveFile(path.Base(path.Dir(window)))
	if w.Changed {
		r.tx.Write(archive, w.Archive)
	}
	taken := map[string]bool{}
	for _, m := range slices.Concat(session.Messages(session.Read(src)), session.Messages(session.Read(w.Archive))) {
		taken[m.ID] = true
	}
	for _, line := range w.Gone {
		if line.Message.Timestamp == "" {
			line.Message.Timestamp = schema.FormatTime(r.at)
		}
		records, id, err := session.ForArchive(line, taken)
		if err == nil && slices.ContainsFunc(records, func(record []byte) bool { return validate.Unreadable(archive, record) }) {
			err = errFaulty
		}
		if err != nil {
			r.tell(fmt.Sprintf("message %q is gone from %s, and %s cannot hold it: %v", line.Message.ID, window, archive, err))
			continue
		}
		for _, record := range records {
			r.tx.Append(archive, record)
		}
		last, taken[id] = last.Keeping(line, records), true
		kept = append(kept, line)
	}
	return last, kept, nil
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
