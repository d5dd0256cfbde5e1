package schema

import (
	"slices"
	"time"
)

// A Standing tells which of a list of decisions are in force and which are superseded.
type Standing struct {
	all []Decision
	by  map[string]string // id → id of the decision that superseded it
}

// Current computes which decisions are in force. It sorts them by time and keeps the
// given order for equal times; decisions without a readable time come first. If several
// have one id, the first given one counts. A decision is superseded, for good, by the
// oldest decision that names it under `supersedes`, even if that one is superseded
// later. A reference to the decision itself, or one that would close a circle, is
// ignored. In a circle, the ignored reference is that of the oldest decision, because
// it names a later one. The Standing may keep the list, which must not be changed
// afterwards.
func Current(decisions []Decision) Standing {
	all, at := sorted(decisions)
	s := Standing{all: all, by: map[string]string{}}
	g := graph{by: make([][]int, len(s.all)), seen: make([]int, len(s.all))}
	for i := len(s.all) - 1; i >= 0; i-- {
		for _, id := range s.all[i].Supersedes {
			// Older decisions have no references to newer ones yet, so only a reference
			// to a newer one can close a circle.
			if target, known := at[id]; known && target != i && (target < i || !g.leads(i, target)) {
				g.by[target] = append(g.by[target], i)
				s.by[id] = s.all[i].ID
			}
		}
	}
	return s
}

// All returns every decision in order. The list must not be changed.
func (s Standing) All() []Decision { return s.all }

// Current returns the decisions in force, in order.
func (s Standing) Current() []Decision {
	current := make([]Decision, 0, max(0, len(s.all)-len(s.by)))
	for _, d := range s.all {
		if _, superseded := s.by[d.ID]; !superseded {
			current = append(current, d)
		}
	}
	return current
}

// SupersededBy returns the id of the decision that superseded id. It returns false if
// none did.
func (s Standing) SupersededBy(id string) (string, bool) {
	by, ok := s.by[id]
	return by, ok
}

// sorted removes repeated ids and sorts the rest by time; at maps ids to indexes. If
// there is nothing to do, as usual, it returns the given list.
func sorted(decisions []Decision) (all []Decision, at map[string]int) {
	type timed struct {
		at   time.Time
		from int
	}
	byTime := func(a, b timed) int { return a.at.Compare(b.at) }
	at = make(map[string]int, len(decisions))
	order := make([]timed, 0, len(decisions))
	for i := range decisions {
		d := &decisions[i]
		if _, repeated := at[d.ID]; repeated {
			continue
		}
		if d.ID != "" {
			at[d.ID] = i
		}
		t, _ := ParseTime(d.Timestamp)
		order = append(order, timed{t, i})
	}
	if len(order) == len(decisions) && slices.IsSortedFunc(order, byTime) {
		return slices.Clip(decisions), at
	}
	slices.SortStableFunc(order, byTime)
	all = make([]Decision, len(order))
	for i, t := range order {
		all[i] = decisions[t.from]
		if id := all[i].ID; id != "" {
			at[id] = i
		}
	}
	return all, at
}

// maxSteps limits the search for circles, which could take very long for thousands of
// decisions that all name later ones. Beyond the limit such references are ignored.
const maxSteps = 1 << 24

// A graph holds which decisions supersede which, by index.
type graph struct {
	by    [][]int // the decisions that supersede a decision
	seen  []int   // the number of the last search that visited a decision
	steps int
}

// leads reports whether to supersedes from, directly or through others.
func (g *graph) leads(from, to int) bool {
	g.steps++
	search := g.steps
	for todo := []int{from}; len(todo) > 0; {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, next := range g.by[i] {
			if g.steps++; next == to || g.steps > maxSteps {
				return true
			}
			if g.seen[next] != search {
				g.seen[next] = search
				todo = append(todo, next)
			}
		}
	}
	return false
}
