package audit

import "fmt"

var unrecordedCondensation = Kind{
	Name:    "unrecorded-condensation",
	Summary: "A condensation decides what no recorded decision says.",
	look: func(s *survey) {
		at := map[string]int{} // lines that say what was decided
		for _, c := range s.condensations {
			at[c.name] = c.line
		}
		for _, w := range s.written {
			s.lookForDecision(w, at[w.File])
		}
	},
}

// lookForDecision looks whether the decision is recorded that a condensation says at a line.
func (s *survey) lookForDecision(w Written, line int) {
	known := false
	for id := range idsIn(w.ID) {
		known = known || s.knows(id)
	}
	if sameWords(w.Decision) == "" || known || w.ID == "" && len(s.saying(w.Decision)) > 0 {
		return
	}
	message, hint := "what it decides is not recorded", "forgemind condense --adopt "+plainPath(w.File)+" records it"
	if w.ID != "" {
		message = fmt.Sprintf("it names the decision %s, which is not recorded", plain(w.ID))
		hint = "bring that file back; or take the line out, and " + hint
	}
	s.add(spot{file: w.File, line: max(line, 1)}, 60, "", message, hint, Evidence{File: w.File, Line: max(line, 1), Text: w.Decision})
}
