package validate

import (
	"bytes"
	"encoding/json"
	"errors"
	iofs "io/fs"
	"path"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/records"
)

// records reports the files of records and changes of before that no longer exist or
// whose content changed. A file that was moved to the other home exists. If a record is
// missing, its changes are not reported as well, nor are the messages of a missing
// thread.
func (g *changeChecker) records(before fs.Reader) error {
	lost := map[string]bool{} // names of records, and the folders of threads
	var parts []string
	for name, err := range before.Names(".") {
		if err != nil {
			return err
		}
		file, ok := records.FileOf(name)
		if !ok {
			continue
		}
		gone, err := g.record(before, name, file)
		switch {
		case err != nil:
			return err
		case gone && (file.Change != "" || file.Folder.Kind.Name == records.Message.Name):
			parts = append(parts, name)
		case gone:
			lost[name] = true
			if file.Folder.Kind.Name == records.Thread.Name {
				lost[file.Folder.Dir] = true
			}
			g.reportLostRecord(name, fileTitle(file))
		}
	}
	for _, name := range parts {
		if file, _ := records.FileOf(name); !lost[file.Base()] && !lost[file.Folder.Dir] {
			g.reportLostRecord(name, fileTitle(file))
		}
	}
	return nil
}

// record reports a file whose content changed. It returns gone if the file no longer
// exists. A file that cannot be read or parsed now is reported elsewhere.
func (g *changeChecker) record(before fs.Reader, name string, file records.File) (gone bool, err error) {
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
	if names := differingMembers(old, now); len(names) > 0 {
		hint := "bring the file back from the revision before; what holds now is a change of its own beside it"
		if file.Folder.Kind.Once {
			hint = "bring the file back from the revision before; what is to be said now is another file beside it"
		}
		g.report(changedRecordName, name, pointerTo(names[0]), "Changed record: "+fileTitle(file)+" is not what was recorded: "+plainList(names), hint)
	}
	return false, nil
}

// tolerable returns nil for an error that validation of the tree reports.
func tolerable(err error) error {
	if errors.Is(err, iofs.ErrNotExist) || errors.Is(err, fs.ErrIrregular) || errors.Is(err, fs.ErrTooLarge) {
		return nil
	}
	return err
}

// otherHome returns the name of a file in the other home, "" if records of its kind
// have one home only.
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

func (g *changeChecker) reportLostRecord(name, title string) {
	g.report(lostRecordName, name, "", "Lost record: "+title, "bring "+path.Base(name)+" back from the revision before; what no longer holds is closed or removed by a change")
}

// differingMembers returns the members in which two objects differ, whatever their
// layout and order. It returns none if one of them is not JSON, which is reported
// elsewhere.
func differingMembers(before, after []byte) []string {
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
	return names
}

// pointerTo returns the pointer of a member of a document.
func pointerTo(member string) string {
	return "/" + jsonedit.EscapePointer(member)
}
