package jsonedit

import (
	"bytes"
	"unicode/utf8"
)

// Position is where offset (in bytes) stands in src for a person or an
// editor: its line, its column in characters, and its column in UTF-16 units,
// all from 1. A line ends with \n or \r\n; a lone \r does not end one. Inside
// a character it is that character's position; a byte that is not UTF-8
// counts as one character. Beyond the end it is the end.
func Position(src []byte, offset int) (line, column, column16 int) {
	offset = max(0, min(offset, len(src)))
	line = 1 + bytes.Count(src[:offset], []byte{'\n'})
	pos := bytes.LastIndexByte(src[:offset], '\n') + 1
	column, column16 = 1, 1
	for pos < offset {
		r, size := utf8.DecodeRune(src[pos:])
		if pos += size; pos > offset {
			break
		}
		column++
		column16++
		if r > 0xFFFF {
			column16++
		}
	}
	return line, column, column16
}
