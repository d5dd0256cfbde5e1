package jsonedit

import "bytes"

// same reports whether value i of a and value j of b mean the same: numbers
// are compared exactly, strings unescaped, objects without regard to order.
// Nothing is the same as an object that has a name twice.
func same(a *Doc, i int, b *Doc, j int) bool {
	x, y := &a.Nodes[i], &b.Nodes[j]
	if x.Kind != y.Kind || x.Len != y.Len {
		return false
	}
	switch x.Kind {
	case Number:
		return sameNumber(a.Raw(i), b.Raw(j))
	case String:
		return bytes.Equal(Unquote(a.Raw(i)), Unquote(b.Raw(j)))
	case Array:
		j++
		for c := range a.Children(i) {
			if !same(a, c, b, j) {
				return false
			}
			j = int(b.Nodes[j].Next)
		}
	case Object:
		return sameMembers(a, i, b, j)
	}
	return true
}

func sameMembers(a *Doc, i int, b *Doc, j int) bool {
	members := make(map[string]int, b.Nodes[j].Len)
	for c := range b.Children(j) {
		members[b.Key(c)] = c
	}
	for c := range a.Children(i) {
		other, ok := members[a.Key(c)]
		if !ok || !same(a, c, b, other) {
			return false
		}
		delete(members, a.Key(c)) // a name that comes again is not found again
	}
	return len(members) == 0
}
