package views

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/records"
)

// Render returns src, the document called name, with its lists brought up to the
// records. It returns src itself where they are. last is how it was rendered last, nil
// where nobody knows: what that shows without a record had one, which git took away.
func Render(name string, src, last []byte, f *Facts) ([]byte, error) {
	before, err := jsonedit.Parse(last)
	if err != nil {
		before = nil
	}
	for _, l := range listsOf(name) {
		stood := itemSet{}
		if before != nil && f.only {
			stood.add(l.items(before))
		}
		if src, err = l.render(src, stood, f); err != nil {
			return nil, fmt.Errorf("render %s of %s: %w", l.pointer[1:], name, err)
		}
	}
	if name != fs.State {
		return src, nil
	}
	if src, err = renderProject(src, f.project); err != nil {
		return nil, fmt.Errorf("render %s: %w", name, err)
	}
	return src, nil
}

func (l list) render(src []byte, stood itemSet, f *Facts) ([]byte, error) {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return nil, err
	}
	if at := doc.Find(l.pointer); at >= 0 && doc.Nodes[at].Kind != jsonedit.Array && doc.Nodes[at].Kind != jsonedit.Null {
		return src, nil // a finding, and nobody's to mend here
	}
	if src, err = l.dropClosed(src, stood, f); err != nil {
		return nil, err
	}
	if src, err = l.update(src, f); err != nil {
		return nil, err
	}
	return l.append(src, f)
}

// dropClosed takes the items off the list whose records are no longer in force, or are
// gone: those in stood had one.
func (l list) dropClosed(src []byte, stood itemSet, f *Facts) ([]byte, error) {
	return jsonedit.Filter(src, l.pointer, func(doc *jsonedit.Doc, i int) bool {
		it, ok := l.item(doc, i)
		if !ok {
			return true
		}
		if rec, known := f.of(l.kind, it); known {
			return rec.InForce()
		}
		_, had := stood.find(it)
		return !had || it.detected()
	})
}

// update sets the members of items that differ from their records.
func (l list) update(src []byte, f *Facts) ([]byte, error) {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return nil, err
	}
	at := doc.Find(l.pointer)
	if at < 0 {
		return src, nil
	}
	index := -1
	for i := range doc.Children(at) {
		index++
		it, ok := l.item(doc, i)
		rec, known := f.of(l.kind, it)
		if !ok || !known || doc.Nodes[i].Kind != jsonedit.Object {
			continue
		}
		shown := f.shown(rec)
		for _, name := range []string{blocking, blockedBy} { // what it named is closed
			if shown[name] == nil && len(texts(it.members[name])) > 0 {
				shown[name] = relation(name, nil, it.members[name])
			}
		}
		for _, name := range slices.Sorted(maps.Keys(shown)) {
			value := shown[name]
			if name == "id" && it.id == "" && !f.only || l.equal(name, it.members[name], value) {
				continue
			}
			if src, err = jsonedit.Set(src, l.memberAt(doc, i, index, name), value); err != nil {
				return nil, err
			}
		}
		gone := unset(rec)
		if it.detected() && rec.Members["origin"] == nil { // somebody asks for it now
			gone = append(gone, "origin")
		}
		for _, name := range gone {
			if it.members[name] != nil {
				if src, err = jsonedit.Delete(src, l.memberAt(doc, i, index, name)); err != nil {
					return nil, err
				}
			}
		}
	}
	return src, nil
}

// unset returns the members that changes removed from a record.
func unset(rec records.Record) []string {
	names := map[string]bool{}
	for _, c := range rec.Changes {
		for name := range c.Set {
			if _, ok := rec.Members[name]; !ok {
				names[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// equal reports whether a member says the same in an item and in a record.
func (l list) equal(name string, a, b json.RawMessage) bool {
	if name == blocking || name == blockedBy {
		x, y := texts(a), texts(b)
		slices.Sort(x)
		slices.Sort(y)
		return slices.Equal(slices.Compact(x), slices.Compact(y))
	}
	return a != nil && b != nil && records.Same(a, b) || a == nil && string(b) == "null" || b == nil && string(a) == "null"
}

// written returns the name by which an element has a member.
func (l list) written(doc *jsonedit.Doc, element int, name string) string {
	if doc.Member(element, name) >= 0 {
		return name
	}
	for other, of := range l.spelling {
		if of == name && doc.Member(element, other) >= 0 {
			return other
		}
	}
	return name
}

// memberAt returns the pointer of a member of the element at index.
func (l list) memberAt(doc *jsonedit.Doc, element, index int, name string) string {
	name = strings.NewReplacer("~", "~0", "/", "~1").Replace(l.written(doc, element, name))
	return fmt.Sprintf("%s/%d/%s", l.pointer, index, name)
}

// append adds the records in force that the list does not show.
func (l list) append(src []byte, f *Facts) ([]byte, error) {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return nil, err
	}
	shown := map[string]bool{}
	for _, it := range l.items(doc) {
		if rec, ok := f.of(l.kind, it); ok {
			shown[rec.ID] = true
		}
	}
	var missing []json.RawMessage
	for _, rec := range f.inForce(l.kind) {
		if !shown[rec.ID] {
			missing = append(missing, ordered(l.kind, f.shown(rec)))
		}
	}
	if len(missing) == 0 {
		return src, nil
	}
	at := doc.Find(l.pointer)
	empty := at < 0 || doc.Nodes[at].Len == 0
	if len(missing) <= fewItems && !empty {
		for _, value := range missing {
			if src, err = jsonedit.Append(src, l.pointer, value); err != nil {
				return nil, err
			}
		}
		return src, nil
	}
	all := make([]json.RawMessage, 0, len(missing))
	if !empty {
		for i := range doc.Children(at) {
			all = append(all, json.RawMessage(doc.Raw(i)))
		}
	}
	value, err := jsonedit.Value(append(all, missing...))
	if err != nil {
		return nil, err
	}
	return jsonedit.Set(src, l.pointer, value)
}

// fewItems is how many items are added one by one. Each takes a pass over the
// document; more are written at once, for a list may have any length.
const fewItems = 16

// order is the order of the members of an item.
var order = []string{
	"id", "question", "action", "goal", "constraint", "note", "context", "asked_by", "asked_at", "status", "priority", "layer", "blocked_by", "blocking",
	"estimated_time_minutes", "assigned_to", "created_by", "agent", "created", "due", "parent_goal_id", "origin", "message",
}

// ordered returns a JSON object of members in their order; those that forgemind does
// not know follow by name.
func ordered(k records.Kind, m records.Members) json.RawMessage {
	names := slices.Sorted(maps.Keys(m))
	slices.SortStableFunc(names, func(a, b string) int { return place(k, a) - place(k, b) })
	out := []byte("{")
	for i, name := range names {
		if i > 0 {
			out = append(out, ',')
		}
		quoted, err := json.Marshal(name)
		if err != nil {
			panic(err) // a text
		}
		out = append(append(append(out, quoted...), ':'), m[name]...)
	}
	return append(out, '}')
}

func place(k records.Kind, name string) int {
	if k.Name == records.Goal.Name && name == "agent" { // as the document has it
		return len(order)
	}
	if i := slices.Index(order, name); i >= 0 {
		return i
	}
	return len(order)
}
