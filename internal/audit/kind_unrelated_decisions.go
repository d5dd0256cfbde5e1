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
	Summary: "Decisions hold for one path and do not refer to each other.",
	look: func(s *survey) {
		naming := s.naming()
		if len(naming) == 0 {
			return
		}
		groups := groupsOf(s.standing)
		told := map[string]bool{} // ids that share several paths are told of once
		for _, file := range slices.Sorted(maps.Keys(naming)) {
			ids, at := groups.firsts(naming[file].ids), naming[file].last
			if key := strings.Join(ids, " "); ids != nil && !told[key] {
				told[key] = true
				s.tellUnrelated(file, ids, at)
			}
		}
	},
}

// Namers are the decisions that hold for a path.
type namers struct {
	ids  []string // the oldest first
	last int      // where the path stands among the files of the newest
}

// naming returns the namers of each path, folded, that several decisions hold for.
func (s *survey) naming() map[string]*namers {
	all := map[string]*namers{}
	for _, d := range s.current {
		if s.ctx.Err() != nil {
			return nil
		}
		for i, file := range d.Files {
			if file = exact(file); file == "" {
				continue
			}
			file = s.fold(file)
			of := all[file]
			if of == nil {
				of = &namers{}
				all[file] = of
			}
			if n := len(of.ids); n == 0 || of.ids[n-1] != d.ID {
				of.ids, of.last = append(of.ids, d.ID), i
			}
		}
	}
	maps.DeleteFunc(all, func(_ string, of *namers) bool { return len(of.ids) < 2 })
	return all
}

// tellUnrelated adds the finding for a path. It stands at the newest of the decisions,
// whose files have the path at n.
func (s *survey) tellUnrelated(file string, ids []string, n int) {
	newest := ids[len(ids)-1]
	var evidence []Evidence
	for _, id := range ids[:min(len(ids), mostUnrelated)] {
		evidence = append(evidence, s.decision(id))
	}
	s.add(s.decided(newest, fmt.Sprintf("/files/%d", n)), 40, file, UnrelatedText(ids, file),
		"supersede what no longer counts, or record a decision that names both and says how they go together", evidence...)
}

// mostUnrelated is the largest number of decisions that a sentence names.
const mostUnrelated = 5

// UnrelatedText returns the sentence for people about decisions that Unrelated returns for
// a path.
func UnrelatedText(ids []string, file string) string {
	var names []string
	for _, id := range ids[:min(len(ids), mostUnrelated)] {
		names = append(names, plain(id))
	}
	if more := len(ids) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	last := len(names) - 1
	return fmt.Sprintf("%s and %s hold for %s, and do not refer to each other", strings.Join(names[:last], ", "), names[last], plainPath(file))
}

// Unrelated returns the first of each group, by their references, of the decisions that
// hold for a path: the oldest first. They refer to one another in their words, by what they
// superseded, or through a further decision that names both. It returns nil where all are
// one group. fold returns the form in which paths are compared; see fs.Tree.Fold.
func Unrelated(standing schema.Standing, file string, fold func(string) string) []string {
	file = fold(tidy(file))
	var ids []string
	for _, d := range standing.Current() {
		if slices.ContainsFunc(d.Files, func(f string) bool { f = exact(f); return f != "" && fold(f) == file }) {
			ids = append(ids, d.ID)
		}
	}
	if len(ids) < 2 {
		return nil
	}
	return groupsOf(standing).firsts(ids)
}

// exact returns the path that a decision names; "" for a pattern, which is about all of
// something.
func exact(file string) string {
	if strings.ContainsAny(file, "*{") {
		return ""
	}
	return tidy(file)
}

// Groups maps the id of a decision to another id of its group. An id without an entry
// represents its group.
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

// of returns the id that represents the group of id.
func (g groups) of(id string) string {
	for next, ok := g[id]; ok; next, ok = g[id] {
		if after, ok := g[next]; ok {
			g[id] = after // which shortens later look-ups
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

// firsts returns the first of each group of ids; nil where there is one group.
func (g groups) firsts(ids []string) (firsts []string) {
	seen := map[string]bool{}
	for _, id := range ids {
		if group := g.of(id); !seen[group] {
			seen[group] = true
			firsts = append(firsts, id)
		}
	}
	if len(firsts) < 2 {
		return nil
	}
	return firsts
}
