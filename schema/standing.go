package schema

import (
	"slices"
	"time"
)

// A Standing says of decisions which hold and which are superseded.
type Standing struct {
	all []Decision
	by  map[string]string // id → id of the decision that superseded it

	proposed map[string]bool   // ids of proposals
	accepted map[string]string // ids of accepted proposals → of the decision that accepted each
}

// Current works out which decisions hold. It orders them by time, those of one
// time as they came, those without a readable time first; of several with one
// id the first that came counts. A decision is superseded by the oldest that
// names it under `supersedes`, for good, whatever becomes of that one. What names itself,
// or would close a circle, is passed over: of a circle it is the word of the
// oldest decision that does not count, for it names what came later. Of several that name the same
// one and say the same, as when two clones record a decision, the first supersedes the others; a
// proposal is superseded by the decision that accepts it, see Accepted. It may keep
// the list, which must not be changed afterwards.
func Current(decisions []Decision) Standing {
	all, at := sorted(decisions)
	s := Standing{all: all, by: map[string]string{}}
	g := graph{by: make([][]int, len(s.all)), seen: make([]int, len(s.all))}
	for i := len(s.all) - 1; i >= 0; i-- {
		if s.all[i].IsProposed() {
			if s.proposed == nil {
				s.proposed = map[string]bool{}
			}
			s.proposed[s.all[i].ID] = true
			continue
		}
		for _, id := range s.all[i].Supersedes {
			// What is older has named nothing yet, so only what is newer can
			// close a circle.
			if target, known := at[id]; known && target != i && (target < i || !g.leads(i, target)) {
				g.by[target] = append(g.by[target], i)
				s.by[id] = s.all[i].ID
			}
		}
	}
	s.unite()
	if s.proposed != nil {
		s.accept(at)
	}
	return s
}

// unite has the first of the decisions that supersede the same one supersede the others that say the same: two
// clones recorded one decision.
func (s *Standing) unite() {
	first := map[string]int{} // by what is superseded
	for i := range s.all {
		d := &s.all[i]
		if d.Decision == "" || s.proposed[d.ID] {
			continue
		}
		for _, id := range d.Supersedes {
			f, known := first[id]
			if !known {
				first[id] = i
			} else if was := s.all[f].ID; was != d.ID && s.by[d.ID] == "" && s.last(was) != d.ID && SameWords(d.Decision, s.all[f].Decision) {
				s.by[d.ID] = was
			}
		}
	}
}

// accept works out which proposals were accepted: by the decision that superseded them and says the same, or
// by one of their channel that says the same and held when they were made, or came later.
func (s *Standing) accept(at map[string]int) {
	type text struct{ channel, words string }
	s.accepted = map[string]string{}
	waiting, in := map[text][]int{}, map[string]bool{} // in these channels
	for p := range s.all {
		d := &s.all[p]
		by, answered := s.by[d.ID]
		switch {
		case d.ID == "" || !s.proposed[d.ID]:
		case answered && SameWords(s.all[at[by]].Decision, d.Decision):
			s.accepted[d.ID] = by
		case !answered && d.Channel != "":
			key := text{d.Channel, plainWords(d.Decision)}
			waiting[key], in[d.Channel] = append(waiting[key], p), true
		}
	}
	for i := range s.all {
		d := &s.all[i]
		if !in[d.Channel] || d.ID == "" || s.proposed[d.ID] {
			continue
		}
		by, superseded := s.by[d.ID]
		for _, p := range waiting[text{d.Channel, plainWords(d.Decision)}] {
			if id := s.all[p].ID; s.by[id] == "" && (i > p || !superseded || at[by] > p) {
				s.by[id], s.accepted[id] = d.ID, d.ID
			}
		}
	}
}

// last returns the id of the decision at the end of the chain of those that superseded the one called id.
func (s *Standing) last(id string) string {
	for by, ok := s.by[id]; ok; by, ok = s.by[id] {
		id = by
	}
	return id
}

// Accepted returns the id of the decision that accepted the proposal called id; id itself if that is no
// proposal, or nobody accepted it.
func (s Standing) Accepted(id string) string {
	if by, ok := s.accepted[id]; ok {
		return by
	}
	return id
}

// All returns every decision but proposals, in order. The list is the Standing's own and
// must not be changed.
func (s Standing) All() []Decision {
	if len(s.proposed) == 0 {
		return s.all
	}
	return slices.DeleteFunc(slices.Clone(s.all), func(d Decision) bool { return s.proposed[d.ID] })
}

// WithProposals returns what All does, and the proposals, in order.
func (s Standing) WithProposals() []Decision { return s.all }

// Current returns the decisions that hold, in order.
func (s Standing) Current() []Decision {
	current := make([]Decision, 0, max(0, len(s.all)-len(s.by)))
	for _, d := range s.all {
		if s.Holds(d.ID) {
			current = append(current, d)
		}
	}
	return current
}

// Holds reports whether nothing says that the decision called id does not hold: it is neither
// superseded nor a proposal.
func (s Standing) Holds(id string) bool {
	_, superseded := s.by[id]
	return !superseded && !s.proposed[id]
}

// AsRecorded returns the decisions of a session in the words that the Standing has of them: somebody may have
// edited the hot context. One that took the id of another again stays as it is.
func (s Standing) AsRecorded(shown []KeyDecision) []KeyDecision {
	shown = slices.Clone(shown)
	at := map[string][]int{}
	for i, d := range shown {
		at[d.ID] = append(at[d.ID], i)
	}
	delete(at, "")
	for _, d := range s.all {
		for _, i := range at[d.ID] {
			if k := &shown[i]; !TakenAgain(d.ID, d.Decision, d.Timestamp, k.Decision, k.Timestamp) {
				k.Decision, k.Rationale = d.Decision, d.Rationale
			}
		}
	}
	return shown
}

// WithoutProposals returns the decisions of a session but those that are only proposed, as they
// say or as the Standing knows.
func (s Standing) WithoutProposals(shown []KeyDecision) []KeyDecision {
	return slices.DeleteFunc(slices.Clone(shown), func(d KeyDecision) bool { r := d.Record(); return r.IsProposed() || s.proposed[d.ID] })
}

// Proposed returns the proposals that wait to be accepted, in order.
func (s Standing) Proposed() (waiting []Decision) {
	for _, d := range s.all {
		if _, superseded := s.by[d.ID]; !superseded && s.proposed[d.ID] {
			waiting = append(waiting, d)
		}
	}
	return waiting
}

// SupersededBy returns the id of the decision that superseded id. False: none
// did.
func (s Standing) SupersededBy(id string) (string, bool) {
	by, ok := s.by[id]
	return by, ok
}

// sorted drops repeated ids and orders the rest by time; at is where each id stands.
// What needs neither, as decisions mostly do not, comes back as it is.
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
