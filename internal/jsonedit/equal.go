package jsonedit

import "bytes"

// equalValues reports whether value i of a and value j of b are equal: numbers by
// their exact value, strings unescaped, objects without regard to order. An object
// with duplicate members equals nothing.
func equalValues(a *Doc, i int, b *Doc, j int) bool {
	x, y := &a.Nodes[i], &b.Nodes[j]
	if x.Kind != y.Kind || x.Len != y.Len {
		return false
	}
	switch x.Kind {
	case Number:
		return equalNumbers(a.Raw(i), b.Raw(j))
	case String:
		return bytes.Equal(Unquote(a.Raw(i)), Unquote(b.Raw(j)))
	case Array:
		j++
		for c := range a.Children(i) {
			if !equalValues(a, c, b, j) {
				return false
			}
			j = int(b.Nodes[j].Next)
		}
	case Object:
		return equalMembers(a, i, b, j)
	}
	return true
}

func equalMembers(a *Doc, i int, b *Doc, j int) bool {
	members := make(map[string]int, b.Nodes[j].Len)
	for c := range b.Children(j) {
		members[b.Key(c)] = c
	}
	for c := range a.Children(i) {
		other, ok := members[a.Key(c)]
		if !ok || !equalValues(a, c, b, other) {
			return false
		}
		delete(members, a.Key(c)) // so that a duplicate of it is not found
	}
	return len(members) == 0
}
