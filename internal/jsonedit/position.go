package jsonedit

import (
	"bytes"
	"unicode/utf8"
)

// Position converts an offset in bytes to a line, a column in characters, and a column
// in UTF-16 units, all from 1. A line ends with \n or \r\n, not with a lone \r. A byte
// that is not UTF-8 counts as one character. An offset inside a character has the
// position of that character; one outside src has the position of the nearer end.
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
