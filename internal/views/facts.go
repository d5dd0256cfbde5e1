package views

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/schema"
)

// Facts are the records that views show.
type Facts struct {
	records     map[string][]records.Record // by kind
	byID        map[string]int              // kind and id → place
	byText      map[string]int              // kind and text → place, of those in force
	project     records.Record
	follows     bool                       // the members of project have what follows from its changes; see Then
	given       bool                       // a change that is not written yet gives the project its status
	tree        fs.Reader                  // that they were read from
	hasDecision func() bool                // a file of the tree holds a decision; asked once
	only        bool                       // facts stand in records alone; see schema.Config
	naming      map[string][]string        // relation and id → the records in force that name the id by it
	force       map[string][]int           // by kind, the places of those in force in the order in which they were made
	members     map[string]records.Members // kind and id → the members of one in force as views show them
	former      func() map[string]int      // kind and a text that a record had → place; asked once
	stale       bool                       // records changed since the index was made
}

// Read returns the records that views show, and the files that could not be read.
func Read(r fs.Reader) (*Facts, []records.Fault) {
	f := &Facts{tree: r, hasDecision: sync.OnceValue(func() bool { return hasDecision(r) }), records: map[string][]records.Record{}, byID: map[string]int{}}
	var faults []records.Fault
	for _, k := range kinds {
		all, wrong := records.Current(r, k)
		faults = append(faults, wrong...)
		if k.Name == records.Note.Name {
			all = slices.DeleteFunc(all, func(rec records.Record) bool { return rec.Members["section"] != nil })
		}
		f.records[k.Name] = all
		for i, rec := range all {
			f.byID[key(k, rec.ID)] = i
		}
	}
	f.only = onlyRecords(r)
	project, wrong := records.ReadProject(r)
	faults = append(faults, wrong...)
	if f.only && project.Exists() {
		f.project, f.follows = project.Derive(), true
	} else { // the State alone says what was reached
		f.project = project
		f.project.Members = maps.Clone(project.Members)
		maps.DeleteFunc(f.project.Members, func(name string, _ json.RawMessage) bool { return records.IsProgress(name) })
	}
	f.index()
	return f, faults
}

// index finds the records in force, their texts, and what they name.
func (f *Facts) index() {
	f.former = sync.OnceValue(f.formerTexts)
	f.byText, f.naming, f.force, f.members = map[string]int{}, map[string][]string{}, map[string][]int{}, map[string]records.Members{}
	for _, k := range kinds {
		at := make([]string, len(f.records[k.Name]))
		var places []int
		for i, rec := range f.records[k.Name] {
			if !rec.InForce() {
				continue
			}
			places, at[i] = append(places, i), made(rec.Base)
			text := key(k, strings.TrimSpace(rec.Text()))
			if _, ok := f.byText[text]; !ok {
				f.byText[text] = i
			}
		}
		slices.SortStableFunc(places, func(a, b int) int { return cmp.Compare(at[a], at[b]) })
		f.force[k.Name] = places
	}
	f.relate(records.Question, blocking)
	f.relate(records.Action, blockedBy)
	for _, k := range kinds {
		for _, i := range f.force[k.Name] {
			rec := f.records[k.Name][i]
			f.members[key(k, rec.ID)] = f.show(rec)
		}
	}
	f.dropCircularParents()
	f.stale = false
}

// dropCircularParents removes the parent of a goal that is a part of itself by way of
// others, as after a merge of two branches: goals are shown as trees.
func (f *Facts) dropCircularParents() {
	const parent = "parent_goal_id"
	above := map[string]string{} // by id: the id of the goal that a goal is shown under
	for _, i := range f.force[records.Goal.Name] {
		id := f.records[records.Goal.Name][i].ID
		shown := f.members[key(records.Goal, id)]
		top, known := f.byID[key(records.Goal, shown.Text(parent))]
		if !known {
			if top, known = f.byText[key(records.Goal, strings.TrimSpace(shown.Text(parent)))]; !known {
				continue
			}
		}
		up := f.records[records.Goal.Name][top].ID
		for at := up; at != ""; at = above[at] {
			if at == id {
				delete(shown, parent)
				up = ""
				break
			}
		}
		above[id] = up
	}
}

// any reports whether a record is in force.
func (f *Facts) any() bool {
	return slices.ContainsFunc(kinds, func(k records.Kind) bool { return len(f.force[k.Name]) > 0 })
}

// renew makes the index again if records changed.
func (f *Facts) renew() {
	if f.stale {
		f.index()
	}
}

// onlyRecords reports whether the configuration says that facts stand in records alone.
func onlyRecords(r fs.Reader) bool {
	for _, name := range []string{fs.Config, fs.QuaidConfig} {
		var config schema.Config
		src, err := r.Read(name)
		if err == nil && jsonedit.Decode(src, &config) == nil && config.Records() {
			return true
		}
	}
	return false
}

// The members by which questions and actions name one another.
const (
	blocking  = "blocking"   // of a question: the actions that wait for it
	blockedBy = "blocked_by" // of an action: what it waits for
)

// relate notes which records in force a member names.
func (f *Facts) relate(k records.Kind, member string) {
	for _, rec := range f.records[k.Name] {
		if !rec.InForce() {
			continue
		}
		for _, id := range texts(rec.Members[member]) {
			f.naming[member+" "+id] = append(f.naming[member+" "+id], rec.ID)
		}
	}
}

func key(k records.Kind, s string) string { return k.Name + " " + s }

// Project returns the record of the project.
func (f *Facts) Project() records.Record { return f.project }

// Then returns the facts with a change of the project that is not written yet, and what follows
// from it; c and set are those of [records.Record.Change]. Where the State alone tells of the
// project, stood is the State that the change was made to; nothing follows if it is nil.
func (f *Facts) Then(c records.Change, set map[string]any, stood []byte) (*Facts, error) {
	with := *f
	var err error
	with.project, err = f.project.Then(c, set)
	if v, ok := set["status"]; ok {
		status, err := jsonedit.Value(v)
		with.given = err == nil && string(status) != "null"
	}
	if err != nil || f.project.Derives() || stood == nil {
		return &with, err
	}
	then := records.Record{Kind: records.Project, Base: maps.Clone(ProjectOf(stood).Reached())}
	if _, entered := set[records.Layer]; entered { // and be it again
		delete(then.Base, records.Layer)
	}
	then.Members = then.Base
	if then, err = then.Derive().Then(c, set); err != nil {
		return nil, err
	}
	begun := then.Members.HasStatus() && !then.Base.HasStatus() && !with.project.Members.HasStatus()
	for name, value := range then.Members.Reached() {
		if records.IsProgress(name) || name == "status" && begun {
			with.project.Members[name] = value
		}
	}
	with.follows = true
	return &with, nil
}

// status returns the status that a State shows: a project with a decision has begun, unless
// somebody gave it a status.
func (f *Facts) status(state []byte) json.RawMessage {
	m := f.project.Members
	if _, given := f.project.SetBy("status"); given || f.given || m.HasStatus() || !f.decided(state) {
		return m["status"]
	}
	return m.Begun()["status"]
}

// decided reports whether the tree has a decision. Those that the State shows are looked for
// first, for there may be many.
func (f *Facts) decided(state []byte) bool {
	if doc, err := jsonedit.Parse(state); err == nil {
		if shown := doc.Find("/recent_decisions"); shown >= 0 {
			for d := range doc.Children(shown) {
				id, _ := doc.Str(doc.Member(d, "id"))
				if !schema.ValidID(id) {
					continue
				}
				for _, home := range []string{fs.Forgemind, fs.Quaid} {
					if isDecision(f.tree, home+"/"+fs.DecisionsDir+"/"+id+".json") {
						return true
					}
				}
			}
		}
	}
	return f.hasDecision()
}

// hasDecision reports whether a tree has a decision.
func hasDecision(r fs.Reader) bool {
	for _, home := range []string{fs.Forgemind, fs.Quaid} {
		for name, err := range r.Names(home + "/" + fs.DecisionsDir) {
			if err == nil && isDecision(r, name) {
				return true
			}
		}
	}
	return false
}

// isDecision reports whether a file holds a decision that is not only proposed.
func isDecision(r fs.Reader, name string) bool {
	if fs.Place(name) != fs.DocDecision {
		return false
	}
	var d schema.Decision
	src, err := r.Read(name)
	return err == nil && jsonedit.Decode(src, &d) == nil && !d.IsProposed()
}

// With returns the facts with the members that edits set and remove.
func (f *Facts) With(edits []Edit) (*Facts, error) {
	f.renew()
	with := *f
	var err error
	with.records = maps.Clone(f.records)
	cloned := map[string]bool{}
	for _, e := range edits {
		i, ok := f.byID[key(e.Kind, e.ID)]
		if !ok || e.Closed {
			continue
		}
		if !cloned[e.Kind.Name] {
			cloned[e.Kind.Name], with.records[e.Kind.Name] = true, slices.Clone(f.records[e.Kind.Name])
		}
		rec := &with.records[e.Kind.Name][i]
		*rec = rec.Whole()
		if *rec, err = rec.Then(records.Change{}, e.Set); err != nil {
			return nil, err
		}
	}
	with.index()
	return &with, nil
}

// Taken reports whether a record of any kind that views show has the id.
func (f *Facts) Taken(id string) bool {
	return slices.ContainsFunc(kinds, func(k records.Kind) bool { _, ok := f.byID[key(k, id)]; return ok })
}

// of returns the record that an item shows: that of its id, or for want of an id the
// one in force that has its text, or the one that was made of it.
func (f *Facts) of(k records.Kind, it item) (records.Record, bool) {
	i, ok := f.byID[key(k, it.id)]
	if it.id == "" {
		f.renew()
		if i, ok = f.byText[key(k, it.text)]; !ok {
			i, ok = f.byID[key(k, it.recordID(k))]
		}
	}
	if !ok {
		return records.Record{}, false
	}
	return f.records[k.Name][i], true
}

// formerly returns the record of kind k, in force or not, that had the text.
func (f *Facts) formerly(k records.Kind, text string) (records.Record, bool) {
	i, ok := f.former()[key(k, text)]
	if !ok || text == "" {
		return records.Record{}, false
	}
	return f.records[k.Name][i], true
}

// formerTexts returns the places of records by their kinds and the texts that they had.
func (f *Facts) formerTexts() map[string]int {
	places := map[string]int{}
	for _, k := range kinds {
		for i, rec := range f.records[k.Name] {
			rec = rec.Whole()
			places[key(k, strings.TrimSpace(rec.Base.Text(k.Text)))] = i
			for _, c := range rec.Changes {
				places[key(k, strings.TrimSpace(c.Set.Text(k.Text)))] = i
			}
		}
	}
	return places
}

// closed reports whether the id is that of a question or an action that is no longer
// in force.
func (f *Facts) closed(id string) bool {
	for _, k := range []records.Kind{records.Question, records.Action} {
		if i, ok := f.byID[key(k, id)]; ok {
			return !f.records[k.Name][i].InForce()
		}
	}
	return false
}

// inForce returns the records in force in the order in which they were made.
func (f *Facts) inForce(k records.Kind) []records.Record {
	f.renew()
	all := make([]records.Record, 0, len(f.force[k.Name]))
	for _, i := range f.force[k.Name] {
		all = append(all, f.records[k.Name][i])
	}
	return all
}

// made returns when a record was made, as its members say.
func made(m records.Members) string { return cmp.Or(m.Text("created"), m.Text("asked_at")) }

// private are members of records that views do not show.
var private = []string{"session", "$schema"}

// shown returns the members of a record as a view shows them. Who changes them clones
// them first.
func (f *Facts) shown(rec records.Record) records.Members {
	f.renew()
	if m, ok := f.members[key(rec.Kind, rec.ID)]; ok {
		return m
	}
	return f.show(rec)
}

func (f *Facts) show(rec records.Record) records.Members {
	m := records.Members{}
	for name, value := range rec.Members {
		if !slices.Contains(private, name) {
			m[name] = value
		}
	}
	switch rec.Kind.Name {
	case records.Action.Name:
		delete(m, "status")
		f.showRelation(m, rec.ID, blockedBy)
	case records.Question.Name:
		f.showRelation(m, rec.ID, blocking)
	case records.Constraint.Name, records.Note.Name:
		delete(m, "status")
	}
	return m
}

// showRelation completes a member by which questions and actions name one another:
// what is closed leaves it, and what names the record itself is added.
func (f *Facts) showRelation(m records.Members, id, member string) {
	reverse := blocking
	if member == blocking {
		reverse = blockedBy
	}
	before := texts(m[member])
	now := slices.DeleteFunc(slices.Clone(before), f.closed)
	for _, other := range f.naming[reverse+" "+id] {
		if !slices.Contains(now, other) {
			now = append(now, other)
		}
	}
	if !slices.Equal(before, now) {
		m[member] = relation(member, now, m[member])
	}
}

// relation returns the value of a relation that names ids. instead is what stood there.
func relation(member string, ids []string, instead json.RawMessage) json.RawMessage {
	var v any = ids
	switch {
	case len(ids) == 0 && (len(instead) == 0 || instead[0] != '['):
		v = nil
	case len(ids) == 1 && member == blockedBy && (len(instead) == 0 || instead[0] != '['):
		v = ids[0]
	case len(ids) == 0:
		v = []string{}
	}
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // texts
	}
	return text
}

// texts returns what a value says that is one text or a list of them.
func texts(value json.RawMessage) []string {
	var one string
	if json.Unmarshal(value, &one) == nil {
		if one == "" {
			return nil
		}
		return []string{one}
	}
	var all []any
	if json.Unmarshal(value, &all) != nil {
		return nil
	}
	var list []string
	for _, v := range all {
		if s, ok := v.(string); ok {
			list = append(list, s)
		}
	}
	return list
}
