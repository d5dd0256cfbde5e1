package validate

import (
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/records"
)

var recordChange = Rule{
	Name:     "record-change",
	Severity: Error,
	Summary:  "A change of a record that changes nothing, or sets what the record cannot have.",
	Help: `A change of a record, <id>.<what>-<change id>.json, says in "set" which members become
what. It sets at least one, and never the id: whatever names the record would lead to
nothing, and the record's own file is found by it. What it sets meets the schema of the
record: a member has the type that it has there, and one that must be there is not removed.

Members that no schema knows are allowed, and kept. A status that nobody knows is
unknown-word.

Wrong:

    { "of": "Q-7F3K2Q", "set": {} }
    { "of": "Q-7F3K2Q", "set": { "id": "Q-001" } }
    { "of": "Q-7F3K2Q", "set": { "question": null } }
    { "of": "Q-7F3K2Q", "set": { "blocking": "ACT-001" } }

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
			return // the schema reports it
		}
		if d.first(set) < 0 {
			d.at(set, "the change sets nothing", "remove it, or say in set what changed")
		}
		file, ok := d.recordFile()
		if id := d.tape.Member(set, "id"); id >= 0 && !(ok && file.Folder.Kind.Name == records.Project.Name) {
			d.at(id, "a change may not set the id", "a record keeps its id: make a new record, and remove this one by its status")
		}
		for m := d.first(set); ok && m >= 0; m = d.next(m) {
			d.sets(file.Folder.Kind, m)
		}
	},
}

// sets checks a member that a change of a record of kind k sets against the schema of
// such records. Members without a schema are not checked.
func (d *document) sets(k records.Kind, m int) {
	name := d.tape.Key(m)
	checker, required := memberOfKind(k, name)
	if name == "id" || checker == nil {
		return
	}
	if d.kindOf(m) == jsonedit.Null {
		if required {
			d.at(m, "a change may not remove "+plain(name), "set it to what holds now; a record that is no longer wanted is removed by its status")
		}
		return
	}
	list, _ := checker.breachesAt(&d.tape, m)
	for _, b := range list {
		d.at(b.node, dotted(d.tape.Pointer(b.node))+" "+b.expectation(&d.tape), "forgemind schema "+b.of.schema+" prints what is admitted")
	}
}

// memberOfKind returns the checker for a member of records of kind k, nil if no schema
// has it, and reports whether the member is required. The project has members of the
// State: "/role", "progress/2".
func memberOfKind(k records.Kind, name string) (of *checker, required bool) {
	if k.Name != records.Project.Name {
		return checkers[k.Name]().member(name)
	}
	state := checkers[fs.DocState.Schema()]()
	if name == "/role" {
		of, _ = state.member("role")
		return of, true
	}
	project, _ := state.member("project")
	if strings.HasPrefix(name, "progress/") {
		progress, _ := project.member("progress")
		return progress.rest, false
	}
	of, _ = project.member(name)
	return of, ruleSet1("/project", name)
}

// member returns the checker for a member of an object, nil if the schema does not name
// it, and reports whether it is required.
func (c *checker) member(name string) (of *checker, required bool) {
	at, ok := c.byName[name]
	if !ok {
		return nil, false
	}
	return c.props[at].value, c.required&(1<<at) != 0
}
