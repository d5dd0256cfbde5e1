package yaml

import "bytes"

// Split separates a markdown text from its front matter: YAML between a first line
// `---` and the next line `---` or `...`. front, which begins on line 2 of the text,
// is nil if there is no front matter. body is the rest of the text; line is the
// line, from 1, on which it begins.
func Split(src []byte) (front, body []byte, line int) {
	text := bytes.TrimPrefix(src, []byte("\uFEFF"))
	first, rest, more := bytes.Cut(text, []byte("\n"))
	if !more || !isFence(first, "---") {
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
		if here := rest[at : at+end]; isFence(here, "---") || isFence(here, "...") {
			return rest[:at:at], rest[next:], line
		}
		at = next
	}
	return nil, text, 1
}

// isFence reports whether a line is mark, apart from trailing blanks.
func isFence(line []byte, mark string) bool {
	return string(bytes.TrimRight(line, " \t\r")) == mark
}
