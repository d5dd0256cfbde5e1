package validate

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	iofs "io/fs"
	"path"
	"slices"
	"strings"
	"syscall"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/records"
)

// checkFiles reports the files of records, and of changes, among names that before has and that
// are gone or say something else. What moved to the other home is there. Where a record is
// gone its changes are not reported as well. A file that people edit is theirs to change, and to remove
// with its changes.
func (g *guard) checkFiles(before fs.Reader, names []string) error {
	lost := map[string]bool{} // names of records
	var changes []string
	for _, name := range names {
		file, ok := records.FileOf(name)
		if !ok || file.IsEditable() {
			continue
		}
		gone, err := g.checkFile(before, name, file)
		switch {
		case err != nil:
			return err
		case gone && file.Change == "":
			lost[name] = true
			g.reportLostFile(name, file)
		case gone:
			changes = append(changes, name)
		}
	}
	for _, name := range changes {
		file, _ := records.FileOf(name)
		_, err := g.after.Read(file.Base())
		if removed := file.Folder.Kind.Editable && isAbsent(err); !removed && !lost[file.Base()] {
			g.reportLostFile(name, file)
		}
	}
	return nil
}

// checkFile reports a file that says something else than before, or returns that it is gone: there
// is none now, or something else in its place. What is named after another record than it holds is
// none.
func (g *guard) checkFile(before fs.Reader, name string, file records.File) (gone bool, err error) {
	old, err := before.Read(name)
	if tolerable(err) != nil {
		return false, fmt.Errorf("judge %s: %w", plainFile(name), err)
	}
	if err != nil || !isOf(old, file) {
		return false, nil
	}
	now, err := g.after.Read(name)
	if other := otherHome(name); isAbsent(err) && other != "" {
		name = other
		now, err = g.after.Read(name)
	}
	if tolerable(err) != nil {
		return false, fmt.Errorf("judge %s: %w", plainFile(name), err)
	}
	if err == nil {
		g.compare(name, file, old, now)
	}
	return err != nil, nil
}

// isOf reports whether the file of a record is named after the record that it holds.
func isOf(src []byte, file records.File) bool {
	if file.Change != "" || !file.Folder.Kind.NamedByID() {
		return true
	}
	doc, err := jsonedit.Parse(src)
	return err != nil || idOf(doc, file) == file.Record
}

// compare reports a file that says something else than before: that of a decision by its bytes,
// others by what they say.
func (g *guard) compare(name string, file records.File, old, now []byte) {
	members := differingMembers(old, now, file)
	decision := file.Folder.Kind.Name == records.Decision.Name
	if bytes.Equal(old, now) || len(members) == 0 && (!decision || onlyNamed(old, now, name)) {
		return
	}
	pointer, what := "", "its text, though not its meaning"
	if len(members) > 0 {
		pointer, what = pointerTo(members[0]), plainList(members)
	} else if doc, err := jsonedit.Parse(now); err != nil {
		what = "it is no JSON any more"
	} else if doc.Nodes[0].Kind != jsonedit.Object {
		what = "it is no object"
	}
	if decision {
		g.report(changedName, name, pointer, "Changed decision: "+plain(file.Record)+" is not what was recorded: "+what,
			"bring the file back from the revision before; what holds now is a new decision that supersedes this one")
		return
	}
	g.report(changedRecordName, name, pointer, "Changed record: "+partOf(file)+" is not what was recorded: "+what,
		"bring the file back from the revision before; what holds now is a change of its own beside it")
}

// onlyNamed reports whether the file of a record differs from what it was by its id alone,
// which only its name said before.
func onlyNamed(before, after []byte, name string) bool {
	m := &mender{name: name, src: before}
	m.nameRecord()
	return bytes.Equal(m.src, after)
}

// partOf returns how messages call what a file holds.
func partOf(file records.File) string {
	if file.Change != "" {
		return "a change of the " + titleOf(file)
	}
	return titleOf(file)
}

func (g *guard) reportLostFile(name string, file records.File) {
	if file.Folder.Kind.Name == records.Decision.Name {
		g.reportLost(name, []string{file.Record})
		return
	}
	g.report(lostRecordName, name, "", "Lost record: "+partOf(file), "bring "+path.Base(name)+" back from the revision before; what no longer holds is closed or removed by a change")
}

// tolerable returns nil for an error that judging the tree reports.
func tolerable(err error) error {
	if isAbsent(err) || errors.Is(err, fs.ErrIrregular) || errors.Is(err, fs.ErrTooLarge) {
		return nil
	}
	return err
}

// isAbsent reports whether err says that there is no file of a name.
func isAbsent(err error) bool {
	return errors.Is(err, iofs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// otherHome returns the name that a file has in the other home; "" where records of
// its kind have one home only.
func otherHome(name string) string {
	home, rest, _ := strings.Cut(name, "/")
	other := fs.Quaid + "/" + rest
	if home == fs.Quaid {
		other = fs.Forgemind + "/" + rest
	}
	if _, ok := records.FileOf(other); !ok {
		return ""
	}
	return other
}

// differingMembers returns the members in which two texts of a file differ, whatever
// their layout and order; none where one of them is no JSON object, which is a finding of
// its own. An id that only the name of the file said before, or says now, is no difference.
func differingMembers(before, after []byte, file records.File) []string {
	if bytes.Equal(before, after) {
		return nil
	}
	old, err := jsonedit.Parse(before)
	now, err2 := jsonedit.Parse(after)
	if err != nil || err2 != nil || old.Nodes[0].Kind != jsonedit.Object || now.Nodes[0].Kind != jsonedit.Object {
		return nil
	}
	var names []string
	for m := range now.Children(0) {
		name := now.Key(m)
		if o := old.Member(0, name); o < 0 || !records.Same(json.RawMessage(old.Raw(o)), json.RawMessage(now.Raw(m))) {
			names = append(names, name)
		}
	}
	for m := range old.Children(0) {
		if name := old.Key(m); now.Member(0, name) < 0 {
			names = append(names, name)
		}
	}
	return slices.DeleteFunc(names, func(name string) bool {
		return name == "id" && idOf(old, file) == idOf(now, file)
	})
}

// idOf returns the id of a record: what its file says, else the file's name.
func idOf(doc *jsonedit.Doc, file records.File) string {
	id, _ := doc.Str(doc.Member(0, "id"))
	return cmp.Or(id, file.Record)
}

// pointerTo returns the pointer of a member of a document.
func pointerTo(member string) string {
	return "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(member)
}
