package validate

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	iofs "io/fs"
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/records"
)

// records reports the files of records, and of changes, that before has and that are
// gone or say something else. What moved to the other home is there. Where a record is
// gone its changes are not reported as well.
func (g *guard) records(before fs.Reader) error {
	lost := map[string]bool{} // names of records
	var changes []string
	names, _ := documents(before, ".")
	for _, n := range names {
		if n.err != nil {
			return n.err
		}
		name := n.name
		file, ok := records.FileOf(name)
		if !ok {
			continue
		}
		gone, err := g.record(before, name, file)
		switch {
		case err != nil:
			return err
		case gone && file.Change == "":
			lost[name] = true
			g.reportLostRecord(name, titleOf(file))
		case gone:
			changes = append(changes, name)
		}
	}
	for _, name := range changes {
		if file, _ := records.FileOf(name); !lost[file.Base()] {
			g.reportLostRecord(name, "a change of the "+titleOf(file))
		}
	}
	return nil
}

// record reports a file that says something else than before, or whether it is gone.
// What cannot be read or parsed now is a finding of its own.
func (g *guard) record(before fs.Reader, name string, file records.File) (gone bool, err error) {
	old, err := before.Read(name)
	if err != nil {
		return false, tolerable(err)
	}
	now, err := g.after.Read(name)
	if errors.Is(err, iofs.ErrNotExist) {
		if name = otherHome(name); name != "" {
			now, err = g.after.Read(name)
		}
	}
	if errors.Is(err, iofs.ErrNotExist) {
		return true, nil
	}
	if err != nil {
		return false, tolerable(err)
	}
	if names := differingMembers(old, now, file); len(names) > 0 {
		what := titleOf(file)
		if file.Change != "" {
			what = "a change of the " + what
		}
		g.report(changedRecordName, name, pointerTo(names[0]), "Changed record: "+what+" is not what was recorded: "+plainList(names),
			"bring the file back from the revision before; what holds now is a change of its own beside it")
	}
	return false, nil
}

// tolerable returns nil for an error that judging the tree reports.
func tolerable(err error) error {
	if errors.Is(err, iofs.ErrNotExist) || errors.Is(err, fs.ErrIrregular) || errors.Is(err, fs.ErrTooLarge) {
		return nil
	}
	return err
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

func (g *guard) reportLostRecord(name, title string) {
	g.report(lostRecordName, name, "", "Lost record: "+title, "bring "+path.Base(name)+" back from the revision before; what no longer holds is closed or removed by a change")
}

// differingMembers returns the members in which two texts of a file differ, whatever
// their layout and order; none where one of them is no JSON, which is a finding of its
// own. An id that only the name of the file said before, or says now, is no difference.
func differingMembers(before, after []byte, file records.File) []string {
	if bytes.Equal(before, after) {
		return nil
	}
	old, err := jsonedit.Parse(before)
	now, err2 := jsonedit.Parse(after)
	if err != nil || err2 != nil {
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
