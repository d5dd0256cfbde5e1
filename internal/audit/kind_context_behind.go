package audit

import (
	"fmt"
	"maps"
	"path"
	"slices"
)

var contextBehind = Kind{
	Name:    "context-behind",
	Summary: "A project's CONTEXT.md lacks what was decided or changed since it was written.",
	look:    (*survey).lookAtLags,
}

// lookAtLags reports in what each CONTEXT.md is behind: once, whatever it lacks.
func (s *survey) lookAtLags() {
	byName := map[string][]Lag{}
	for _, l := range s.lags {
		byName[l.Name] = append(byName[l.Name], l)
	}
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		lags := byName[name]
		at, decisions := spot{name, lags[0].Line, 1}, map[string]bool{}
		missing := !slices.ContainsFunc(s.contexts, func(d document) bool { return d.name == name })
		if missing {
			at.file = path.Dir(name) + "/project.json"
		}
		var evidence []Evidence
		for _, l := range lags {
			if l.Decision != "" && !decisions[l.Decision] {
				decisions[l.Decision] = true
				if len(evidence) < 3 {
					evidence = append(evidence, s.decision(l.Decision))
				}
			}
		}
		evidence = append(evidence, Evidence{File: at.file, Line: lags[0].Line, Text: lags[0].Text})
		score, message := 30, "it lacks something of the project, or shows what holds no more"
		if missing {
			score, message = 50, lags[0].Text
		} else if n := len(decisions); n > 0 {
			score, message = min(60+5*n, 90), fmt.Sprintf("it is behind %s of the project", many(n, "decision"))
		}
		s.add(at, score, name, message, contextHint, evidence...)
	}
}

// behind says whether a CONTEXT.md is known to be behind about a decision.
func (s *survey) behind(name, decision string) bool {
	return slices.ContainsFunc(s.lags, func(l Lag) bool { return l.Name == name && l.Decision == decision })
}

const contextHint = "forgemind projects refresh brings it up to date; what people wrote in it stays"
