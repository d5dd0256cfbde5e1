package hook

import (
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/schema"
)

const (
	leastLeft   = 3500 // characters of what is left of a session that have room in any case
	mostLost    = 6000 // of what an agent's window lost
	mostListed  = 1400 // of its files, and of what was decided
	leastBefore = 1000 // of what was asked before, where it needs them
	shortBefore = 400  // of a request of it, and of the answer,
	lately      = 2    // but for the first and so many of the last
)

// A remnant is what is left of a session and is told where a window begins without it.
type remnant struct {
	memory
	standing schema.Standing // of decisions, for what names one that is superseded
	head     string
	most     int // characters
}

// ofTheWindow returns what an agent's own compaction may have lost.
func (r *running) ofTheWindow(m *memory) *remnant {
	return &remnant{*m, r.records().Standing, "# After the compaction of this conversation\n", mostLost}
}

// tell tells in so many characters what the user waits for, what was decided on the
// way, which files were touched, and what came of what was asked before. What stands
// in told is not told again.
func (s *remnant) tell(most int, told string) string {
	if s == nil {
		return ""
	}
	s = &remnant{s.memory.harmless(), s.standing, s.head, s.most}
	open, answered := "", s.Turns
	if n := len(s.Turns); n > 0 && s.Turns[n-1].Open {
		open, answered = s.standing.Mark(underWay(s.Turns[n-1])), s.Turns[:n-1]
	}
	listed := decidedSaid(s.Decided, told, s.standing) + touchedFiles(s.Files)
	room := min(most, s.most) - units(s.head) - units(listed)
	before := s.standing.Mark(askedBefore(answered, s.Decided))
	open = fitting(open, room-min(units(before), leastBefore))
	text := open + listed
	before = fitting(before, room-units(open))
	text += failedSaid(s.Failed, room-units(open+before)) + before
	if text == "" {
		return ""
	}
	return s.head + text
}

// underWay is a turn that has no answer yet.
func underWay(t turn) string {
	var text strings.Builder
	text.WriteString("## Asked by the user, and not answered yet (quoted)\n" + fenced(t.Asked) + "\n")
	if len(t.Said) > 0 {
		text.WriteString("Said on the way, newest first:\n")
		for _, said := range slices.Backward(t.Said) {
			text.WriteString("- " + cut(said, shortOnTheWay) + "\n")
		}
	}
	return text.String()
}

// decidedSaid returns what was decided and does not stand in told, with a word behind what
// names a superseded decision.
func decidedSaid(decided []string, told string, standing schema.Standing) string {
	told = strings.ToLower(told)
	var text strings.Builder
	for _, d := range slices.Backward(decided) {
		if !strings.Contains(told, gist(d)) {
			text.WriteString("- " + d + "\n")
		}
	}
	return section("Decided, as it was said, newest first ("+asData+")", standing.Mark(text.String()))
}

// gist is what a decision begins with, which tells it from others: in lower case and
// without the reason.
func gist(decided string) string {
	const long = 60
	what, _, _ := strings.Cut(strings.ToLower(decided), " — because ")
	return strings.TrimRight(what[:min(len(what), long)], ".… ")
}

func touchedFiles(files []string) string {
	var text strings.Builder
	for _, file := range slices.Backward(files) {
		text.WriteString("- " + oneLine(file, 200) + "\n")
	}
	return section("Files touched, newest first", text.String())
}

// askedBefore are turns that are over: the first of the session, which says what it
// is for, and the others, the newest first. What says no more than what was decided
// is left out.
func askedBefore(turns []turn, decided []string) string {
	var text strings.Builder
	for i, t := range slices.Concat(turns[:min(len(turns), 1)], reversed(turns[min(len(turns), 1):])) {
		most := shortBefore
		if i <= lately {
			most = shortSaid
		}
		line := t.over(decided, most)
		if line == "" {
			continue
		}
		if i == 0 {
			line = "at first: " + line
		}
		text.WriteString("- " + line + "\n")
	}
	if text.Len() == 0 {
		return ""
	}
	return "## Asked before, and what was answered (" + asData + ")\n" + text.String()
}

func reversed(turns []turn) []turn {
	turns = slices.Clone(turns)
	slices.Reverse(turns)
	return turns
}

// over is a turn that is over; what was asked and what was answered have so many
// characters each.
func (t turn) over(decided []string, most int) string {
	asked := cut(t.Asked, most)
	switch {
	case isDecision(t.Asked, decided):
		return ""
	case t.Open:
		return asked + " (broken off)"
	case len(t.Said) > 0 && !isDecision(t.Said[len(t.Said)-1], decided):
		return asked + " → " + cut(t.Said[len(t.Said)-1], most)
	}
	return asked
}

// isDecision says whether a text says little else than one of what was decided.
func isDecision(text string, decided []string) bool {
	const besides = 20 // "Decision: ", "ok, "
	return slices.ContainsFunc(decided, func(d string) bool {
		return len(text) <= len(d)+besides && strings.Contains(strings.ToLower(text), gist(d))
	})
}

// section is a list under its title; "" where there is none.
func section(title, list string) string {
	if list == "" {
		return ""
	}
	return fmt.Sprintf("## %s\n%s", title, fitting(list, mostListed))
}

// fitting keeps as many whole lines of a text as there is room for.
func fitting(text string, most int) string {
	short := cut(text, most)
	if short != text && short != "" {
		short += "\n"
	}
	return short
}
