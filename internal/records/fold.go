package records

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// Members are the members of a JSON object by their names.
type Members map[string]json.RawMessage

// Text returns the member name if it is a string, else "".
func (m Members) Text(name string) string {
	raw := m[name]
	if len(raw) < 2 || raw[0] != '"' {
		return ""
	}
	return string(jsonedit.Unquote(raw))
}

// A Value is what one of several concurrent changes set a member to.
type Value struct {
	Change string // the id of the change
	At, By string
	Value  json.RawMessage
}

// A State is a record with its changes, as one.
type State struct {
	Members Members // not to be changed: of a record without changes they are those of its file
	// Concurrent holds the values of members that concurrent changes set to different
	// ones, the one that holds last.
	Concurrent map[string][]Value
	// Heads are the ids of the changes that no other change saw, sorted.
	Heads []string

	order []Change // the changes in causal order
}

// Fold returns the state of a record of kind k whose file holds base. A change holds
// over those that it saw, by its member after. Between concurrent changes each member
// is decided by itself: status by the order of the kind's table, sets by union, others
// by time, then by the id of the change. A change that names one that is not there
// counts as having seen none. Of an editable kind a change sets a member only while base says of
// it what the change saw there.
func Fold(k Kind, base Members, changes []Change) State {
	if len(changes) == 0 && base != nil {
		return State{Members: base}
	}
	order := sortCausally(changes)
	saw := ancestors(order)
	f := folding{kind: k, changes: order, saw: saw, setters: map[string][]int{}}
	for i, c := range order {
		for name := range c.Set {
			if c.overtaken(name, base) {
				continue
			}
			f.setters[name] = append(slices.DeleteFunc(f.setters[name], func(j int) bool { return saw[i].has(j) }), i)
		}
	}
	s := State{Members: maps.Clone(base), Concurrent: map[string][]Value{}, Heads: f.heads(), order: order}
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
	for _, list := range k.Lists {
		s.Members.joinElements(list, order)
	}
	return s
}

// A folding is a Fold under way.
type folding struct {
	kind    Kind
	changes []Change  // in causal order
	saw     []numbers // by change: those that it saw, directly or not
	setters map[string][]int
}

// values returns the different values that concurrent changes set a member to, the one
// that holds last.
func (f folding) values(name string, setters []int) []Value {
	slices.SortFunc(setters, func(i, j int) int {
		a, b := f.changes[i], f.changes[j]
		if name == "status" {
			if c := cmp.Compare(f.kind.rank(a.Set.Text(name)), f.kind.rank(b.Set.Text(name))); c != 0 {
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

// heads returns the changes that no other change saw.
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

// union returns the set of the texts of all values, in their order.
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

// Same reports whether two JSON values are equal, whatever their layout and the order
// of their members.
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

// byTime orders changes by time, then by id.
func byTime(a, b Change) int { return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.ID, b.ID)) }

// sortCausally sorts changes so that each stands behind those that it saw, concurrent
// ones by time, then by id. Of changes that name each other in a circle, which no
// program writes, the order is by time.
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
		if len(ready) == 0 { // a circle
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

// numbers is a set of small numbers. It takes little room where it holds most of those
// below its highest.
type numbers struct {
	below int      // it holds every number below this one
	bits  []uint64 // of the numbers from the 64 on that this one is among
}

func (s *numbers) has(n int) bool {
	word := n/64 - s.below/64
	return n < s.below || word < len(s.bits) && s.bits[word]&(1<<(n%64)) != 0
}

func (s *numbers) add(n int) {
	if n >= s.below {
		s.grow(n/64 - s.below/64)
		s.bits[n/64-s.below/64] |= 1 << (n % 64)
		s.pack()
	}
}

// addAll adds the numbers of another set.
func (s *numbers) addAll(other *numbers) {
	if other.below > s.below {
		s.bits = s.bits[min(len(s.bits), other.below/64-s.below/64):]
		s.below = other.below
	}
	for i, word := range other.bits {
		if at := other.below/64 + i - s.below/64; at >= 0 {
			s.grow(at)
			s.bits[at] |= word
		}
	}
	s.pack()
}

func (s *numbers) grow(word int) {
	for len(s.bits) <= word {
		s.bits = append(s.bits, 0)
	}
}

// pack leaves no bits below the first number that is not in the set.
func (s *numbers) pack() {
	for len(s.bits) > 0 && s.bits[0]&(1<<(s.below%64)) != 0 {
		if s.below++; s.below%64 == 0 {
			s.bits = s.bits[1:]
		}
	}
}

// ancestors returns for each change of a causal order the changes that it saw,
// directly or through others.
func ancestors(order []Change) []numbers {
	index := make(map[string]int, len(order))
	saw := make([]numbers, len(order))
	for i, c := range order {
		for _, id := range c.After {
			if j, ok := index[id]; ok {
				saw[i].addAll(&saw[j])
				saw[i].add(j)
			}
		}
		index[c.ID] = i
	}
	return saw
}
