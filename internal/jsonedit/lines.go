package jsonedit

import (
	"bytes"
	"iter"
)

const bom = "\xEF\xBB\xBF"

// A Line is one line of a JSONL text.
type Line struct {
	Number int    // from 1
	Offset int    // of Text in the JSONL text, in bytes
	Text   []byte // without its line ending; not necessarily valid JSON
}

// Lines yields the lines of src that are not blank, in order. Blank lines count for
// Number. It skips a byte order mark at the start, and accepts \n and \r\n as line
// endings. The last line may lack its line ending or end with \r.
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

// A TailState describes the end of a JSONL text.
type TailState uint8

// The ends of a JSONL text.
const (
	Whole        TailState = iota // a line ending, or the text is empty: a record can be appended
	Unterminated                  // a complete record without its line ending
	Torn                          // part of a record, NUL bytes, or blanks
)

// Tail returns the state of src's end and the number of bytes to keep before a record
// is appended: all of src, or, if it is Torn, all up to the last line ending.
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
