package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A chunk is a run of characters that paths, identifiers and addresses are made
// of.
type chunk struct {
	stretch
	line       string
	text       string
	prev, next rune // what stands beside it; 0 at the ends of the line
	coded      bool // within a code span
	whole      bool // it is all there is in the code span
	opaque     bool // a path, an address, a call: its words name nothing by themselves
}

// chunkly says whether r belongs to a chunk.
func chunkly(r rune) bool {
	if r < utf8.RuneSelf {
		return joined(r) || strings.IndexByte(`-./\+#@~:=&%$`, byte(r)) >= 0
	}
	return joined(r)
}

// chunksOf are the chunks of a line, in order.
func chunksOf(text string) []chunk {
	var chunks []chunk
	coded := spans(text)
	start := -1
	close := func(end int, next rune) {
		c := chunk{stretch: stretch{start, end}, line: text, text: text[start:end], next: next}
		c.prev, _ = utf8.DecodeLastRuneInString(text[:start])
		if start == 0 {
			c.prev = 0
		}
		for len(coded) > 0 && coded[0].end < end {
			coded = coded[1:]
		}
		if len(coded) > 0 && coded[0].start <= start {
			c.coded = true
			c.whole = coded[0] == c.stretch
		}
		c.opaque = opaque(c.text)
		chunks = append(chunks, c)
		start = -1
	}
	for i, r := range text {
		switch in := chunkly(r); {
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

// opaque says whether the words of a chunk are parts of something else: of an
// address, an assignment, an identifier, a path.
func opaque(text string) bool {
	if len(text) > longestName || strings.ContainsAny(text, `@\=_$%~&`) || strings.Contains(text, "://") {
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
