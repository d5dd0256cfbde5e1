package jsonedit

import (
	"cmp"
	"slices"
	"strconv"
)

// Canonical appends a key of value i to dst. Two values have the same key if and only
// if they are equal: numbers by value, objects without regard to order. Of duplicate
// members the first counts. The key is not JSON.
func (d *Doc) Canonical(dst []byte, i int) []byte {
	switch d.kind(i) {
	case Null, False, True:
		return append(dst, d.Src[d.Nodes[i].Start])
	case Number:
		return canonicalNumber(dst, d.Raw(i))
	case String:
		return canonicalString(dst, Unquote(d.Raw(i)))
	case Array:
		dst = append(dst, '[')
		for c := range d.Children(i) {
			dst = d.Canonical(dst, c)
		}
		return append(dst, ']')
	case Object:
		return d.canonicalObject(dst, i)
	}
	return dst
}

func (d *Doc) canonicalObject(dst []byte, i int) []byte {
	type member struct {
		name  string
		value int
	}
	members := make([]member, 0, d.Nodes[i].Len)
	for c := range d.Children(i) {
		members = append(members, member{d.Key(c), c})
	}
	slices.SortStableFunc(members, func(a, b member) int { return cmp.Compare(a.name, b.name) })
	members = slices.CompactFunc(members, func(a, b member) bool { return a.name == b.name })
	dst = append(dst, '{')
	for _, m := range members {
		dst = d.Canonical(canonicalString(dst, []byte(m.name)), m.value)
	}
	return append(dst, '}')
}

func canonicalString(dst, text []byte) []byte {
	dst = append(strconv.AppendInt(dst, int64(len(text)), 10), ':')
	return append(dst, text...)
}

// canonicalNumber appends the key of a number. It uses the text of a number that
// parseDecimal cannot represent.
func canonicalNumber(dst, number []byte) []byte {
	n, ok := parseDecimal(number)
	if !ok {
		return append(append(append(dst, '#'), number...), ';')
	}
	dst = append(dst, '#')
	if n.neg {
		dst = append(dst, '-')
	}
	for _, c := range n.digits {
		if c != '.' {
			dst = append(dst, c)
		}
	}
	return append(strconv.AppendInt(append(dst, 'e'), n.exp, 10), ';')
}
