package text

import (
	"strings"
	"unicode"
)

// OneLine returns s on one line: each run of white space is one space, and none
// begins or ends the line.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// Line returns s as OneLine does, with control characters taken for white space and
// with U+FFFD for bytes that are not UTF-8.
func Line(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, "\uFFFD"), func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}
