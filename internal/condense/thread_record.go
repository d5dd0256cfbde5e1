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

// A thread is a record in the folder of its name, with its changes. The document beside the folder,
// <thread>.json, is a view of it. A former tree has only the document, and a bridge may write only
// messages. Such a thread gets its record when it is changed.

// listThreads returns the threads without the values from their messages.
func listThreads(r fs.Reader) (all []Thread, faults []Fault, err error) {
	for _, home := range homes {
		spoken := map[string]bool{} // names of threads that have messages
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

// threadFile returns the name of the document of the thread to which the file name belongs, or "".
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

// unrecorded returns a thread that has only messages.
func unrecorded(file string) Thread {
	stem := strings.TrimSuffix(path.Base(file), ".json")
	t := Thread{File: file}
	t.ID, t.Title, t.Channel, t.Status = stem, stem, path.Base(path.Dir(file)), Active
	if !schema.ValidID(stem) {
		t.ID = schema.DerivedID("thread-", []byte(file))
	}
	return t
}

// readThread returns the thread whose document is file, from its record and from edits of the
// document. The error is io/fs.ErrNotExist if there is neither.
func readThread(r fs.Reader, file string) (Thread, error) {
	t, _, err := threadAndEdit(r, file)
	return t, err
}

// ResolvedByHand returns the thread whose document is file. It reports whether somebody wrote in the
// document that the thread is resolved, and it has no condensation.
func ResolvedByHand(r fs.Reader, file string) (Thread, bool) {
	t, edited, err := threadAndEdit(r, file)
	if err != nil || t.Status != Resolved || t.Condensation != "" {
		return t, false
	}
	record, err := threadRecord(r, file)
	if err != nil {
		return t, errors.Is(err, iofs.ErrNotExist)
	}
	return t, edited && record.Members.Text("status") != Resolved
}

// threadAndEdit is like readThread. The result edited reports whether the document has more than
// the record.
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
			if !records.IsRendering(side) && jsonedit.Decode(side, &view) == nil { // validate reports an unreadable document
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

// complete sets members that a thread's file may omit.
func (t *Thread) complete() {
	t.Channel = cmp.Or(t.Channel, path.Base(path.Dir(t.File)))
	t.Status = cmp.Or(t.Status, Active)
}

// join adds what a view has and the record lacks. An older program or a person wrote it there.
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
		t.addParticipant(name)
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

// change stages t: a change of its record, which is created if needed, and its view. The argument
// what is the word for the change.
func (t *Thread) change(tx *fs.Tx, what, by string, at time.Time) error {
	record, err := t.record(tx)
	if err != nil {
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

// record returns the record of the thread, which is staged if the thread has none.
func (t *Thread) record(tx *fs.Tx) (records.Record, error) {
	record, err := threadRecord(tx, t.File)
	if errors.Is(err, iofs.ErrNotExist) {
		return t.addFormer(tx)
	}
	return record, err
}

// addFormer stages the record of a thread without one, made from its document or else from its
// name. Two clones write the same bytes.
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

// members returns the thread's members by name.
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

// renderThread stages the view of a thread with a record. It keeps unknown members and the layout.
// It does not change an unreadable view, nor an edited one until the edit is in the record. It
// removes a view whose record is on another branch.
func renderThread(tx *fs.Tx, file string) error {
	if _, err := threadRecord(tx, file); errors.Is(err, iofs.ErrNotExist) {
		return removeRendering(tx, file)
	}
	t, edited, err := threadAndEdit(tx, file)
	if err != nil || edited {
		return err
	}
	t.Claim = nil // it ends by itself, and the record has it
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

// renderInto returns the view src with the members of the thread, and without members that the
// thread no longer has, as after a checkout.
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

// removeRendering stages the removal of a view without records. It keeps an edited view.
func removeRendering(tx *fs.Tx, file string) error {
	src, err := tx.Read(file)
	if err == nil && records.IsRendering(src) {
		tx.Remove(file)
	}
	return nil
}

// threadMembers lists the members of a thread in order.
var threadMembers = []string{"id", "channel", "title", "status", "participants", "opened", "resolved", "archived", "condensation"}

func isMissing(r fs.Reader, name string) bool {
	_, err := r.Read(name)
	return errors.Is(err, iofs.ErrNotExist)
}

// viewSides returns the document name, or both sides of it if it has conflict markers. It returns
// none if the document cannot be read.
func viewSides(r fs.Reader, name string) [][]byte {
	src, err := r.Read(name)
	if err != nil {
		return nil
	}
	if !HasConflict(src) {
		return [][]byte{src}
	}
	ours, theirs, _ := git.Sides(src)
	return [][]byte{ours, theirs}
}

// baseOfView returns the text into which a view is rendered. It is the present text; with conflict
// markers it is our side, with the members that only theirs has. It is nil if the text is not a
// JSON object.
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
