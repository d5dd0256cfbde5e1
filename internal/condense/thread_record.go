package condense

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	iofs "io/fs"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/schema"
)

// A thread is a record in the folder of its name, with its changes. The document
// beside the folder, <thread>.json, is a view of it. A former tree has the document
// only, and a bridge may write no more than messages: such a thread gets its record
// when it is changed.

// listThreads returns the threads without what their messages say.
func listThreads(r fs.Reader) (all []Thread, faults []Fault, err error) {
	for _, home := range homes {
		spoken := map[string]bool{} // by the Name of the thread: it has messages
		for name, err := range r.Names(home + "/" + fs.ThreadsDir) {
			if err != nil {
				faults = append(faults, Fault{Name: name, Err: err})
			} else if file := threadFile(name); file != "" {
				spoken[file] = spoken[file] || fs.Place(name) == fs.DocMessage
			}
		}
		for _, file := range slices.Sorted(maps.Keys(spoken)) {
			t, err := readThread(r, file)
			switch {
			case err == nil:
				all = append(all, t)
			case !errors.Is(err, iofs.ErrNotExist):
				faults = append(faults, Fault{Name: file, Err: err})
			case spoken[file]:
				all = append(all, unrecorded(file))
			}
		}
	}
	return all, faults, nil
}

// threadFile returns the Name of the document of the thread that the file name
// belongs to; "" for none.
func threadFile(name string) string {
	switch fs.Place(name) {
	case fs.DocThread:
		return name
	case fs.DocMessage:
		if talk := strings.TrimSuffix(TalkAt(name), "l"); fs.Place(talk) == fs.DocThread {
			return talk
		}
	case fs.DocThreadRecord, fs.DocChange:
		if file := path.Dir(name) + ".json"; fs.Place(file) == fs.DocThread {
			return file
		}
	}
	return ""
}

// unrecorded is a thread that only has messages.
func unrecorded(file string) Thread {
	stem := strings.TrimSuffix(path.Base(file), ".json")
	t := Thread{File: file}
	t.ID, t.Title, t.Channel, t.Status = stem, stem, path.Base(path.Dir(file)), Active
	if !schema.ValidID(stem) {
		t.ID = schema.DerivedID("thread-", []byte(file))
	}
	return t
}

// readThread returns the thread whose document is file: what its record says, and
// what only an edit of the document does. The error is io/fs.ErrNotExist if there is
// neither.
func readThread(r fs.Reader, file string) (Thread, error) {
	t, _, err := threadAndEdit(r, file)
	return t, err
}

// threadAndEdit is readThread. edited reports whether the document says more than the
// record.
func threadAndEdit(r fs.Reader, file string) (t Thread, edited bool, err error) {
	t = Thread{File: file}
	record, err := threadRecord(r, file)
	switch {
	case err == nil:
		if err := record.Decode(&t.Thread); err != nil {
			return t, false, err
		}
		t.ID = record.ID
		t.complete()
		recorded := t.members()
		for _, side := range viewSides(r, file) {
			var view schema.Thread
			if !records.IsRendering(side) && jsonedit.Decode(side, &view) == nil { // else validate reports it
				t.join(view)
			}
		}
		edited = !reflect.DeepEqual(recorded, t.members())
	case !errors.Is(err, iofs.ErrNotExist):
		return t, false, err
	default:
		src, err := r.Read(file)
		if err != nil {
			return t, false, err
		}
		if records.IsRendering(src) {
			return t, false, iofs.ErrNotExist // its record is on another branch
		}
		if err := jsonedit.Decode(src, &t.Thread); err != nil {
			return t, false, merged(src, err)
		}
	}
	t.Rendered = ""
	if t.ID == "" {
		return t, false, errors.New("it has no id")
	}
	t.complete()
	return t, edited, nil
}

// complete fills in what a thread's file need not say.
func (t *Thread) complete() {
	t.Channel = cmp.Or(t.Channel, path.Base(path.Dir(t.File)))
	t.Status = cmp.Or(t.Status, Active)
}

// join adds what a view says and the record does not: an older program, or a person,
// wrote it there.
func (t *Thread) join(view schema.Thread) {
	order := records.Thread.Status
	if slices.Index(order, view.Status) > slices.Index(order, t.Status) {
		t.Status = view.Status
	}
	for _, m := range []struct {
		has  *string
		view string
	}{
		{&t.Channel, view.Channel}, {&t.Title, view.Title}, {&t.Opened, view.Opened}, {&t.Resolved, view.Resolved}, {&t.Archived, view.Archived},
		{&t.Condensation, view.Condensation},
	} {
		*m.has = cmp.Or(*m.has, m.view)
	}
	for _, name := range view.Participants {
		t.meet(name)
	}
}

// threadFolder returns the folder of the record of the thread whose document is file.
func threadFolder(file string) records.Folder {
	return records.Folder{Dir: folderOf(file), Kind: records.Thread}
}

// threadRecord returns the record of the thread whose document is file. The error is
// io/fs.ErrNotExist if there is none.
func threadRecord(r fs.Reader, file string) (records.Record, error) {
	folder := threadFolder(file)
	for name, err := range r.Names(folder.Dir) {
		if err != nil {
			return records.Record{}, err
		}
		if id, ok := folder.ID(name); ok && fs.Place(name) == fs.DocThreadRecord {
			return folder.Get(r, id)
		}
	}
	return records.Record{}, iofs.ErrNotExist
}

// change stages that the thread is as t says: a change of its record, which it gets
// where it has none, and its view. what says in a word what became of it.
func (t *Thread) change(tx *fs.Tx, what, by string, at time.Time) error {
	record, err := threadRecord(tx, t.File)
	if errors.Is(err, iofs.ErrNotExist) {
		if record, err = t.addFormer(tx); err != nil {
			return err
		}
	} else if err != nil {
		return err
	}
	set := map[string]any{}
	for name, value := range t.members() {
		if name != "id" {
			set[name] = value
		}
	}
	change := records.Change{What: what, At: schema.FormatTime(at), By: by}
	if _, err := record.Change(tx, change, set); err != nil {
		return err
	}
	return renderThread(tx, t.File)
}

// addFormer stages the record of a thread that has none: what its document says, or
// for want of one its name. Two clones that do so write the same bytes.
func (t *Thread) addFormer(tx *fs.Tx) (records.Record, error) {
	former, err := readThread(tx, t.File)
	if errors.Is(err, iofs.ErrNotExist) {
		former = unrecorded(t.File)
	} else if err != nil {
		return records.Record{}, err
	}
	text, err := jsonedit.Marshal(former.Thread)
	if err != nil {
		return records.Record{}, err
	}
	if src, err := tx.Read(t.File); err == nil {
		if text, err = addMembers(text, src); err != nil {
			return records.Record{}, err
		}
	}
	folder := threadFolder(t.File)
	if _, err := folder.Add(tx, former.ID, json.RawMessage(text)); err != nil {
		return records.Record{}, err
	}
	return folder.Get(tx, former.ID)
}

// addMembers returns the JSON object src with the members that only other has.
func addMembers(src, other []byte) ([]byte, error) {
	ours, err := jsonedit.Parse(src)
	if err != nil {
		return nil, err
	}
	theirs, err := jsonedit.Parse(other)
	if err != nil {
		return nil, err
	}
	for n := range theirs.Children(0) {
		if key := theirs.Key(n); ours.Member(0, key) >= 0 || key == "$schema" || key == "rendered" {
			continue
		}
		if src, err = jsonedit.Set(src, theirs.Pointer(n), theirs.Raw(n)); err != nil {
			return nil, err
		}
	}
	return src, nil
}

// members returns what the thread says by the names of the members.
func (t *Thread) members() map[string]any {
	members := map[string]any{"id": t.ID, "status": t.Status}
	for name, text := range map[string]string{
		"channel": t.Channel, "title": t.Title, "opened": t.Opened, "resolved": t.Resolved, "archived": t.Archived, "condensation": t.Condensation,
	} {
		if text != "" {
			members[name] = text
		}
	}
	if len(t.Participants) > 0 {
		members["participants"] = t.Participants
	}
	return members
}

// renderThread stages the view of a thread that has a record. Members that forgemind
// does not know, and the layout, stay. A view that can't be read stays as it is, and so
// does an edited one until its edit is in the record; one whose record is on another
// branch goes.
func renderThread(tx *fs.Tx, file string) error {
	if _, err := threadRecord(tx, file); errors.Is(err, iofs.ErrNotExist) {
		return removeRendering(tx, file)
	}
	t, edited, err := threadAndEdit(tx, file)
	if err != nil || edited {
		return err
	}
	src, err := baseOfView(tx, file)
	switch {
	case err != nil:
		return err
	case src == nil && !isMissing(tx, file):
		return nil
	case src == nil:
		if src, err = jsonedit.Marshal(t.Thread); err != nil {
			return err
		}
	}
	if src, err = t.renderInto(src); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return writeView(tx, file, src)
}

// renderInto returns the view src with what the thread says, and without what it no
// longer says, as after a checkout.
func (t *Thread) renderInto(src []byte) ([]byte, error) {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return nil, err
	}
	members := t.members()
	for _, name := range threadMembers {
		want, ok := members[name]
		if at := doc.Member(0, name); !ok && at >= 0 && doc.Nodes[at].Kind != jsonedit.Null {
			src, err = jsonedit.Delete(src, "/"+name)
		} else if ok {
			var value []byte
			if value, err = jsonedit.Value(want); err == nil {
				src, err = jsonedit.Set(src, "/"+name, value)
			}
		}
		if err != nil {
			return nil, err
		}
	}
	return src, nil
}

// writeView stages a view with its stamp.
func writeView(tx *fs.Tx, file string, src []byte) error {
	src, err := records.Stamp(src)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	tx.Write(file, src)
	return nil
}

// removeRendering stages that a view goes of which there are no records. What was
// edited in it stays.
func removeRendering(tx *fs.Tx, file string) error {
	src, err := tx.Read(file)
	if err == nil && records.IsRendering(src) {
		tx.Remove(file)
	}
	return nil
}

// threadMembers are the members of a thread in their order.
var threadMembers = []string{"id", "channel", "title", "status", "participants", "opened", "resolved", "archived", "condensation"}

func isMissing(r fs.Reader, name string) bool {
	_, err := r.Read(name)
	return errors.Is(err, iofs.ErrNotExist)
}

// viewSides returns the document name; where a merge left both sides in it, each of
// them. It returns none where the document can't be read.
func viewSides(r fs.Reader, name string) [][]byte {
	src, err := r.Read(name)
	if err != nil {
		return nil
	}
	if !Unmerged(src) {
		return [][]byte{src}
	}
	ours, theirs, _ := git.Sides(src)
	return [][]byte{ours, theirs}
}

// baseOfView returns the text that a view is rendered into: what stands there, of a
// merge that left both sides our side with the members that only theirs has. It is
// nil where that is no JSON object.
func baseOfView(r fs.Reader, name string) ([]byte, error) {
	sides := viewSides(r, name)
	var base []byte
	for _, side := range sides {
		doc, err := jsonedit.Parse(side)
		if err != nil || doc.Nodes[0].Kind != jsonedit.Object || len(doc.Duplicates) > 0 {
			return nil, nil
		}
		if base == nil {
			base = side
			continue
		}
		if base, err = addMembers(base, side); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return base, nil
}
