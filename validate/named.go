package validate

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/schema"
)

// decisionPrefix is the prefix of decision ids that are looked for in text.
const decisionPrefix = "DEC-"

// mayName reports whether a document is searched for ids of decisions. Conversations
// are not, nor is the ledger, in which only supersedes counts.
func mayName(name string) bool {
	form := formOf(name)
	return (form == formJSON || form == formText) && fs.Place(name) != fs.DocDecision
}

// decisionsNamedIn returns the ids of decisions in a text.
func decisionsNamedIn(text []byte) (ids []string) {
	for {
		at := bytes.Index(text, []byte(decisionPrefix))
		if at < 0 {
			return ids
		}
		inside := at > 0 && idByte(text[at-1])
		text = text[at:]
		end := len(decisionPrefix)
		for end < len(text) && idByte(text[end]) {
			end++
		}
		id := strings.TrimRight(strings.TrimSuffix(string(text[:end]), ".json"), ".-_")
		if text = text[end:]; !inside && len(id) > len(decisionPrefix) {
			ids = append(ids, id)
		}
	}
}

// nameDecision records that a document names a decision, and keeps the first document
// by name.
func (f *facts) nameDecision(id, name string) {
	if f.named == nil {
		f.named = map[string]string{}
	}
	if by, ok := f.named[id]; !ok || name < by {
		f.named[id] = name
	}
}

// reportNamed reports the decisions that a document names and that the ledger lacks
// although git has them.
func (c *treeFacts) reportNamed() {
	for _, list := range [][]reference{c.refs, c.replaces} {
		for _, r := range list {
			if r.what != "session" && r.what != "condensation" && schema.ValidID(r.id) && strings.HasPrefix(r.id, decisionPrefix) {
				c.nameDecision(r.id, r.name)
			}
		}
	}
	for _, d := range c.ledger {
		delete(c.named, d.id)
	}
	s := &showing{changeChecker: changeChecker{after: c.reader, weights: weights{c.rule.Name: c.weight}}, root: rootOf(c.reader)}
	s.missNamed(c.named)
	lost, _ := s.lost(func(shownDecision) bool { return false }) // an error of git is not a problem of the tree
	for _, u := range lost {
		s.report(lostName, u.Finding.File, "", u.Finding.Message, u.Finding.Hint+"; "+plainFile(c.named[u.ID])+" names it")
	}
	c.out = append(c.out, s.out...)
	c.lost = map[string]bool{}
	for _, u := range lost {
		c.lost[u.ID] = true
	}
}

// missNamed adds decisions that documents name and that the ledger lacks to the missing
// ones.
func (s *showing) missNamed(named map[string]string) {
	ledger := newMemory()
	for _, folder := range []string{fs.Forgemind, fs.Quaid} {
		if len(named) == 0 || ledger.remember(s.after, folder+"/"+fs.DecisionsDir) != nil {
			return // an unreadable folder may contain it
		}
	}
	for _, id := range slices.Sorted(maps.Keys(named)) {
		missed := slices.ContainsFunc(s.missing, func(h shownDecision) bool { return h.id == id })
		if !missed && len(ledger.ids[id]) == 0 {
			s.missing = append(s.missing, shownDecision{id: id, name: named[id]})
		}
	}
}
