package audit

import (
	"fmt"
)

var danglingSupersedes = Kind{
	Name:    "dangling-supersedes",
	Summary: "A decision or a condensation replaces one that nobody knows.",
	look: func(s *survey) {
		told := map[string]bool{} // condensations repeat what decisions say
		for _, d := range s.decisions {
			for n, id := range d.Supersedes {
				if s.knows(id) || id == "" {
					continue
				}
				told[id] = true
				pointer := "/supersedes"
				if len(d.Supersedes) > 1 {
					pointer += fmt.Sprintf("/%d", n)
				}
				at := s.decided(d.ID, pointer)
				s.add(at, 65, d.ID+" "+id, fmt.Sprintf("%s supersedes %s, which neither the Ledger nor a view holds", plain(d.ID), plain(id)),
					"find in git which decision was meant, and supersede that one; what it should replace may still count", s.decision(d.ID))
			}
		}
		for _, c := range s.condensations {
			for id := range idsIn(c.supersedes) {
				if s.knows(id) || told[id] || !ledgerLike(id) {
					continue
				}
				told[id] = true
				at := spot{c.name, c.supLine, 1}
				s.add(at, 55, id, fmt.Sprintf("the condensation supersedes %s, which neither the Ledger nor a view holds", plain(id)),
					"find in git which decision was meant, and record a decision that supersedes it", at.evidence(c.supersedes))
			}
		}
	},
}

// ledgerLike says whether an id has the form that decisions have.
func ledgerLike(id string) bool {
	return len(id) > 4 && (id[:4] == "DEC-" || id[:4] == "dec-")
}
