package records

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// Members holds the members of a JSON object by name.
type Members map[string]json.RawMessage

// Text returns the member name if it is a string, and else "".
func (m Members) Text(name string) string {
	raw := m[name]
	if len(raw) < 2 || raw[0] != '"' {
		return ""
	}
	return string(jsonedit.Unquote(raw))
}

// A Value is a value that one of several concurrent changes set.
type Value struct {
	Change string // id of the change
	At, By string
	Value  json.RawMessage
}

// A State is the state of a record after its changes.
type State struct {
	Members Members // read-only: without changes it is the map of the record's file
	// Concurrent holds the values of members that concurrent changes set to different values. The
	// value in force is the last one.
	Concurrent map[string][]Value
	// Heads holds the sorted ids of the changes that no other change names as a parent.
	Heads []string
}

// Fold returns the state of a record of kind k whose file holds base. A change takes precedence
// over those that it names in its member after, and over their ancestors. Between concurrent
// changes each member is decided separately: status by the order in the kind's table, sets by
// union, a claim by its number, others by time and then by the id of the change. An unknown parent
// is ignored.
func Fold(k Kind, base Members, changes []Change) State {
	if len(changes) == 0 && base != nil {
		return State{Members: base}
	}
	order := sortCausally(changes)
	saw := ancestors(order)
	f := folding{kind: k, changes: order, saw: saw, setters: map[string][]int{}}
	for i, c := range order {
		for name := range c.Set {
			f.setters[name] = append(slices.DeleteFunc(f.setters[name], func(j int) bool { return saw[i].has(j) }), i)
		}
	}
	s := State{Members: maps.Clone(base), Concurrent: map[string][]Value{}, Heads: f.heads()}
	if s.Members == nil {
		s.Members = Members{}
	}
	for name, setters := range f.setters {
		values := f.values(name, setters)
		last := values[len(values)-1].Value
		if slices.Contains(k.Sets, name) {
			last = union(values)
		} else if len(values) > 1 {
			s.Concurrent[name] = values
		}
		if string(last) == "null" {
			delete(s.Members, name)
		} else {
			s.Members[name] = last
		}
	}
	return s
}

// A folding holds the state of one call of Fold.
type folding struct {
	kind    Kind
	changes []Change // in causal order
	saw     []bits   // for each change the set of its ancestors
	setters map[string][]int
}

// values returns the different values to which concurrent changes set a member, the one in force
// last.
func (f folding) values(name string, setters []int) []Value {
	slices.SortFunc(setters, func(i, j int) int {
		a, b := f.changes[i], f.changes[j]
		if name == "status" {
			if c := cmp.Compare(f.kind.rank(a.Set.Text(name)), f.kind.rank(b.Set.Text(name))); c != 0 {
				return c
			}
		}
		if name == ClaimMember {
			if c := compareClaims(a.Set[name], b.Set[name]); c != 0 {
				return c
			}
		}
		return byTime(a, b)
	})
	var values []Value
	for _, i := range setters {
		c := f.changes[i]
		value := Value{Change: c.ID, At: c.At, By: c.By, Value: c.Set[name]}
		values = append(slices.DeleteFunc(values, func(v Value) bool { return Same(v.Value, value.Value) }), value)
	}
	return values
}

// heads returns the changes that no other change names as a parent.
func (f folding) heads() []string {
	seen := map[string]bool{}
	for _, c := range f.changes {
		for _, id := range c.After {
			seen[id] = true
		}
	}
	var heads []string
	for _, c := range f.changes {
		if !seen[c.ID] {
			heads = append(heads, c.ID)
		}
	}
	slices.Sort(heads)
	return heads
}

// union returns the union of lists of strings, in order.
func union(values []Value) json.RawMessage {
	all := []string{}
	for _, v := range values {
		var one string
		var list []string
		if json.Unmarshal(v.Value, &one) == nil && one != "" {
			list = []string{one}
		} else if json.Unmarshal(v.Value, &list) != nil {
			continue
		}
		for _, text := range list {
			if !slices.Contains(all, text) {
				all = append(all, text)
			}
		}
	}
	text, err := jsonedit.Value(all)
	if err != nil {
		return json.RawMessage("[]")
	}
	return text
}

// Same reports whether two JSON values are equal, without regard to layout and order of members.
func Same(a, b json.RawMessage) bool {
	if string(a) == string(b) {
		return true
	}
	x, err := jsonedit.Parse(a)
	if err != nil {
		return false
	}
	y, err := jsonedit.Parse(b)
	return err == nil && string(x.Canonical(nil, 0)) == string(y.Canonical(nil, 0))
}

// InOrder returns the changes of the record in causal order, concurrent ones sorted by time.
func (r Record) InOrder() []Change { return sortCausally(r.Changes) }

// byTime compares changes by time, then by id.
func byTime(a, b Change) int { return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.ID, b.ID)) }

// sortCausally sorts changes so that each follows its ancestors. Concurrent ones are sorted by
// time, then by id. Changes that form a cycle, which no program writes, are sorted by time.
func sortCausally(changes []Change) []Change {
	left := slices.SortedFunc(slices.Values(changes), byTime)
	index := make(map[string]int, len(left))
	for i, c := range left {
		index[c.ID] = i
	}
	waits, next := make([]int, len(left)), make([][]int, len(left))
	for i, c := range left {
		for _, id := range c.After {
			if j, ok := index[id]; ok && j != i {
				waits[i]++
				next[j] = append(next[j], i)
			}
		}
	}
	order, placed := make([]Change, 0, len(left)), make([]bool, len(left))
	var ready []int
	for i := range left {
		if waits[i] == 0 {
			ready = append(ready, i)
		}
	}
	for len(order) < len(left) {
		if len(ready) == 0 { // a cycle
			ready = append(ready, slices.Index(placed, false))
		}
		i := ready[0]
		if ready = ready[1:]; placed[i] {
			continue
		}
		placed[i] = true
		order = append(order, left[i])
		for _, j := range next[i] {
			if waits[j]--; waits[j] == 0 {
				at, _ := slices.BinarySearch(ready, j)
				ready = slices.Insert(ready, at, j)
			}
		}
	}
	return order
}

// bits is a set of small numbers.
type bits []uint64

func (b bits) has(i int) bool { return b[i/64]&(1<<(i%64)) != 0 }

// ancestors returns the set of ancestors for each change of a causal order.
func ancestors(order []Change) []bits {
	index := make(map[string]int, len(order))
	saw := make([]bits, len(order))
	words := (len(order) + 63) / 64
	for i, c := range order {
		saw[i] = make(bits, words)
		for _, id := range c.After {
			j, ok := index[id]
			if !ok {
				continue
			}
			saw[i][j/64] |= 1 << (j % 64)
			for w := range saw[i] {
				saw[i][w] |= saw[j][w]
			}
		}
		index[c.ID] = i
	}
	return saw
}
