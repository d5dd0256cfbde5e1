package sync

import (
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/records"
)

// mergeJSON returns ours with the members that theirs changed since base. It reports the pointers of
// values that both sides changed, where ours holds. It returns false if one of the texts is no JSON
// object.
func mergeJSON(base, ours, theirs []byte) (merged []byte, conflicts []string, ok bool) {
	m := merging{merged: ours}
	for i, src := range [][]byte{base, ours, theirs} {
		doc, err := jsonedit.Parse(src)
		if err != nil || doc.Nodes[0].Kind != jsonedit.Object {
			return nil, nil, false
		}
		m.docs[i] = doc
	}
	if err := m.objects("", [3]int{0, 0, 0}); err != nil {
		return nil, nil, false
	}
	return m.merged, m.conflicts, true
}

// A merging is a merge under way. The documents are the base, ours and theirs.
type merging struct {
	docs      [3]*jsonedit.Doc
	merged    []byte
	conflicts []string
}

// objects merges the members of three objects, which are nodes of the documents.
func (m *merging) objects(pointer string, nodes [3]int) error {
	seen := map[string]bool{}
	for _, side := range []int{2, 0} { // members that theirs has, then those that it removed
		for child := range m.docs[side].Children(nodes[side]) {
			name := m.docs[side].Key(child)
			if seen[name] {
				continue
			}
			seen[name] = true
			if err := m.member(pointer+"/"+jsonedit.EscapePointer(name), name, nodes); err != nil {
				return err
			}
		}
	}
	return nil
}

// member merges one member of three objects.
func (m *merging) member(pointer, name string, nodes [3]int) error {
	var at [3]int
	var raw [3][]byte
	allObjects := true
	for i, doc := range m.docs {
		at[i] = doc.Member(nodes[i], name)
		if at[i] >= 0 {
			raw[i] = doc.Raw(at[i])
		}
		allObjects = allObjects && at[i] >= 0 && doc.Nodes[at[i]].Kind == jsonedit.Object
	}
	var err error
	switch base, ours, theirs := raw[0], raw[1], raw[2]; {
	case same(base, theirs), same(ours, theirs): // theirs is no change, or ours is the same one
	case allObjects:
		return m.objects(pointer, at)
	case !same(base, ours):
		m.conflicts = append(m.conflicts, pointer)
	case theirs == nil:
		m.merged, err = jsonedit.Delete(m.merged, pointer)
	default:
		m.merged, err = jsonedit.Set(m.merged, pointer, theirs)
	}
	return err
}

// same reports whether two values, nil for a missing one, are equal.
func same(a, b []byte) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return records.Same(a, b)
}
