package condense

import (
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/lazyregexp"
)

var (
	replacing    = lazyregexp.New(`\b(?:supersed(?:es?|ed|ing)|replac(?:es|ed|ing)|overrid(?:es|den|ing)|overturn(?:s|ed|ing)?|revers(?:es|ed|ing)|obsolet(?:es|ed)|revis(?:es|ed)|ersetzt|取代)\b`)
	decisionID   = lazyregexp.New(`\b(?:DEC|ADR|dec|adr)-[0-9A-Za-z]{2,26}\b`)
	replaced     = lazyregexp.New(`(?i)\b(?:supersed(?:es|ing)|replac(?:es|ing)|overrid(?:es|ing)|overturn(?:s|ing)|revers(?:es|ing))\s+((?:the|our|that|this|my|what we)\s+[^.;!?]{0,60}?\b(?:decision|choice|agreement|plan|rule|policy|approach|condensation)\b[^.;,!?]{0,80})`)
	supersession = lazyregexp.New(`^(?:supersedes|replaces|overrides)$`)
)

// supersedes returns the decisions that somebody calls replaced, as ids or descriptions.
func (d *discussion) supersedes() (all []string) {
	add := func(s string) {
		if s = strings.Trim(single(s), " .,*_"); s != "" && !slices.Contains(all, s) && len(all) < mostSupersedes {
			all = append(all, s)
		}
	}
	for _, s := range d.sentences {
		switch {
		case s.label != "" && supersession.MatchString(s.label) && !s.asked && !s.of(undecided):
			if ids := decisionID.FindAllString(s.text, -1); ids != nil {
				for _, id := range ids {
					add(id)
				}
			} else {
				add(s.text)
			}
		case holds(s.low, "supersed", "replac", "overrid", "overturn", "revers", "obsolet", "revis", "ersetzt", "取代") && s.of(replacing) && !s.asked && !s.of(undecided):
			ids := decisionID.FindAllString(s.text, -1)
			for _, id := range ids {
				add(id)
			}
			if m := replaced.FindStringSubmatch(s.text); m != nil && ids == nil {
				add(m[1])
			}
		}
	}
	return all
}
