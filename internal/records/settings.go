package records

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// Element returns the name of the member by which a change says that a text is in a list: by a number, which orders
// the texts of one change, or by false that it is not.
func Element(list, text string) string { return list + "/" + text }

// said returns what the file of a record says of a member, null for nothing. Of an element of a list that is true if the
// list has it.
func (m Members) said(name string) json.RawMessage {
	if value, ok := m[name]; ok {
		return value
	}
	if list, text, ok := strings.Cut(name, "/"); ok && slices.Contains(m.texts(list), text) {
		return json.RawMessage("true")
	}
	return json.RawMessage("null")
}

// texts returns the texts of a list; none of what is no list of texts.
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

// joinElements replaces the members that say of elements of a list whether they are there: the list has those that are, in
// the order of the changes that said so last.
func (m Members) joinElements(list string, changes []Change) {
	last := map[string]int{} // which change that is
	for i, c := range changes {
		for name := range c.Set {
			last[name] = i
		}
	}
	var names []string
	for name := range m {
		if strings.HasPrefix(name, list+"/") {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		x, _ := m.Number(a)
		y, _ := m.Number(b)
		return cmp.Or(cmp.Compare(last[a], last[b]), cmp.Compare(x, y), cmp.Compare(a, b))
	})
	texts := m.texts(list)
	for _, name := range names {
		_, text, _ := strings.Cut(name, "/")
		switch there := slices.Contains(texts, text); {
		case string(m[name]) == "false":
			texts = slices.DeleteFunc(texts, func(s string) bool { return s == text })
		case !there:
			texts = append(texts, text)
		}
		delete(m, name)
	}
	if value, err := jsonedit.Value(texts); err == nil && len(names) > 0 {
		m[list] = value
	}
}
