package state

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// The kinds of differences.
const (
	Added     = "added"
	Removed   = "removed"
	Changed   = "changed"
	Reordered = "reordered" // the records of a list are in another order
)

// A Difference is one value that differs between two documents.
type Difference struct {
	Kind    string `json:"kind"`
	Pointer string `json:"pointer"` // RFC 6901; in the later document, or in the earlier one for a removed value
	Path    string `json:"path"`    // Pointer with ids in place of indexes, for people
	// Before and After are the values. For a Reordered list they are the ids that both lists have.
	// They are nil if there is no value.
	Before json.RawMessage `json:"before,omitzero"`
	After  json.RawMessage `json:"after,omitzero"`
}

// Diff returns the differences between a, the earlier document, and b, in the order of a. Added
// values follow at the end of their object or list. Equal values with different spellings do not
// differ. The records of a list are matched by id, commands by name, elements of other lists by
// index.
func Diff(a, b []byte) ([]Difference, error) {
	var d diff
	if err := d.a.Parse(a); err != nil {
		return nil, err
	}
	if err := d.b.Parse(b); err != nil {
		return nil, err
	}
	d.values(0, 0, place{}, place{})
	return d.found, nil
}

type diff struct {
	a, b  jsonedit.Doc
	found []Difference
}

// A place is the place of a value.
type place struct{ pointer, path string }

func (p place) down(token, shown string) place {
	return place{p.pointer + "/" + escape(token), p.path + "/" + escape(shown)}
}

// escape returns a member name as a part of a JSON pointer.
func escape(token string) string {
	if !strings.ContainsAny(token, "~/") {
		return token
	}
	return strings.ReplaceAll(strings.ReplaceAll(token, "~", "~0"), "/", "~1")
}

// values compares value i of a, at p, with value j of b, at q.
func (d *diff) values(i, j int, p, q place) {
	x, y := d.a.Nodes[i].Kind, d.b.Nodes[j].Kind
	switch {
	case x == jsonedit.Object && y == jsonedit.Object:
		d.objects(i, j, p, q)
	case x == jsonedit.Array && y == jsonedit.Array:
		d.arrays(i, j, p, q)
	case !d.same(i, j):
		d.found = append(d.found, Difference{Changed, q.pointer, q.path, d.a.Raw(i), d.b.Raw(j)})
	}
}

func (d *diff) objects(i, j int, p, q place) {
	in := members(&d.b, j)
	seen := map[string]bool{}
	for c := range d.a.Children(i) {
		key := d.a.Key(c)
		if seen[key] {
			continue
		}
		seen[key] = true
		if other, ok := in[key]; ok {
			d.values(c, other, p.down(key, key), q.down(key, key))
		} else {
			d.removed(c, p.down(key, key))
		}
	}
	for c := range d.b.Children(j) {
		if key := d.b.Key(c); !seen[key] {
			seen[key] = true
			d.added(c, q.down(key, key))
		}
	}
}

func (d *diff) arrays(i, j int, p, q place) {
	before, byID := records(&d.a, i)
	after, byID2 := records(&d.b, j)
	if !byID || !byID2 {
		d.lists(i, j, p, q)
		return
	}
	where := make(map[string]int, len(after))
	for k, r := range after {
		where[r.id] = k
	}
	had := make(map[string]bool, len(before))
	var order []int // for the records that both have, their places in b in the order of a
	for k, r := range before {
		had[r.id] = true
		if other, ok := where[r.id]; ok {
			order = append(order, other)
			d.values(r.node, after[other].node, p.down(strconv.Itoa(k), r.id), q.down(strconv.Itoa(other), r.id))
		} else {
			d.removed(r.node, p.down(strconv.Itoa(k), r.id))
		}
	}
	for k, r := range after {
		if !had[r.id] {
			d.added(r.node, q.down(strconv.Itoa(k), r.id))
		}
	}
	if !slices.IsSorted(order) {
		d.reordered(after, order, q)
	}
}

// reordered reports records in another order. The argument order holds their indexes in after.
func (d *diff) reordered(after []record, order []int, q place) {
	ids := func(order []int) json.RawMessage {
		list := make([]string, 0, len(order))
		for _, k := range order {
			list = append(list, after[k].id)
		}
		text, _ := jsonedit.Value(list) // these strings were JSON before
		return text
	}
	d.found = append(d.found, Difference{Reordered, q.pointer, q.path, ids(order), ids(slices.Sorted(slices.Values(order)))})
}

// lists compares lists whose elements have no ids.
func (d *diff) lists(i, j int, p, q place) {
	x, y := slices.Collect(d.a.Children(i)), slices.Collect(d.b.Children(j))
	for k := range max(len(x), len(y)) {
		n := strconv.Itoa(k)
		switch {
		case k >= len(y):
			d.removed(x[k], p.down(n, n))
		case k >= len(x):
			d.added(y[k], q.down(n, n))
		default:
			d.values(x[k], y[k], p.down(n, n), q.down(n, n))
		}
	}
}

func (d *diff) removed(i int, p place) {
	d.found = append(d.found, Difference{Removed, p.pointer, p.path, d.a.Raw(i), nil})
}

func (d *diff) added(j int, q place) {
	d.found = append(d.found, Difference{Added, q.pointer, q.path, nil, d.b.Raw(j)})
}

// same reports whether two values are equal. At least one of them is neither an object nor an
// array.
func (d *diff) same(i, j int) bool {
	x, y := d.a.Nodes[i].Kind, d.b.Nodes[j].Kind
	if x != y {
		return false
	}
	switch x {
	case jsonedit.String:
		s, _ := d.a.Str(i)
		t, _ := d.b.Str(j)
		return s == t
	case jsonedit.Number:
		m, ok := d.a.Int(i)
		n, ok2 := d.b.Int(j)
		if ok || ok2 {
			return ok && ok2 && m == n
		}
		f, ok := d.a.Float(i)
		g, ok2 := d.b.Float(j)
		return ok && ok2 && f == g || string(d.a.Raw(i)) == string(d.b.Raw(j))
	}
	return true
}

// members returns the members of an object by name.
func members(doc *jsonedit.Doc, object int) map[string]int {
	in := make(map[string]int, doc.Nodes[object].Len)
	for c := range doc.Children(object) {
		if key := doc.Key(c); in[key] == 0 { // the first of repeated names
			in[key] = c
		}
	}
	return in
}

// A record is an element of a list with an id.
type record struct {
	node int
	id   string
}

// records returns the elements of a list. It reports false unless each is an object with a unique
// id or a unique command.
func records(doc *jsonedit.Doc, list int) ([]record, bool) {
	all := make([]record, 0, doc.Nodes[list].Len)
	seen := make(map[string]bool, doc.Nodes[list].Len)
	for c := range doc.Children(list) {
		id := word(doc, c, "id")
		if id == "" {
			id = word(doc, c, "command")
		}
		if id == "" || seen[id] {
			return nil, false
		}
		seen[id] = true
		all = append(all, record{c, id})
	}
	return all, true
}
