package yaml

import "bytes"

// Split parts a markdown text from its front matter: YAML between a first line
// `---` and the next line `---` or `...`. front is nil where there is none, and
// begins on line 2 of the text; body is the rest, from line on (counted from 1).
func Split(src []byte) (front, body []byte, line int) {
	text := bytes.TrimPrefix(src, []byte("\uFEFF"))
	first, rest, more := bytes.Cut(text, []byte("\n"))
	if !more || !fence(first, "---") {
		return nil, text, 1
	}
	line = 2
	for at := 0; at < len(rest); {
		end := bytes.IndexByte(rest[at:], '\n')
		next := at + end + 1
		if end < 0 {
			end, next = len(rest)-at, len(rest)
		}
		line++
		if here := rest[at : at+end]; fence(here, "---") || fence(here, "...") {
			return rest[:at:at], rest[next:], line
		}
		at = next
	}
	return nil, text, 1
}

// fence says whether a line is mark, trailing blanks aside.
func fence(line []byte, mark string) bool {
	return string(bytes.TrimRight(line, " \t\r")) == mark
}
