package jsonedit

import (
	"iter"
	"strconv"
	"strings"
)

// kind returns the kind of node i, Invalid if there is no such node.
func (d *Doc) kind(i int) Kind {
	if i < 0 || i >= len(d.Nodes) {
		return Invalid
	}
	return d.Nodes[i].Kind
}

// Find returns the index of the value at pointer (RFC 6901; "" is the root), -1 if
// there is none. Of duplicate members it takes the first.
func (d *Doc) Find(pointer string) int {
	tokens, ok := splitPointer(pointer)
	if !ok || len(d.Nodes) == 0 {
		return -1
	}
	at := 0
	for _, token := range tokens {
		if at = d.stepTo(at, token); at < 0 {
			return -1
		}
	}
	return at
}

// stepTo returns the child of node i at one token of a pointer, or -1.
func (d *Doc) stepTo(i int, token string) int {
	switch d.kind(i) {
	case Object:
		return d.Member(i, token)
	case Array:
		if k, ok := parseIndex(token); ok && k < int(d.Nodes[i].Len) {
			return d.child(i, k)
		}
	}
	return -1
}

// Member returns the index of the member with the given name, -1 if there is none
// or if object is not an object. Of duplicate members it returns the first.
func (d *Doc) Member(object int, name string) int {
	if d.kind(object) != Object {
		return -1
	}
	for i, end := int32(object)+1, d.Nodes[object].Next; i < end; {
		n := &d.Nodes[i]
		if (d.hasEscapes || int(n.KeyEnd-n.KeyStart) == len(name)+2) && string(d.name(n)) == name {
			return int(i)
		}
		i = n.Next
	}
	return -1
}

// Children yields the indexes of the direct children of node i, in order.
func (d *Doc) Children(i int) iter.Seq[int] {
	return func(yield func(int) bool) {
		if d.kind(i) == Invalid {
			return
		}
		for c, end := i+1, int(d.Nodes[i].Next); c < end; c = int(d.Nodes[c].Next) {
			if !yield(c) {
				return
			}
		}
	}
}

// Deeper returns the first node in node i that more than limit arrays and objects
// enclose, node i and itself counted if they are such; -1 if there is none.
func (d *Doc) Deeper(i, limit int) int {
	var open []int32 // where the arrays and objects end that enclose node k
	for k, end := i, int(d.Nodes[i].Next); k < end; k++ {
		for len(open) > 0 && int(open[len(open)-1]) <= k {
			open = open[:len(open)-1]
		}
		if n := &d.Nodes[k]; n.Kind == Array || n.Kind == Object {
			if open = append(open, n.Next); len(open) > limit {
				return k
			}
		}
	}
	return -1
}

// child returns the child of node i at index k, which must exist.
func (d *Doc) child(i, k int) int {
	c := i + 1
	for ; k > 0; k-- {
		c = int(d.Nodes[c].Next)
	}
	return c
}

// Pointer returns the JSON pointer of node i.
func (d *Doc) Pointer(i int) string {
	if d.kind(i) == Invalid {
		return ""
	}
	var tokens []string
	for parent := int(d.Nodes[i].Parent); parent >= 0; i, parent = parent, int(d.Nodes[parent].Parent) {
		if d.Nodes[parent].Kind == Object {
			tokens = append(tokens, pointerEscape.Replace(d.Key(i)))
			continue
		}
		tokens = append(tokens, strconv.Itoa(int(d.Nodes[i].KeyStart)))
	}
	var b strings.Builder
	for k := len(tokens) - 1; k >= 0; k-- {
		b.WriteByte('/')
		b.WriteString(tokens[k])
	}
	return b.String()
}

// Key returns the member name of node i, unescaped; "" if it is not a member.
func (d *Doc) Key(i int) string {
	if d.kind(i) == Invalid || d.Nodes[i].KeyEnd == 0 {
		return ""
	}
	return string(Unquote(d.Src[d.Nodes[i].KeyStart:d.Nodes[i].KeyEnd]))
}

// Str returns the string i, unescaped, or false if i is not a string.
func (d *Doc) Str(i int) (string, bool) {
	if d.kind(i) != String {
		return "", false
	}
	return string(Unquote(d.Raw(i))), true
}

// Raw returns the text of value i, a slice of Src; nil if there is no value i.
func (d *Doc) Raw(i int) []byte {
	if d.kind(i) == Invalid {
		return nil
	}
	n := &d.Nodes[i]
	return d.Src[n.Start:n.End:n.End]
}
