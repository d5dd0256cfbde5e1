package views

import (
	"maps"
	"slices"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/records"
)

// An Ignored is an item of a view that differs from its record in a way that is not taken over,
// because the edited rendering is unknown. The next rendering shows the record again.
type Ignored struct {
	Document string
	Offset   int // offset of the item in the view, in bytes
	Kind     records.Kind
	ID       string
	Members  []string // members that differ, sorted; none if the record is closed
}

// IgnoredIn returns the items of documents that differ from their records without an edit that
// explains it. These are items that the rendering before the edit did not show, and all items if
// that rendering is unknown.
func IgnoredIn(documents []Document, f *Facts) []Ignored {
	var all []Ignored
	for _, d := range documents {
		after, err := jsonedit.Parse(d.After)
		if err != nil {
			continue // an invalid document is a finding
		}
		before, err := jsonedit.Parse(d.Before)
		for _, l := range listsOf(d.Name) {
			stood := itemSet{}
			if err == nil && !d.Unknown {
				stood.add(l.items(before))
			}
			items := l.items(after)
			double := ambiguous(items)
			for _, it := range items {
				if _, known := stood.find(it); !known && !double[it.id] {
					all = append(all, d.ignored(l, it, f)...)
				}
			}
		}
		all = append(all, d.ignoredProject(after, f)...)
	}
	return all
}

// ignored compares one item of a list with its record.
func (d Document) ignored(l list, it item, f *Facts) []Ignored {
	rec, known := f.of(l.kind, it)
	if !known || it.detected() {
		return nil
	}
	rec = rec.Whole()
	found := Ignored{Document: d.Name, Offset: it.offset, Kind: l.kind, ID: rec.ID}
	if !rec.InForce() {
		if d.Unknown { // the rendering showed it
			return nil
		}
		return []Ignored{found}
	}
	shown := f.shown(rec)
	for _, name := range slices.Sorted(maps.Keys(it.members)) {
		if name != "id" && !l.equal(name, it.members[name], shown[name]) {
			found.Members = append(found.Members, name)
		}
	}
	if len(found.Members) == 0 {
		return nil
	}
	return []Ignored{found}
}

// ignoredProject compares a State whose rendering is unknown with the record of the project.
func (d Document) ignoredProject(doc *jsonedit.Doc, f *Facts) []Ignored {
	if !d.Unknown {
		return nil
	}
	found := Ignored{Document: d.Name, Kind: records.Project, ID: f.project.ID}
	says := ProjectOf(d.After)
	for _, name := range slices.Sorted(maps.Keys(says)) {
		if held, ok := f.project.Members[name]; ok && !records.Same(held, says[name]) {
			if found.Members == nil {
				found.Offset = int(doc.Nodes[doc.Find(projectPointer(name))].Start)
			}
			found.Members = append(found.Members, name)
		}
	}
	if found.Members == nil {
		return nil
	}
	return []Ignored{found}
}

// ambiguous returns the ids of several different items. Which of them is meant is unknown, and
// validate reports them.
func ambiguous(items []item) map[string]bool {
	first, found := map[string]item{}, map[string]bool{}
	for _, it := range items {
		if it.id == "" {
			continue
		}
		if other, ok := first[it.id]; !ok {
			first[it.id] = it
		} else if !it.same(other) {
			found[it.id] = true
		}
	}
	return found
}

// same reports whether two items are equal.
func (a item) same(b item) bool {
	return maps.EqualFunc(a.members, b.members, records.Same)
}
