package jsonedit

import (
	"bytes"
	"iter"
)

const bom = "\xEF\xBB\xBF"

// A Line is one line of a JSONL text.
type Line struct {
	Number int    // from 1
	Offset int    // of Text in the whole, in bytes
	Text   []byte // without its line ending; not necessarily valid JSON
}

// Lines yields the lines of src that are not blank, in order. Blank ones are
// counted. It skips a byte order mark before the first, takes \n and \r\n for
// a line ending, and yields a last line that has none, or half of one.
func Lines(src []byte) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		pos := bomLen(src)
		for number := 1; pos < len(src); number++ {
			next, end := len(src), len(src)
			if n := bytes.IndexByte(src[pos:], '\n'); n >= 0 {
				next, end = pos+n+1, pos+n
			}
			if end > pos && src[end-1] == '\r' {
				end--
			}
			text := src[pos:end:end]
			if skipSpace(text, 0) < len(text) && !yield(Line{number, pos, text}) {
				return
			}
			pos = next
		}
	}
}

// TailState is how a JSONL text ends.
type TailState uint8

// The ends of a JSONL text.
const (
	Whole        TailState = iota // with a line ending, or it is empty: a record may be appended
	Unterminated                  // with a whole record that lacks its line ending
	Torn                          // with a piece of a record, or with NUL bytes
)

// Tail says how src ends, and how much of it (in bytes) is to be kept before
// a record is appended: all of it, unless it is Torn; then all up to and with
// the last line ending. Blank space after that is torn, too.
func Tail(src []byte) (kept int, state TailState) {
	start := max(bytes.LastIndexByte(src, '\n')+1, bomLen(src))
	if start >= len(src) {
		return len(src), Whole
	}
	if _, err := Parse(src[start:]); err == nil {
		return len(src), Unterminated
	}
	return start, Torn
}

func bomLen(src []byte) int {
	if bytes.HasPrefix(src, []byte(bom)) {
		return len(bom)
	}
	return 0
}
