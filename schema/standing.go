package schema

import (
	"slices"
	"time"
)

// A Standing says of decisions which hold and which are superseded.
type Standing struct {
	all []Decision
	by  map[string]string // id → id of the decision that superseded it
}

// Current works out which decisions hold. It orders them by time, those of one
// time as they came, those without a readable time first; of several with one
// id the first that came counts. A decision is superseded by the oldest that
// names it under `supersedes`, for good, whatever becomes of that one. What names itself,
// or would close a circle, is passed over: of a circle it is the word of the
// oldest decision that does not count, for it names what came later.
func Current(decisions []Decision) Standing {
	s := Standing{all: sorted(decisions), by: map[string]string{}}
	at := make(map[string]int, len(s.all))
	for i, d := range s.all {
		if d.ID != "" {
			at[d.ID] = i
		}
	}
	g := graph{by: make([][]int, len(s.all)), seen: make([]int, len(s.all))}
	for i := len(s.all) - 1; i >= 0; i-- {
		for _, id := range s.all[i].Supersedes {
			// What is older has named nothing yet, so only what is newer can
			// close a circle.
			if target, known := at[id]; known && target != i && (target < i || !g.leads(i, target)) {
				g.by[target] = append(g.by[target], i)
				s.by[id] = s.all[i].ID
			}
		}
	}
	return s
}

// All returns every decision in order.
func (s Standing) All() []Decision { return slices.Clone(s.all) }

// Current returns the decisions that hold, in order.
func (s Standing) Current() []Decision {
	return slices.DeleteFunc(s.All(), func(d Decision) bool {
		_, superseded := s.by[d.ID]
		return superseded
	})
}

// SupersededBy returns the id of the decision that superseded id. False: none
// did.
func (s Standing) SupersededBy(id string) (string, bool) {
	by, ok := s.by[id]
	return by, ok
}

// sorted drops repeated ids and orders the rest by time.
func sorted(decisions []Decision) []Decision {
	type timed struct {
		decision Decision
		at       time.Time
	}
	seen := make(map[string]bool, len(decisions))
	list := make([]timed, 0, len(decisions))
	for _, d := range decisions {
		if d.ID != "" && seen[d.ID] {
			continue
		}
		seen[d.ID] = true
		at, _ := ParseTime(d.Timestamp)
		list = append(list, timed{d, at})
	}
	slices.SortStableFunc(list, func(a, b timed) int { return a.at.Compare(b.at) })
	all := make([]Decision, len(list))
	for i, t := range list {
		all[i] = t.decision
	}
	return all
}

// maxSteps bounds the search for circles, which thousands of decisions that
// all name later ones could draw out. Beyond it such names are passed over.
const maxSteps = 1 << 24

// A graph says which decisions supersede which, by their indexes.
type graph struct {
	by    [][]int // who supersedes the decision
	seen  []int   // the search that came by last
	steps int
}

// leads says whether to supersedes from, directly or through others.
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
