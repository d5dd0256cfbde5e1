package schema

import "strings"

// Mark returns a text that people or forgemind wrote some time ago, with a word behind
// each line that names a decision which holds no more, and does not say so itself:
// " (superseded by DEC-7F3K2Q)". Of many it names the first. Every other byte stays.
func (s Standing) Mark(text string) string {
	if len(s.by) == 0 || text == "" {
		return text
	}
	var out strings.Builder
	done := 0 // of text, what is in out
	at := 0
	for line := range strings.Lines(text) {
		end := at + len(strings.TrimRight(line, "\r\n"))
		if by := s.named(text[at:end]); len(by) > 0 {
			out.WriteString(text[done:end])
			out.WriteString(" (superseded by " + strings.Join(by, ", ") + ")")
			done = end
		}
		at += len(line)
	}
	if done == 0 {
		return text
	}
	out.WriteString(text[done:])
	return out.String()
}

// mostMarked bounds the decisions that are named behind a line.
const mostMarked = 5

// named returns the decisions that superseded those which a line names; none where it
// says itself that something is superseded.
func (s Standing) named(line string) (by []string) {
	for word := range strings.FieldsFuncSeq(line, func(r rune) bool { return r > 0x7F || !ValidID("_"+string(r)) }) {
		other, ok := s.by[strings.TrimRight(word, ".")]
		if !ok || len(by) > 0 && by[len(by)-1] == other {
			continue
		}
		if low := strings.ToLower(line); strings.Contains(low, "supersede") || strings.Contains(low, "~~") || strings.Contains(low, "replaced by") {
			return nil
		}
		if len(by) == mostMarked {
			return append(by, "…")
		}
		by = append(by, other)
	}
	return by
}
