package validate

import (
	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/records"
)

var recordChange = Rule{
	Name:     "record-change",
	Severity: Error,
	Summary:  "A change of a record that changes nothing, or the id.",
	Help: `A change of a record, <id>.<what>-<change id>.json, says in "set" which members become
what. It sets at least one, and never the id: whatever names the record would lead to
nothing, and the record's own file is found by it.

Wrong:

    { "of": "Q-7F3K2Q", "set": {} }
    { "of": "Q-7F3K2Q", "set": { "id": "Q-001" } }

Right:

    { "of": "Q-7F3K2Q", "set": { "status": "answered", "answer": "Redis" } }

To mend it, remove a change that changes nothing. What needs another id is a new record;
the old one is removed by a change that sets its status.
`,
	record: func(d *document) {
		if !d.parsed() || d.kind != fs.DocChange {
			return
		}
		set := d.tape.Member(0, "set")
		if d.kindOf(set) != jsonedit.Object {
			return // against the schema
		}
		if d.first(set) < 0 {
			d.at(set, "the change sets nothing", "remove it, or say in set what changed")
		}
		file, ok := d.recordFile()
		if id := d.tape.Member(set, "id"); id >= 0 && !(ok && file.Folder.Kind.Name == records.Project.Name) {
			d.at(id, "a change may not set the id", "a record keeps its id: make a new record, and remove this one by its status")
		}
	},
}
