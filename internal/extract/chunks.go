package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A chunk is a run of characters of paths, identifiers and addresses.
type chunk struct {
	span
	line       string
	text       string
	prev, next rune // the characters beside it; 0 at the ends of the line
	inCode     bool // it is in a code span
	wholeSpan  bool // it is the whole code span
	opaque     bool // a path, an address or a call, whose words are not names
}

// isChunkRune reports whether r is a character of chunks.
func isChunkRune(r rune) bool {
	if r < utf8.RuneSelf {
		return isWordRune(r) || strings.IndexByte(`-./\+#@~:=&%$`, byte(r)) >= 0
	}
	return isWordRune(r)
}

// splitChunks returns the chunks of a line, in order.
func splitChunks(text string) []chunk {
	var chunks []chunk
	coded := codeSpans(text)
	start := -1
	close := func(end int, next rune) {
		c := chunk{span: span{start, end}, line: text, text: text[start:end], next: next}
		c.prev, _ = utf8.DecodeLastRuneInString(text[:start])
		if start == 0 {
			c.prev = 0
		}
		for len(coded) > 0 && coded[0].end < end {
			coded = coded[1:]
		}
		if len(coded) > 0 && coded[0].start <= start {
			c.inCode = true
			c.wholeSpan = coded[0] == c.span
		}
		c.opaque = isOpaque(c.text)
		chunks = append(chunks, c)
		start = -1
	}
	for i, r := range text {
		switch in := isChunkRune(r); {
		case in && start < 0:
			start = i
		case !in && start >= 0:
			close(i, r)
		}
	}
	if start >= 0 {
		close(len(text), 0)
	}
	return chunks
}

// isOpaque reports whether the words of a chunk are parts of an address, an
// assignment, an identifier or a path.
func isOpaque(text string) bool {
	if len(text) > maxNameLength || strings.ContainsAny(text, `@\=_$%~&`) || strings.Contains(text, "://") {
		return true
	}
	if !strings.Contains(text, "/") {
		return false
	}
	for part := range strings.SplitSeq(text, "/") { // "JWT/OAuth", but not "src/redis"
		if first, _ := utf8.DecodeRuneInString(part); !unicode.IsUpper(first) {
			return true
		}
	}
	return false
}
