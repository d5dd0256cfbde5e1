package records

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// Element returns the name of the member by which a change says that a text is in a list: by a number, which orders
// the texts of one change, or by false that it is not.
func Element(list, text string) string { return list + "/" + text }

// said returns what the file of a record says of a member, or of an element of a list: true if it is there. It
// returns null for nothing.
func (m Members) said(name string) json.RawMessage {
	if value, ok := m[name]; ok {
		return value
	}
	if list, text, ok := strings.Cut(name, "/"); ok && slices.Contains(m.texts(list), text) {
		return json.RawMessage("true")
	}
	return json.RawMessage("null")
}

// texts returns the texts of a list.
func (m Members) texts(list string) (texts []string) {
	if jsonedit.Decode(m[list], &texts) != nil {
		return nil
	}
	return texts
}

// overtaken reports whether somebody edited a member in the file of the record since the change saw it.
func (c Change) overtaken(name string, base Members) bool {
	saw, ok := c.Saw[name]
	return ok && !Same(saw, base.said(name))
}

// joinElements puts what changes, in their order, say of elements into the lists.
func (m Members) joinElements(changes []Change) {
	for _, c := range changes {
		names := slices.SortedFunc(maps.Keys(c.Set), func(a, b string) int {
			x, _ := c.Set.Number(a)
			y, _ := c.Set.Number(b)
			return cmp.Or(cmp.Compare(x, y), cmp.Compare(a, b))
		})
		for _, name := range names {
			list, text, ok := strings.Cut(name, "/")
			value, set := m[name]
			if !ok || !set {
				continue
			}
			delete(m, name)
			texts, there := m.texts(list), string(value) != "false"
			if there != slices.Contains(texts, text) {
				m[list] = withElement(texts, text, there)
			}
		}
	}
}

// withElement returns a list with a text as its last one, or without it.
func withElement(texts []string, text string, there bool) json.RawMessage {
	if there {
		texts = append(texts, text)
	} else {
		texts = slices.DeleteFunc(texts, func(s string) bool { return s == text })
	}
	value, err := jsonedit.Value(texts)
	if err != nil {
		return json.RawMessage("[]")
	}
	return value
}
