package audit

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/schema"
)

var unrelatedDecisions = Kind{
	Name:    "unrelated-decisions",
	Summary: "Two decisions hold for one path, and neither refers to the other.",
	look: func(s *survey) {
		naming := map[string][]string{} // a path, folded → ids
		for _, d := range s.current {
			for _, file := range d.Files {
				if strings.Contains(file, "*") {
					continue // a pattern is about all of something
				}
				if file = tidy(file); file != "" && !slices.Contains(naming[s.fold(file)], d.ID) {
					naming[s.fold(file)] = append(naming[s.fold(file)], d.ID)
				}
			}
		}
		maps.DeleteFunc(naming, func(_ string, ids []string) bool { return len(ids) < 2 })
		if len(naming) == 0 {
			return
		}
		groups := groupsOf(s.standing)
		for _, file := range slices.Sorted(maps.Keys(naming)) {
			if apart := groups.apart(naming[file]); apart != nil {
				s.tellUnrelated(file, apart)
			}
		}
	},
}

// tellUnrelated adds the finding for a path. It stands at the newest of the decisions.
func (s *survey) tellUnrelated(file string, ids []string) {
	newest := s.decisions[s.byID[ids[len(ids)-1]]]
	n := slices.IndexFunc(newest.Files, func(f string) bool { return !strings.Contains(f, "*") && s.fold(tidy(f)) == file })
	var evidence []Evidence
	for _, id := range ids[:min(len(ids), mostApart)] {
		evidence = append(evidence, s.decision(id))
	}
	s.add(s.decided(newest.ID, fmt.Sprintf("/files/%d", n)), 40, file, Apart(ids, file),
		"supersede what no longer counts, or record a decision that names both and says how they go together", evidence...)
}

// mostApart is how many decisions a sentence names.
const mostApart = 5

// Apart returns the sentence that tells people of decisions that Unrelated returns for a path.
func Apart(ids []string, file string) string {
	var names []string
	for _, id := range ids[:min(len(ids), mostApart)] {
		names = append(names, plain(id))
	}
	if more := len(ids) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	last := len(names) - 1
	return fmt.Sprintf("%s and %s hold for %s, and do not refer to each other", strings.Join(names[:last], ", "), names[last], plainPath(file))
}

// Unrelated returns the first of each group of ids, of decisions that hold, that refer to
// one another: in their words, by what they superseded, or through a further decision
// that names both. It returns nil where all are one group.
func Unrelated(standing schema.Standing, ids []string) []string {
	if len(ids) < 2 {
		return nil
	}
	return groupsOf(standing).apart(ids)
}

// Groups is, for the id of a decision, an id of its group that leads on to the one that
// stands for it. What stands for its group is not in it.
type groups map[string]string

func groupsOf(standing schema.Standing) groups {
	known := map[string]bool{}
	for _, d := range standing.All() {
		known[d.ID] = true
	}
	g := groups{}
	for _, d := range standing.All() {
		texts := slices.Concat([]string{d.Decision, d.Rationale}, d.AlternativesRejected, d.Impact)
		for _, id := range slices.AppendSeq(slices.Clone(d.Supersedes), idsIn(strings.Join(texts, "\n"))) {
			if known[id] {
				g.join(d.ID, id)
			}
		}
	}
	return g
}

// of returns the id that stands for the group of id.
func (g groups) of(id string) string {
	for next, ok := g[id]; ok; next, ok = g[id] {
		if after, ok := g[next]; ok {
			g[id] = after // which keeps the ways short
		}
		id = next
	}
	return id
}

func (g groups) join(a, b string) {
	if a, b = g.of(a), g.of(b); a != b {
		g[a] = b
	}
}

// apart returns the first of each group of ids; nil where there is one group.
func (g groups) apart(ids []string) (first []string) {
	seen := map[string]bool{}
	for _, id := range ids {
		if of := g.of(id); !seen[of] {
			seen[of] = true
			first = append(first, id)
		}
	}
	if len(first) < 2 {
		return nil
	}
	return first
}
