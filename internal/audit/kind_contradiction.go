package audit

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/internal/text"
	"github.com/forgemind/forgemind/schema"
)

var contradiction = Kind{
	Name:    "contradiction",
	Summary: "Two documents say different layers, clarity or counts.",
	look: func(s *survey) {
		if s.state == nil {
			return
		}
		s.countsDecisions()
		for _, note := range s.notes {
			s.claims(note)
		}
		for _, context := range s.contexts {
			s.claims(context)
		}
	},
}

// countsDecisions compares the State's number of decisions with the ledger and the
// views. A lower number is that of a session.
func (s *survey) countsDecisions() {
	stats := s.state.SessionStats
	if stats == nil || int(stats.DecisionsRecorded) <= len(s.decisions) {
		return
	}
	s.add(s.spot(fs.State, "/session_stats/decisions_recorded"), 70, "decisions_recorded",
		fmt.Sprintf("the State counts %s, but Ledger and views hold %d", text.Count(int(stats.DecisionsRecorded), "decision"), len(s.decisions)),
		"forgemind validate --against REV names a decision that was lost; otherwise correct the figure",
		Evidence{File: homes[0] + "/" + fs.DecisionsDir, Text: text.Count(len(s.decisions), "decision")})
}

var (
	// now matches headings of sections about the present.
	now = lazyregexp.New(`(?i)\bcurrent (?:state|context|status|summary)\b|\bstatus\b`)

	saysLayer   = lazyregexp.New(`(?i)\blayer\b[\s:=*_]*(?:is\s+|now\s+)*(?:(\d)\b|(IDEA|MODULE|DOMAIN|REQUIREMENT|SPECIFICATION|CODE)\b)`)
	saysClarity = lazyregexp.New(`(?i)\bclarity\b[\s:=*_]*(?:is\s+|now\s+|at\s+|of\s+)*(\d{1,3}(?:\.\d+)?)\s*%`)
	saysCount   = lazyregexp.New(`(?i)\b(\d{1,6}) (open questions?|pending actions?)\b`)
)

// A claim is a statement of a text about the State, with its place.
type claim struct {
	line       int
	text, said string
}

// sayings are the patterns of claims, each with words that a line must contain before
// the pattern is tried.
var sayings = [...]struct {
	word    string
	pattern *lazyregexp.Regexp
}{{"layer", saysLayer}, {"clarity", saysClarity}, {"open question", saysCount}, {"pending action", saysCount}}

// mayBeNow reports whether a heading is worth matching with now.
func mayBeNow(heading string) bool {
	heading = strings.ToLower(heading)
	return strings.Contains(heading, "current") || strings.Contains(heading, "status")
}

// claims compares the claims of a text about the present with the State. Of several
// claims about one thing the last counts, because notes grow at the end.
func (s *survey) claims(d document) {
	last := map[string]claim{}
	var below *section // text before the first heading does not count
	counts := false
	for _, b := range blocks(string(d.src), true) {
		if b.section != below {
			below = b.section
			counts = mayBeNow(b.section.heading) && now.MatchString(b.section.heading)
		}
		if !counts {
			continue
		}
		for line, text := range b.lines() {
			lower := strings.ToLower(text)
			for _, says := range sayings {
				if !strings.Contains(lower, says.word) || b.marked() {
					continue
				}
				for _, m := range says.pattern.FindAllStringSubmatch(text, -1) {
					if says.pattern != saysCount {
						last[says.word] = claim{line, text, m[1] + strings.Join(m[2:], "")}
					} else if strings.HasPrefix(strings.ToLower(m[2]), says.word) {
						last[says.word] = claim{line, text, m[1]}
					}
				}
			}
		}
	}
	if p := s.state.Project; p != nil {
		layer, _ := schema.LayerName(int(p.CurrentLayer))
		is := fmt.Sprintf("%d (%s)", int(p.CurrentLayer), layer)
		if c, ok := last["layer"]; ok && c.said != strconv.Itoa(int(p.CurrentLayer)) && !strings.EqualFold(c.said, layer) {
			s.contradicts(d.name, c, 75, "layer", is, "/project/current_layer")
		}
		if c, ok := last["clarity"]; ok {
			said, err := strconv.ParseFloat(c.said, 64)
			if off := math.Abs(said - p.Clarity); err == nil && off >= 1 {
				s.contradicts(d.name, c, 40+int(min(off, 40)), "clarity", fmt.Sprintf("%g %%", p.Clarity), "/project/clarity")
			}
		}
	}
	for what, is := range map[string]int{"open question": len(s.state.OpenQuestions), "pending action": len(s.state.PendingActions)} {
		if c, ok := last[what]; ok && c.said != strconv.Itoa(is) {
			s.contradicts(d.name, c, 50, what+"s", strconv.Itoa(is), "/"+strings.ReplaceAll(what, " ", "_")+"s")
		}
	}
}

func (s *survey) contradicts(name string, c claim, score int, what, is, pointer string) {
	at := spot{name, c.line, 1}
	s.add(at, score, what, fmt.Sprintf("it says %s %s, the State says %s", what, c.said, is),
		"bring the text up to date; the State is what commands go by", at.evidence(c.text), s.spot(fs.State, pointer).evidence(is))
}
