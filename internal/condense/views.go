package condense

import (
	"cmp"
	"errors"
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

// Render stages the views of threads and pins to which names belong, if these have records. It
// renders a view again that is out of date or has conflict markers after a merge. It does not
// change a view whose records cannot be read.
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
		if err := views[file](tx, file); err != nil && fs.IsUnread(err) {
			return err
		}
	}
	return nil
}

// MakeRecords stages records for what only views of threads and pins have, for those to which names
// belong: elements without a record, and edits. The argument by names the author. It does not
// change a view that cannot be read.
func MakeRecords(tx *fs.Tx, names []string, by string, at time.Time) error {
	files := map[string]bool{}
	for _, name := range names {
		files[cmp.Or(threadFile(name), boardFile(name))] = true
	}
	for _, file := range slices.Sorted(maps.Keys(files)) {
		if err := makeRecords(tx, file, by, at); err != nil && (fs.IsUnread(err) || errors.Is(err, fs.ErrUnsettled)) {
			return err
		}
	}
	return nil
}

func makeRecords(tx *fs.Tx, file, by string, at time.Time) error {
	if isMissing(tx, file) {
		return nil
	}
	switch fs.Place(file) {
	case fs.DocThread:
		t, edited, err := threadAndEdit(tx, file)
		if err != nil {
			return err
		}
		if _, err := threadRecord(tx, file); errors.Is(err, iofs.ErrNotExist) {
			_, err := t.addFormer(tx)
			return err
		}
		if edited {
			return t.change(tx, updated, by, at)
		}
	case fs.DocPins:
		b, err := readBoard(tx, file)
		if err != nil {
			return err
		}
		return b.addFormer(tx)
	}
	return nil
}

// AdoptNames stages the condensations' names in the view file into its records. Somebody renamed
// the files of condensations and corrected the view.
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
