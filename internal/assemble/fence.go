package assemble

import "strings"

// lineFeeds replaces line endings by line feeds. The other characters that some programs take
// for line endings are in lineEnds.
var lineFeeds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// lineEnds are characters that some programs take for the end of a line.
const lineEnds = "\n\v\f\u0085\u2028\u2029"

// setIn indents all lines of text except the first by a space, so that none can be taken for
// a line of its own.
func setIn(text string) string {
	text = lineFeeds.Replace(strings.TrimSpace(text))
	if !strings.ContainsAny(text, lineEnds) {
		return text
	}
	var b strings.Builder
	after := false // the previous character ends a line
	for _, r := range text {
		end := strings.ContainsRune(lineEnds, r)
		if after && !end {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		after = end
	}
	return b.String()
}

// fenced quotes text, which ends in a line feed, between two fences that are longer than any
// run of their characters in it.
func fenced(text string) string {
	fence := strings.Repeat("`", fenceFor(text))
	return fence + "text\n" + text + fence + "\n"
}

// fenceFor returns the length of a fence that encloses text.
func fenceFor(text string) int {
	longest, run := 2, 0
	before := byte(0)
	for i := range len(text) {
		switch c := text[i]; {
		case c != '`' && c != '~':
			run = 0
		case c == before:
			run++
		default:
			run = 1
		}
		before = text[i]
		longest = max(longest, run)
	}
	return longest + 1
}
