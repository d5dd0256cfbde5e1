package views

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/records"
)

// A page is a list of a document that is being rendered.
type page struct {
	list
	facts    *Facts
	doc      *jsonedit.Doc
	elements []element
	double   map[string]bool // ids of several different elements
}

// An element is an item of a list in a document.
type element struct {
	item
	node, index int            // in the document, and in the list
	record      records.Record // the record that it shows
	known       bool           // whether it shows one
}

// open reads the list in src.
func (p *page) open(src []byte) (err error) {
	if p.doc, err = jsonedit.Parse(src); err != nil {
		return err
	}
	p.elements, p.double = p.elements[:0], nil
	at := p.doc.Find(p.pointer)
	if at < 0 || p.doc.Nodes[at].Kind != jsonedit.Array {
		return nil
	}
	index := -1
	for node := range p.doc.Children(at) {
		index++
		if it, ok := p.item(p.doc, node); ok {
			rec, known := p.facts.of(p.kind, it)
			p.elements = append(p.elements, element{it, node, index, rec, known})
		}
	}
	p.double = ambiguous(p.items(p.doc))
	return nil
}

// render updates the list in src. The argument stood holds the items that had a record at the last
// rendering.
func (p *page) render(src []byte, stood itemSet) ([]byte, error) {
	if err := p.open(src); err != nil {
		return nil, err
	}
	if at := p.doc.Find(p.pointer); at >= 0 && p.doc.Nodes[at].Kind != jsonedit.Array && p.doc.Nodes[at].Kind != jsonedit.Null {
		return src, nil // an invalid list is a finding and is not corrected here
	}
	dropClosed := func() ([]byte, error) { return p.dropClosed(stood) }
	for _, step := range []func() ([]byte, error){dropClosed, p.dropDuplicates, p.update, p.append} {
		now, err := step()
		if err == nil && now != nil {
			err = p.open(now)
		}
		if err != nil {
			return nil, err
		}
	}
	return p.doc.Src, nil
}

// dropClosed returns the document without the items whose records are closed or removed; the items
// in stood had a record. It returns nil if there are none.
func (p *page) dropClosed(stood itemSet) ([]byte, error) {
	drop := map[int]bool{}
	for _, e := range p.elements {
		_, had := stood.find(e.item)
		if e.known && !e.record.InForce() || !e.known && had && !e.detected() {
			drop[e.node] = true
		}
	}
	return p.drop(drop)
}

// dropDuplicates returns the document without items that show the same record as another item.
// These are identical items, and items without an id, which are found by text. Different items with
// one id all stay. It returns nil if there are no duplicates.
func (p *page) dropDuplicates() ([]byte, error) {
	first := map[string]int{} // index of the element that stays, by record
	for i, e := range p.elements {
		at, found := first[e.record.ID]
		if e.known && (!found && (e.id != "" || p.facts.only) || found && e.id != "" && p.elements[at].id == "") {
			first[e.record.ID] = i
		}
	}
	drop := map[int]bool{}
	for i, e := range p.elements {
		at, found := first[e.record.ID]
		if e.known && found && at != i && !p.double[e.record.ID] {
			drop[e.node] = e.id == "" || e.same(p.elements[at].item)
		}
	}
	return p.drop(drop)
}

// drop returns the document without the given elements, or nil if there are none.
func (p *page) drop(nodes map[int]bool) ([]byte, error) {
	if len(nodes) == 0 {
		return nil, nil
	}
	return jsonedit.Filter(p.doc.Src, p.pointer, func(_ *jsonedit.Doc, node int) bool { return !nodes[node] })
}

// update returns the document with the members of items set to those of their records, or nil if
// they are equal.
func (p *page) update() (src []byte, err error) {
	for _, e := range p.elements {
		if !e.known || p.double[e.id] || p.doc.Nodes[e.node].Kind != jsonedit.Object {
			continue
		}
		set, gone := p.behind(e)
		if src == nil && len(set)+len(gone) > 0 {
			src = p.doc.Src
		}
		for _, name := range slices.Sorted(maps.Keys(set)) {
			if src, err = jsonedit.Set(src, p.memberAt(e, name), set[name]); err != nil {
				return nil, err
			}
		}
		for _, name := range gone {
			if src, err = jsonedit.Delete(src, p.memberAt(e, name)); err != nil {
				return nil, err
			}
		}
	}
	return src, nil
}

// behind returns the members of the record that differ in the item, and the members that only the
// item has.
func (p *page) behind(e element) (set records.Members, gone []string) {
	set = records.Members{}
	shown := p.facts.shown(e.record)
	for name, value := range shown {
		if name == "id" && e.id == "" && !p.facts.only || p.equal(name, e.members[name], value) {
			continue
		}
		set[name] = value
	}
	for _, name := range []string{blocking, blockedBy} { // the record that it named is closed
		if shown[name] == nil && len(texts(e.members[name])) > 0 {
			set[name] = relation(name, nil, e.members[name])
		}
	}
	gone = unset(e.record)
	if e.detected() && e.record.Members["origin"] == nil { // somebody confirmed it
		gone = append(gone, "origin")
	}
	return set, slices.DeleteFunc(gone, func(name string) bool { return e.members[name] == nil })
}

// memberAt returns the pointer of a member of an element.
func (p *page) memberAt(e element, name string) string {
	name = jsonedit.EscapePointer(p.written(p.doc, e.node, name))
	return fmt.Sprintf("%s/%d/%s", p.pointer, e.index, name)
}

// fewItems is the largest number of items that are added one by one. Each takes a pass over the
// document, so more are written at once.
const fewItems = 16

// append returns the document with the records in force that the list lacks, or nil if it has all.
func (p *page) append() (src []byte, err error) {
	shown := map[string]bool{}
	for _, e := range p.elements {
		if e.known {
			shown[e.record.ID] = true
		}
	}
	var missing []json.RawMessage
	for _, rec := range p.facts.inForce(p.kind) {
		if !shown[rec.ID] {
			missing = append(missing, ordered(p.kind, p.facts.shown(rec)))
		}
	}
	if len(missing) == 0 {
		return nil, nil
	}
	at := p.doc.Find(p.pointer)
	empty := at < 0 || p.doc.Nodes[at].Len == 0
	if len(missing) <= fewItems && !empty {
		src = p.doc.Src
		for _, value := range missing {
			if src, err = jsonedit.Append(src, p.pointer, value); err != nil {
				return nil, err
			}
		}
		return src, nil
	}
	all := make([]json.RawMessage, 0, len(missing))
	if !empty {
		for i := range p.doc.Children(at) {
			all = append(all, json.RawMessage(p.doc.Raw(i)))
		}
	}
	value, err := jsonedit.Value(append(all, missing...))
	if err != nil {
		return nil, err
	}
	return jsonedit.Set(p.doc.Src, p.pointer, value)
}
