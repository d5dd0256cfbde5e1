package validate

import (
	"bytes"
	"context"
	"encoding/json"
	"path"
	"strconv"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/schema"
)

// FixRecords returns what makes changes of records that were edited in place, of those
// whose names wanted reports: the file is what HEAD has, and a change beside it, made at
// a time by somebody, sets what the edit did. They go together. An edit that no change
// can express stays as it is, such as one of an id or of the time of a change. root is
// the project directory of r.
func FixRecords(r fs.Reader, root string, wanted func(name string) bool, at string, by func() string) []Mend {
	ctx, cancel := context.WithTimeout(context.Background(), gitPatience)
	defer cancel()
	head, err := git.At(ctx, root, "HEAD")
	if err != nil {
		return nil // there is nothing that the files were before
	}
	defer head.Close()
	f := recordMender{originals: originals{r, map[string][]byte{}}, sets: map[string]map[string]any{}}
	for name, err := range r.Names(".") {
		if file, ok := records.FileOf(name); ok && err == nil && wanted(name) && !file.Folder.Kind.Immutable {
			f.take(head, name, file)
		}
	}
	for _, base := range f.order {
		f.change(base, records.Change{What: "updated", At: at, By: by()})
	}
	return f.mends
}

// A recordMender makes changes of edits.
type recordMender struct {
	originals originals
	order     []string                  // the files of records that were edited, or whose changes were
	sets      map[string]map[string]any // what the edits set, by the same
	mends     []Mend
}

// originals is a tree in which edited records are as git has them.
type originals struct {
	fs.Reader
	texts map[string][]byte
}

func (o originals) Read(name string) ([]byte, error) {
	if src, ok := o.texts[name]; ok {
		return src, nil
	}
	return o.Reader.Read(name)
}

// take notes what was edited in one file.
func (f *recordMender) take(head fs.Reader, name string, file records.File) {
	now, err := f.originals.Reader.Read(name)
	if err != nil {
		return
	}
	old, err := head.Read(name)
	if err != nil || bytes.Equal(old, now) {
		return
	}
	set, ok := editOf(old, now, file)
	if !ok {
		return
	}
	base := file.Base()
	if f.sets[base] == nil {
		f.order, f.sets[base] = append(f.order, base), map[string]any{}
	}
	for member, value := range set {
		f.sets[base][member] = value
	}
	f.originals.texts[name] = old
	m := &mender{name: name, src: old}
	m.did(changedRecord, "", 0, "brought "+path.Base(name)+" back from git, as it was recorded; the edit is a change of the "+titleOf(file))
	f.mends = append(f.mends, Mend{m.name, m.src, m.done})
}

// change makes the change of one record.
func (f *recordMender) change(base string, c records.Change) {
	file, _ := records.FileOf(base)
	record, faults := records.ReadProject(f.originals)
	if file.Folder.Kind.Name != records.Project.Name {
		var err error
		if record, err = file.Folder.Get(f.originals, file.Record); err != nil {
			faults = []records.Fault{{Name: base, Err: err}}
		}
	}
	name, text, err := records.NewChange(record, c, f.sets[base])
	switch {
	case err != nil || len(faults) > 0: // what can't be read is mended first
		for name := range f.originals.texts {
			if edited, _ := records.FileOf(name); edited.Base() == base {
				f.drop(name)
			}
		}
	case name != "":
		f.mends = append(f.mends, Mend{Name: name, Text: text})
	}
}

// drop leaves a file as it stands.
func (f *recordMender) drop(name string) {
	for i, m := range f.mends {
		if m.Name == name {
			f.mends = append(f.mends[:i], f.mends[i+1:]...)
			return
		}
	}
}

// editOf returns what an edit of a file set; false where it changed nothing but the
// layout, or what no change can say.
func editOf(before, after []byte, file records.File) (map[string]any, bool) {
	names := differingMembers(before, after, file)
	old, err := jsonedit.Parse(before)
	now, err2 := jsonedit.Parse(after)
	if len(names) == 0 || err != nil || err2 != nil || len(now.Duplicates) > 0 || now.Nodes[0].Kind != jsonedit.Object {
		return nil, false
	}
	was, is := 0, 0
	if file.Change != "" {
		was, is = old.Member(0, "set"), now.Member(0, "set")
		if len(names) > 1 || names[0] != "set" || was < 0 || is < 0 || now.Nodes[is].Kind != jsonedit.Object {
			return nil, false
		}
		names = differingMembers(old.Raw(was), now.Raw(is), records.File{})
	}
	set := map[string]any{}
	for _, name := range names {
		value := now.Member(is, name)
		switch {
		case name == "id" && file.Folder.Kind.Name != records.Project.Name, value < 0 && file.Change != "":
			return nil, false // what held before the change is not said here
		case value < 0:
			set[name] = nil
		default:
			set[name] = json.RawMessage(now.Raw(value))
		}
	}
	return set, true
}

// nameRecord puts the id of a record, which the name of its file says, into the file.
func (m *mender) nameRecord() {
	file, ok := records.FileOf(m.name)
	if !ok || file.Change != "" || !file.Folder.Kind.NamedByID() || !schema.NamesFile(file.Record) {
		return
	}
	doc, err := jsonedit.Parse(m.src)
	if err != nil || doc.Nodes[0].Kind != jsonedit.Object || doc.Member(0, file.Folder.Kind.Text) < 0 {
		return
	}
	if at := doc.Member(0, "id"); at < 0 || isEmpty(doc.Raw(at)) {
		m.set(schemaRule, "/id", strconv.Quote(file.Record), "added the id that the name of the file says")
	}
}
