package views

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

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
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return nil, fmt.Errorf("render %s: %w", name, err)
	}
	for _, l := range listsOf(name) {
		p := page{list: l, facts: f, texts: l.isOfTexts(doc, before), stood: itemSet{}}
		if before != nil {
			p.stood.add(f.newTaking().items(l, before))
		}
		if src, err = p.render(src); err != nil {
			return nil, fmt.Errorf("render %s of %s: %w", l.pointer[1:], name, err)
		}
	}
	if name != fs.State {
		return src, nil
	}
	project := f.project
	if f.follows && (project.Derives() || !ProjectOf(src).HasStatus()) {
		if status := f.status(src); status != nil {
			project.Members = maps.Clone(project.Members)
			project.Members["status"] = status
		}
	}
	if src, err = renderProject(src, project, f.follows); err != nil {
		return nil, fmt.Errorf("render %s: %w", name, err)
	}
	return src, nil
}

// unset returns the members that changes removed from a record.
func unset(rec records.Record) []string {
	names := map[string]bool{}
	for _, c := range rec.Changes {
		for name := range c.Set {
			if _, ok := rec.Members[name]; !ok && !records.IsProgress(name) {
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
