package audit

import (
	"fmt"
	"strings"
)

var unrecordedCondensation = Kind{
	Name:    "unrecorded-condensation",
	Summary: "A condensation decides what no recorded decision says.",
	look: func(s *survey) {
		for _, c := range s.condensations {
			s.lookForDecision(c)
		}
	},
}

// lookForDecision looks whether there is a decision that a condensation came to.
func (s *survey) lookForDecision(c condensation) {
	if len(c.ledger) > 0 || sameWords(c.decision) == "" || strings.HasPrefix(c.decision, "_") { // nothing was found
		return
	}
	place := spot{file: c.name, line: c.line}
	evidence := Evidence{File: c.name, Line: c.line, Text: c.decision}
	if c.named != "" {
		s.add(place, 60, "", fmt.Sprintf("it names the decision %s, which is not recorded", plain(c.named)),
			"bring that file back; or take the line out, and forgemind condense --adopt "+plainPath(c.name)+" records what it says", evidence)
		return
	}
	s.add(place, 60, "", "what it decides is not recorded", "forgemind condense --adopt "+plainPath(c.name)+" records it", evidence)
}
