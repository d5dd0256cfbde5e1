package block

import (
	"bytes"
	"strings"
)

// MaxNesting limits how deep lists and quotations may stand in one another, in what is
// parsed as markdown; see TooDeep.
const MaxNesting = 100

var byteOrderMark = []byte("\ufeff")

// Start returns where the markdown of a text begins: behind a byte order mark, and
// behind lines between two `---` at the very beginning.
func Start(src []byte) int {
	start := len(src) - len(bytes.TrimPrefix(src, byteOrderMark))
	line := func(at int) (string, int) {
		text, _, found := bytes.Cut(src[at:], []byte("\n"))
		end := at + len(text)
		if found {
			end++
		}
		return strings.TrimRight(string(text), " \t\r"), end
	}
	first, at := line(start)
	if first != "---" {
		return start
	}
	for at < len(src) {
		var text string
		if text, at = line(at); text == "---" || text == "..." {
			return at
		}
	}
	return start
}

// TooDeep returns the first line of a text that nests deeper than MaxNesting, from 1; 0 if none
// does. The time that markdown takes to be parsed grows with the square of that
// depth.
func TooDeep(src []byte) int {
	line := 0
	for text := range bytes.Lines(src) {
		line++
		markers := 0
		for i, c := range text {
			if c == '>' || (c == ' ' || c == '\t') && i > 0 && bytes.IndexByte([]byte("-*+.)"), text[i-1]) >= 0 {
				markers++
			} else if bytes.IndexByte([]byte(" \t-*+.)0123456789"), c) < 0 {
				break
			}
		}
		if markers > MaxNesting {
			return line
		}
	}
	return 0
}
