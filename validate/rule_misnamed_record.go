package validate

import (
	"path"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/records"
)

var misnamedRecord = Rule{
	Name:     "misnamed-record",
	Severity: Error,
	Summary:  "A file of a record, or of a change, whose name is another's.",
	Help: `A decision, a question, an action, a goal, a constraint or a note that stands in a file
of its own is found by the name of that file, <id>.json, and so is what changed it:
<id>.<what>-<change id>.json, where what is one lower-case word such as answered, done,
updated or removed; so it is for changes of threads, pins, handoffs and of a project.json.
A dot of an id is written %2E in both. A change says in "of" which record it is of.
Changes of the project stand in progress/, <time>-<change id>.json, and are of "project".

By another name it is no record, and nobody reads it as one; a change changes something
else than it says.

Wrong:

    decisions/DEC-7F3K2Q-laptop.json:         { "id": "DEC-7F3K2Q", … }
    questions/Q-7F3K2Q.json:                  { "id": "Q-001", … }
    questions/Q-7F3K2Q.answered-5h2k9w.json:  { "of": "Q-001", … }
    questions/Q-7F3K2Q.answered.json

Right:

    decisions/DEC-7F3K2Q.json:                { "id": "DEC-7F3K2Q", … }
    questions/Q-7F3K2Q.json:                  { "id": "Q-7F3K2Q", … }
    questions/Q-7F3K2Q.answered-5h2k9w.json:  { "of": "Q-7F3K2Q", … }

To mend it, name the file after its id. A copy that a program for synchronizing made of
a file is removed once what it has more stands in the file that it was made of.
`,
	record: func(d *document) {
		if !d.parsed() || d.form != formJSON {
			return
		}
		switch file, ok := d.recordFile(); {
		case !ok:
		case file.Change == "":
			d.named(file)
		default:
			d.changes(file)
		}
	},
}

// named checks that the file of a record is named after its id.
func (d *document) named(file records.File) {
	if d.isNamed(file) {
		return
	}
	hint := "a record is found by its file's name: name the file after its id, with %2E for a dot"
	if d.kind == fs.DocDecision {
		hint = "a decision is found by its file's name: name the file after its id, or remove what is only a copy"
	}
	id := d.tape.Member(0, "id")
	d.at(id, "the "+file.Folder.Kind.Name+" "+plain(d.str(id))+" stands in a file named "+plain(path.Base(d.name)), hint)
}

// isNamed reports whether the file of a record is named after the id in it, if those of its kind
// are, or holds none.
func (d *document) isNamed(file records.File) bool {
	id := d.tape.Member(0, "id")
	return !file.Folder.Kind.NamedByID() || len(d.text(id)) == 0 || d.broken(id) || d.str(id) == file.Record
}

// changes checks that a change is named as one, and after the record that it is of.
func (d *document) changes(file records.File) {
	if _, ok := file.ChangeID(); !ok {
		form := "<id>.<what>-<change id>.json"
		if file.Folder.Kind.Name == records.Project.Name {
			form = "<time>-<change id>.json"
		}
		d.at(0, "the name "+plain(path.Base(d.name))+" is not that of a change", "it is "+form+"; the file of a record has no dot in front of .json")
	}
	of := d.tape.Member(0, "of")
	if len(d.text(of)) > 0 && !d.broken(of) && d.str(of) != file.Record {
		where := "its file is named after " + plain(file.Record)
		if file.Folder.Kind.Name == records.Project.Name {
			where = "its folder is that of changes of the project"
		}
		d.at(of, "the change is of "+plain(d.str(of))+", but "+where, "a change of a record stands beside it and is named after it; one of the project is of project")
	}
}
