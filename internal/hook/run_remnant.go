package hook

import (
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/brief"
)

const (
	leastLeft   = 3500 // least characters for the remnant of a session
	mostLost    = 6000 // for what an agent's window lost
	mostListed  = 1400 // for files and for decisions
	leastBefore = 1000 // least characters for earlier requests
	shortBefore = 400  // for an earlier request, and for its answer
	lately      = 2    // for a turn that is neither the first nor one of the last, which get more
)

// A sessionHint is a short text about a session, for a window that begins without it.
type sessionHint struct {
	memory
	head string
	most int // in characters
}

// ofTheWindow returns a remnant of what the agent's own compaction may have lost.
func ofTheWindow(m *memory) *sessionHint {
	return &sessionHint{*m, "# After the compaction of this conversation\n", mostLost}
}

// tell returns a text of at most most characters: the open request, the decisions, the touched
// files, and earlier requests with their answers. It leaves out what told, the text so far, has.
func (s *sessionHint) tell(most int, told string) string {
	if s == nil {
		return ""
	}
	s = &sessionHint{s.memory.harmless(), s.head, s.most}
	open, answered := "", s.Turns
	if n := len(s.Turns); n > 0 && s.Turns[n-1].Open {
		open, answered = underWay(s.Turns[n-1]), s.Turns[:n-1]
	}
	listed := decidedSaid(s.Decided, told) + touchedFiles(s.Files)
	room := min(most, s.most) - units(s.head) - units(listed)
	before := askedBefore(answered, s.Decided)
	open = fitting(open, room-min(units(before), leastBefore))
	text := open + listed + fitting(before, room-units(open))
	if text == "" {
		return ""
	}
	return s.head + text
}

// underWay returns the text about a turn without an answer.
func underWay(t turn) string {
	var text strings.Builder
	text.WriteString("## Asked by the user, and not answered yet (quoted)\n" + fenced(t.Asked) + "\n")
	if len(t.Said) > 0 {
		text.WriteString("Said on the way, newest first:\n")
		for _, said := range slices.Backward(t.Said) {
			text.WriteString("- " + said + "\n")
		}
	}
	return text.String()
}

// decidedSaid returns the decisions that told lacks.
func decidedSaid(decided []string, told string) string {
	told = strings.ToLower(told)
	var text strings.Builder
	for _, d := range slices.Backward(decided) {
		if !strings.Contains(told, gist(d)) {
			text.WriteString("- " + d + "\n")
		}
	}
	return section("Decided, as it was said, newest first ("+asData+")", text.String())
}

// gist returns the beginning of a decision that identifies it, in lower case and without the
// reason.
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

// askedBefore returns the answered turns: the first of the session, which states its purpose, and
// the others, newest first. It leaves out turns that only repeat a decision.
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

// over returns the text about an answered turn, with at most most characters each for the request
// and the answer.
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

// isDecision reports whether a text says little more than one of the decisions.
func isDecision(text string, decided []string) bool {
	const besides = 20 // "Decision: ", "ok, "
	return slices.ContainsFunc(decided, func(d string) bool {
		return len(text) <= len(d)+besides && strings.Contains(strings.ToLower(text), gist(d))
	})
}

// section returns a list under its title, or "" if the list is empty.
func section(title, list string) string {
	if list == "" {
		return ""
	}
	return fmt.Sprintf("## %s\n%s", title, fitting(list, mostListed))
}

// fitting returns as many whole lines of a text as fit.
func fitting(text string, most int) string {
	short := cut(text, most)
	if short != text && short != "" {
		short += "\n"
	}
	return short
}

// withoutFiles removes the current files from a section, because they are listed separately.
func withoutFiles(s *brief.Section) {
	before := len(s.Items)
	s.Items = slices.DeleteFunc(s.Items, func(i brief.Item) bool { return len(i.About) > 0 && i.About[0] == "files in work" })
	s.Total -= before - len(s.Items)
}
