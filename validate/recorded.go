package validate

import (
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/records"
)

// A recorded is a file with a record, or with a change of one.
type recorded struct {
	spot
	file    records.File
	members records.Members // of a record: the members that other checks need
	change  records.Change  // of a change: its id, its parents, and the needed members that it sets
	after   []reference     // the parents of a change
	named   []reference     // the ids in the file; what is the member
}

// The members by which records name others.
var relations = [...]string{"blocking", "blocked_by", "parent_goal_id"}

// titleOf returns the kind and the id of a record, for messages.
func titleOf(file records.File) string {
	if kind := file.Folder.Kind.Name; kind != records.Project.Name {
		return kind + " " + plain(file.Record)
	}
	return file.Record
}

// fileTitle returns a description of a record or a change, for messages.
func fileTitle(file records.File) string {
	if file.Change != "" {
		return "a change of the " + titleOf(file)
	}
	return titleOf(file)
}

// recordFile returns the record file of a document, false if it is neither a record nor
// a change.
func (d *document) recordFile() (records.File, bool) {
	if file, ok := records.FileOf(d.name); ok || fs.Place(d.name) != fs.NoDoc {
		return file, ok
	}
	_, name, _ := treeName(d.name)
	return records.FileOf(name)
}

// noteRecord keeps the facts of a record or a change.
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

// related returns the values of a relation: its own one, or those of its list. Words
// count only as parent_goal_id.
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

// noteItems keeps the items of a State or a hot context that records may name.
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

// recordNames holds the files of records and changes in a tree.
type recordNames struct {
	bases   map[string]bool            // names
	ids     map[string]map[string]bool // by kind, of both homes
	changes map[string]map[string]bool // their ids, by the name of the record's file
}

func (c *treeFacts) recordNames() *recordNames {
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
		file, ok := records.FileOf(name)
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
