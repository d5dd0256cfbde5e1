package main

import (
	"bytes"
	"unicode/utf8"
)

// A lineWrapper breaks lines between words, so that they fit the width of a terminal. The rest of a
// line begins below its first word, behind the mark of a list item. A word that is wider than the
// terminal stays whole.
type lineWrapper struct {
	width   int  // characters
	column  int  // characters of the line that is being written
	indent  int  // blanks before the rest of the line
	blanks  int  // blanks that were read and are not written yet
	content bool // a word other than the mark of a list item was written
}

// wrap returns text with its long lines broken. Text that does not end with a line feed is continued
// by the next call.
func (l *lineWrapper) wrap(text []byte) []byte {
	var out bytes.Buffer
	for len(text) > 0 {
		switch text[0] {
		case '\n':
			out.WriteByte('\n')
			*l = lineWrapper{width: l.width}
			text = text[1:]
		case ' ':
			l.blanks++
			text = text[1:]
		default:
			n := bytes.IndexAny(text, " \n")
			if n < 0 {
				n = len(text)
			}
			l.word(&out, text[:n])
			text = text[n:]
		}
	}
	l.space(&out)
	return out.Bytes()
}

// word writes a word, on a line of its own if it does not fit behind the last one.
func (l *lineWrapper) word(out *bytes.Buffer, word []byte) {
	n := utf8.RuneCount(word)
	if l.content && l.blanks > 0 && l.column+l.blanks+n > l.width {
		out.WriteByte('\n')
		l.column, l.blanks = 0, l.indent
	}
	l.space(out)
	if !l.content {
		l.indent = min(l.column, l.width/2)
		l.content = string(word) != "-" && string(word) != "*"
	}
	out.Write(word)
	l.column += n
}

// space writes the blanks that were read.
func (l *lineWrapper) space(out *bytes.Buffer) {
	out.Write(bytes.Repeat([]byte{' '}, l.blanks))
	l.column += l.blanks
	l.blanks = 0
}
