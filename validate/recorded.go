package validate

import (
	"path"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/records"
)

// A recorded is a file that holds a record, or a change of one.
type recorded struct {
	spot
	file    records.File
	members records.Members // of a record: those that matter to others
	change  records.Change  // of a change: its id, what it saw, and what it sets of these
	after   []reference     // the changes that a change saw
	named   []reference     // what the file names; what is the member
}

// Members of records by which they name others.
var relations = [...]string{"blocking", "blocked_by", "parent_goal_id"}

// titleOf returns how messages call a record: by its kind and its id.
func titleOf(file records.File) string {
	switch kind := file.Folder.Kind.Name; kind {
	case records.Project.Name:
		return file.Record
	case records.Settings.Name:
		return "project " + plain(path.Base(file.Folder.Dir))
	default:
		return kind + " " + plain(file.Record)
	}
}

// recordFile returns what the file of a document is; false for one that holds neither
// a record nor a change.
func (d *document) recordFile() (records.File, bool) {
	if file, ok := records.FileOf(d.name); ok || fs.Place(d.name) != fs.NoDoc {
		return file, ok
	}
	_, name, _ := treeName(d.name)
	return records.FileOf(name)
}

// noteRecord keeps what a record, or a change of one, says that others are held
// against.
func (f *facts) noteRecord(d *document) {
	file, ok := records.FileOf(d.name)
	if !ok {
		return
	}
	r := recorded{spot: d.spot(0), file: file}
	set := 0
	if d.kind == fs.DocChange {
		r.change.ID, _ = file.ChangeID()
		r.change.At = d.str(d.tape.Member(0, "at"))
		after := d.tape.Member(0, "after")
		for c := d.first(after); c >= 0; c = d.next(c) {
			if id := d.str(c); id != "" {
				r.change.After = append(r.change.After, id)
				r.after = append(r.after, reference{spot: d.spot(c), id: id})
			}
		}
		set = d.tape.Member(0, "set")
	}
	m := records.Members{}
	if n := d.tape.Member(set, "status"); n >= 0 {
		m["status"] = slices.Clone(d.tape.Raw(n))
	}
	for _, name := range relations {
		n := d.tape.Member(set, name)
		if n < 0 {
			continue
		}
		m[name] = slices.Clone(d.tape.Raw(n))
		for _, v := range d.related(n, name) {
			r.named = append(r.named, reference{spot: d.spot(v), id: d.str(v), what: name})
		}
	}
	if d.kind == fs.DocChange {
		r.change.Set = m
	} else {
		r.members = m
	}
	if d.kind == fs.DocGoal {
		f.goals = append(f.goals, d.str(d.tape.Member(0, "goal")))
	}
	f.records = append(f.records, r)
}

// related returns the values of a relation that name something: its own one, or those
// of its list. Words do so only as parent_goal_id.
func (d *document) related(node int, relation string) (values []int) {
	all := []int{node}
	if d.kindOf(node) == jsonedit.Array {
		all = nil
		for c := d.first(node); c >= 0; c = d.next(c) {
			all = append(all, c)
		}
	}
	for _, v := range all {
		text := d.text(v)
		if len(text) > 0 && (relation == "parent_goal_id" || isBlockerID(text, relation == "blocked_by")) {
			values = append(values, v)
		}
	}
	return values
}

// noteItems keeps what a State or a hot context shows that records may name.
func (f *facts) noteItems(d *document) {
	for _, list := range [...]string{"pending_actions", "open_questions"} {
		array := d.tape.Member(0, list)
		for e := d.first(array); e >= 0; e = d.next(e) {
			if id := d.str(d.tape.Member(e, "id")); id != "" {
				f.items = append(f.items, id)
			}
		}
	}
	array := d.tape.Member(0, "active_goals")
	for e := d.first(array); e >= 0; e = d.next(e) {
		for _, name := range goalNames {
			if s := d.str(d.tape.Member(e, name)); s != "" {
				f.goals = append(f.goals, s)
			}
		}
	}
}

// recordNames are the files of records and changes in a tree.
type recordNames struct {
	bases   map[string]bool            // names
	ids     map[string]map[string]bool // by kind, of whichever home
	changes map[string]map[string]bool // their ids, by the name of the record's file
}

func (c *census) recordNames() *recordNames {
	if c.recorded != nil {
		return c.recorded
	}
	n := &recordNames{map[string]bool{}, map[string]map[string]bool{}, map[string]map[string]bool{}}
	add := func(in map[string]map[string]bool, key, value string) {
		if in[key] == nil {
			in[key] = map[string]bool{}
		}
		in[key][value] = true
	}
	for _, name := range c.names {
		file, ok := c.recordFile(name)
		switch {
		case !ok:
		case file.Change == "":
			n.bases[name] = true
			add(n.ids, file.Folder.Kind.Name, file.Record)
		default:
			if id, ok := file.ChangeID(); ok {
				add(n.changes, file.Base(), id)
			}
		}
	}
	c.recorded = n
	return n
}
