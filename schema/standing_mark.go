package schema

import "strings"

// Mark returns text with a mark at the end of each line that names a superseded
// decision: " (superseded by DEC-7F3K2Q)". Lines that already say so are not marked.
// All other bytes stay.
func (s Standing) Mark(text string) string {
	if len(s.by) == 0 || text == "" {
		return text
	}
	var out strings.Builder
	done := 0 // offset in text up to which out is complete
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

// named returns the decisions that superseded those named in line. It returns none if
// line already says that something is superseded.
func (s Standing) named(line string) (by []string) {
	for word := range strings.FieldsFuncSeq(line, func(r rune) bool { return r > 0x7F || !ValidID("_"+string(r)) }) {
		other, ok := s.by[strings.TrimRight(word, ".")]
		if !ok || len(by) > 0 && by[len(by)-1] == other {
			continue
		}
		if low := strings.ToLower(line); strings.Contains(low, "supersede") || strings.Contains(low, "~~") || strings.Contains(low, "replaced by") {
			return nil
		}
		by = append(by, other)
	}
	return by
}
