package audit

import (
	"fmt"

	"github.com/forgemind/forgemind/internal/secret"
)

var editedCondensation = Kind{
	Name:    "edited-condensation",
	Summary: "A condensation says otherwise than the decision that it became.",
	look: func(s *survey) {
		for _, c := range s.condensations {
			s.compareWithDecision(c)
		}
	},
}

// compareWithDecision looks whether a condensation that names its decision was edited since. A decision
// that was superseded is compared no more.
func (s *survey) compareWithDecision(c condensation) {
	if !c.recorded || len(c.ledger) != 1 || len(c.decision) >= maxBlock {
		return
	}
	d, is := s.withID(c.ledger[0]), "holds"
	if d.IsProposed() {
		is = "is proposed"
	}
	says, _ := secret.Mask(c.decision) // as it was recorded
	if _, superseded := s.standing.SupersededBy(d.ID); superseded || sameWords(says) == "" || sameWords(says) == sameWords(d.Decision) {
		return
	}
	s.add(spot{file: c.name, line: c.line}, 60, d.ID, fmt.Sprintf("it decides otherwise than %s, which it became, and which %s as it is recorded", plain(d.ID), is),
		fmt.Sprintf("forgemind decision supersede %s TEXT records what is to hold; else take the edit back", plain(d.ID)),
		Evidence{File: c.name, Line: c.line, Text: c.decision}, s.decision(d.ID))
}
