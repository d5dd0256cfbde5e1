package condense

import (
	"cmp"
	"errors"
	"fmt"
	iofs "io/fs"
	"maps"
	"path"
	"slices"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/schema"
)

// Render stages the views of the threads and pins that names belong to, where these
// have records: a view that a merge left behind, or with both sides in it, is rendered
// again. One whose records can't be read stays as it is.
func Render(tx *fs.Tx, names []string) error {
	views := map[string]func(*fs.Tx, string) error{}
	for _, name := range names {
		if file := threadFile(name); file != "" {
			views[file] = renderThread
		} else if file := boardFile(name); file != "" {
			views[file] = renderPins
		}
	}
	for _, file := range slices.Sorted(maps.Keys(views)) {
		if err := views[file](tx, file); err != nil && fs.Unread(err) {
			return err
		}
	}
	return nil
}

// MakeRecords stages records of what only views say of threads and pins, those that
// names belong to: of what has no record, and of what somebody edited. by returns who it is
// said to be by. A view that can't be read stays as it is.
func MakeRecords(tx *fs.Tx, names []string, by func() string, at time.Time) error {
	files := map[string]bool{}
	for _, name := range names {
		files[cmp.Or(threadFile(name), boardFile(name))] = true
	}
	for _, file := range slices.Sorted(maps.Keys(files)) {
		if err := makeRecords(tx, file, by, at); err != nil && (fs.Unread(err) || errors.Is(err, fs.ErrUnsettled)) {
			return err
		}
	}
	return nil
}

func makeRecords(tx *fs.Tx, file string, by func() string, at time.Time) error {
	if isMissing(tx, file) {
		return nil
	}
	switch fs.Place(file) {
	case fs.DocThread:
		t, edited, err := threadAndEdit(tx, file)
		if err != nil {
			return err
		}
		record, err := threadRecord(tx, file)
		if errors.Is(err, iofs.ErrNotExist) {
			_, err := t.addFormer(tx)
			return err
		}
		if err != nil || !edited {
			return err
		}
		return t.change(tx, t.stepFrom(record.Members.Text("status"), at), by(), at)
	case fs.DocPins:
		b, err := readBoard(tx, file)
		if err != nil {
			return err
		}
		return b.addFormer(tx)
	}
	return nil
}

// stepFrom says in the thread when it came from a status to its own, if it does not say so, and returns
// what the change is called.
func (t *Thread) stepFrom(from string, at time.Time) (what string) {
	switch {
	case t.Status == from:
		return updated
	case t.Status == Resolved:
		t.Resolved = cmp.Or(t.Resolved, schema.FormatTime(at))
	case t.Status == Archived:
		t.Archived = cmp.Or(t.Archived, schema.FormatTime(at))
	}
	return t.Status
}

// Unrecorded reports whether name is of a view of a thread or of pins that says what no record does. Pins
// of which one leads nowhere may be a slip, and count as recorded.
func Unrecorded(r fs.Reader, name string) bool {
	switch fs.Place(name) {
	case fs.DocThread:
		_, edited, err := threadAndEdit(r, name)
		_, unrecorded := threadRecord(r, name)
		return err == nil && (edited || errors.Is(unrecorded, iofs.ErrNotExist))
	case fs.DocPins:
		b, err := readBoard(r, name)
		var pins []schema.Pin
		for _, p := range b.pins {
			if p.record == nil {
				pins = append(pins, p.Pin)
			}
		}
		lost, wrong := astray(r, pins)
		return err == nil && wrong == nil && len(pins) > 0 && len(lost) == 0
	}
	return false
}

// Undone says what somebody wrote into a view of a thread or of pins, as before has it, and what is again
// as the records have it, as after has it; "" if that is nothing.
func Undone(name string, before, after []byte) string {
	if records.IsRendering(before) {
		return ""
	}
	var was, is schema.Thread
	var had, has schema.Pins
	switch fs.Place(name) {
	case fs.DocThread:
		if jsonedit.Decode(before, &was) == nil && jsonedit.Decode(after, &is) == nil && was.Status != is.Status {
			return fmt.Sprintf("%s: the status is %q again, and not %q: a thread goes from active to resolved to archived", name, is.Status, was.Status)
		}
	case fs.DocPins:
		if jsonedit.Decode(before, &had) != nil || jsonedit.Decode(after, &has) != nil {
			return ""
		}
		again := slices.DeleteFunc(has.Pins, func(p schema.Pin) bool {
			return slices.ContainsFunc(had.Pins, func(q schema.Pin) bool { return pinName(q.Condensation) == pinName(p.Condensation) })
		})
		if len(again) > 0 {
			return fmt.Sprintf("%s: what was taken off is pinned again: %s", name, cutText(again[0].Condensation))
		}
	}
	return ""
}

// AdoptNames stages that the records of a view, whose Name is file, name condensations
// as it does: somebody wrote there how a file is called now.
func AdoptNames(tx *fs.Tx, file, by string, at time.Time) error {
	src, err := tx.Read(file)
	if err != nil {
		return err
	}
	if fs.Place(file) == fs.DocThread {
		var view schema.Thread
		record, err := threadRecord(tx, file)
		if err != nil || jsonedit.Decode(src, &view) != nil || view.Condensation == record.Members.Text("condensation") {
			return nil
		}
		t, err := readThread(tx, file)
		if err != nil {
			return err
		}
		t.Condensation = cmp.Or(view.Condensation, t.Condensation)
		return t.change(tx, updated, by, at)
	}
	var view schema.Pins
	if jsonedit.Decode(src, &view) != nil {
		return nil
	}
	b, err := readBoard(tx, file)
	if err != nil {
		return err
	}
	for _, p := range b.pins {
		i := slices.IndexFunc(view.Pins, func(q schema.Pin) bool { return q.ID == p.ID })
		if p.record == nil || i < 0 || view.Pins[i].Condensation == p.Condensation {
			continue
		}
		change := records.Change{What: updated, At: schema.FormatTime(at), By: by}
		if err := b.change(tx, p, change, map[string]any{"condensation": path.Base(view.Pins[i].Condensation)}); err != nil {
			return err
		}
	}
	return renderPins(tx, file)
}
