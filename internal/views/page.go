package views

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/records"
)

// A page is a list in a document that is being rendered.
type page struct {
	list
	facts    *Facts
	texts    bool    // its items are texts alone, and stay so for the program that wrote them
	stood    itemSet // the items as they were rendered last
	doc      *jsonedit.Doc
	elements []element
}

// An element is an item in a list of a document.
type element struct {
	item
	node, index int            // in the document, and in the list
	record      records.Record // that it shows
	known       bool           // it shows one
	again       bool           // another item shows the record
	former      bool           // it has no id, and says what the record said before
}

// open reads the list in src.
func (p *page) open(src []byte) (err error) {
	if p.doc, err = jsonedit.Parse(src); err != nil {
		return err
	}
	p.elements = p.elements[:0]
	at := p.doc.Find(p.pointer)
	if at < 0 || p.doc.Nodes[at].Kind != jsonedit.Array {
		return nil
	}
	index := -1
	for node := range p.doc.Children(at) {
		index++
		if it, ok := p.item(p.doc, node); ok {
			p.elements = append(p.elements, element{item: it, node: node, index: index})
		}
	}
	for i, it := range p.facts.newTaking().items(p.list, p.doc) {
		e := &p.elements[i]
		e.item = it
		if e.record, e.known = p.facts.of(p.kind, it); !e.known && it.id == "" {
			if _, stood := p.stood.find(it); stood {
				e.record, e.known = p.facts.formerly(p.kind, it.text)
			}
		}
		e.former = e.known && it.id == "" && strings.TrimSpace(e.record.Text()) != it.text
	}
	p.findAgain()
	return nil
}

// findAgain notes the items whose record another item shows: those that have the same id, and those that have none.
// Where facts do not stand in records alone these are only those that say what the record said before.
func (p *page) findAgain() {
	same := map[string]bool{}
	for i, e := range p.elements {
		if e.known && e.id != "" && !e.wrong {
			p.elements[i].again, same[e.id] = same[e.id], true
		}
	}
	shown := map[string]bool{}
	for _, e := range p.elements {
		if e.known && (e.id != "" || !p.facts.only && !e.former) {
			shown[e.record.ID] = true
		}
	}
	for i, e := range p.elements {
		if e.known && e.id == "" && (p.facts.only || e.former) {
			p.elements[i].again = shown[e.record.ID]
			shown[e.record.ID] = true
		}
	}
}

// render brings the list in src up to the records.
func (p *page) render(src []byte) ([]byte, error) {
	if err := p.open(src); err != nil {
		return nil, err
	}
	if isMisplaced(p.doc, p.pointer) {
		return src, nil // a finding, and nobody's to mend here
	}
	for _, step := range []func() ([]byte, error){p.dropClosed, p.update, p.append} {
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

// dropClosed returns the document without the items whose records are no longer in force,
// or, where facts stand in records alone, are gone, and without those that another item says already.
// It returns nil where there is nothing to drop.
func (p *page) dropClosed() ([]byte, error) {
	drop := map[int]bool{}
	for _, e := range p.elements {
		if e.wrong {
			continue
		}
		stood, had := p.stood.find(e.item)
		if e.known && !e.record.InForce() || !e.known && had && p.facts.only && !e.detected() || e.again && (e.former || p.saysNothingElse(e) || string(e.raw) == string(stood.raw)) {
			drop[e.node] = true
		}
	}
	if len(drop) == 0 {
		return nil, nil
	}
	return jsonedit.Filter(p.doc.Src, p.pointer, func(_ *jsonedit.Doc, node int) bool { return !drop[node] })
}

// saysNothingElse reports whether an item has no member that its record has otherwise.
func (p *page) saysNothingElse(e element) bool {
	for name, value := range e.members {
		if !p.equal(name, value, e.record.Members[name]) {
			return false
		}
	}
	return true
}

// update returns the document with the members of items as their records have them, or
// nil where they are.
func (p *page) update() (src []byte, err error) {
	for _, e := range p.elements {
		if e.wrong {
			continue
		}
		if !e.known && e.id != "" && e.id != e.members.Text("id") { // another has the id that it says
			if src == nil {
				src = p.doc.Src
			}
			if src, err = jsonedit.Set(src, p.memberAt(e, "id"), fmt.Appendf(nil, "%q", e.id)); err != nil {
				return nil, err
			}
		}
		if !e.known || e.again {
			continue
		}
		if p.doc.Nodes[e.node].Kind != jsonedit.Object {
			if src, err = p.updateText(src, e); err != nil {
				return nil, err
			}
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

// updateText returns src, or the document if it is nil, with the text of an item that is its text alone as the
// record has it; src where it is.
func (p *page) updateText(src []byte, e element) ([]byte, error) {
	text := p.facts.shown(e.record)[p.kind.Text]
	if strings.TrimSpace(e.record.Text()) == e.text {
		return src, nil
	}
	if src == nil {
		src = p.doc.Src
	}
	return jsonedit.Set(src, fmt.Sprintf("%s/%d", p.pointer, e.index), text)
}

// behind returns what an item says otherwise than its record, and what it has that the
// record has not.
func (p *page) behind(e element) (set records.Members, gone []string) {
	set = records.Members{}
	shown := p.facts.shown(e.record)
	for name, value := range shown {
		if name == "id" && e.id == "" && !p.facts.only || slices.Contains(e.unfit, name) || p.equal(name, e.members[name], value) {
			continue
		}
		set[name] = value
	}
	for _, name := range []string{blocking, blockedBy} { // what it named is closed
		if shown[name] == nil && len(texts(e.members[name])) > 0 {
			set[name] = relation(name, nil, e.members[name])
		}
	}
	gone = unset(e.record)
	if e.detected() && e.record.Members["origin"] == nil { // somebody asks for it now
		gone = append(gone, "origin")
	}
	return set, slices.DeleteFunc(gone, func(name string) bool { return e.members[name] == nil || slices.Contains(e.unfit, name) })
}

// memberAt returns the pointer of a member of an element.
func (p *page) memberAt(e element, name string) string {
	return fmt.Sprintf("%s/%d/%s", p.pointer, e.index, token(p.written(p.doc, e.node, name)))
}

// fewItems is how many items are added one by one. Each takes a pass over the
// document; more are written at once, for a list may have any length.
const fewItems = 16

// append returns the document with the records in force that the list does not show, or
// nil where it shows all.
func (p *page) append() (src []byte, err error) {
	shown := map[string]bool{}
	for _, e := range p.elements {
		if e.known {
			shown[e.record.ID] = true
		}
	}
	var missing []json.RawMessage
	for _, rec := range p.facts.inForce(p.kind) {
		switch {
		case shown[rec.ID]:
		case p.texts:
			missing = append(missing, p.facts.shown(rec)[p.kind.Text])
		default:
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
