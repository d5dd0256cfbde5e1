package hook

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// A Fault is a place in a settings file that keeps it from being edited.
type Fault struct {
	File         string // as people see it
	Line, Column int    // 0 where it is the file as a whole
	Msg, Hint    string
}

func (f *Fault) Error() string {
	if f.Line == 0 {
		return f.File + ": " + f.Msg
	}
	return fmt.Sprintf("%s:%d:%d: %s", f.File, f.Line, f.Column, f.Msg)
}

// A settings is a file of an agent's settings as text: JSON, in which comments,
// trailing commas and a byte order mark are let stand.
type settings struct {
	src      []byte
	plain    []byte   // src as JSON, of the same length
	comments [][2]int // where they stand
	commas   []int    // where trailing commas stand
	bom      bool
	doc      jsonedit.Doc // of plain
}

const (
	byteOrderMark = "\xEF\xBB\xBF"
	jsonSpace     = " \t\r\n" // other white space is as wrong between JSON's tokens as a letter
)

// readSettings reads src, whose root must be an object. An src of white space
// alone has no nodes.
func readSettings(src []byte) (*settings, error) {
	s := &settings{src: src, plain: bytes.Clone(src)}
	if s.bom = bytes.HasPrefix(src, []byte(byteOrderMark)); s.bom {
		copy(s.plain, "   ")
	}
	if open := s.uncomment(); open >= 0 {
		return nil, s.fault(open, "a comment begins here and does not end", mendHint)
	}
	if len(bytes.Trim(s.plain, jsonSpace)) == 0 && len(s.comments) == 0 {
		return s, nil
	}
	err := s.doc.Parse(s.plain)
	var wrong *jsonedit.SyntaxError
	if errors.As(err, &wrong) {
		return nil, s.fault(wrong.Offset, wrong.Msg, mendHint)
	}
	if err != nil {
		return nil, err
	}
	if root := s.doc.Nodes[0]; root.Kind != jsonedit.Object {
		return nil, s.fault(int(root.Start), "an object is needed here, not "+root.Kind.String(), mendHint)
	}
	return s, nil
}

// empty says that there is nothing but white space.
func (s *settings) empty() bool { return len(s.doc.Nodes) == 0 }

// marked is text behind the byte order mark of s, if it has one.
func (s *settings) marked(text []byte) []byte {
	if !s.bom {
		return text
	}
	return append([]byte(byteOrderMark), text...)
}

// fault is a Fault at an offset.
func (s *settings) fault(offset int, msg, hint string) *Fault {
	src := s.src
	if s.bom {
		src, offset = src[len(byteOrderMark):], offset-len(byteOrderMark)
	}
	line, column, _ := jsonedit.Position(src, offset)
	return &Fault{Line: line, Column: column, Msg: msg, Hint: hint}
}

// odd is the first place that plain JSON would not have, and what it is; -1 if
// there is none.
func (s *settings) odd() (offset int, what string) {
	switch {
	case s.bom:
		return len(byteOrderMark), "a byte order mark"
	case len(s.comments) > 0 && (len(s.commas) == 0 || s.comments[0][0] < s.commas[0]):
		return s.comments[0][0], "a comment"
	case len(s.commas) > 0:
		return s.commas[0], "a comma behind the last element"
	}
	return -1, ""
}

// uncomment blanks the comments and the trailing commas in plain. open is where a
// comment begins that does not end, -1 if there is none. Any other slash is left for
// the parser to refuse.
func (s *settings) uncomment() (open int) {
	text := s.plain
	last, before := -1, byte('{') // the last significant byte, and the one before it
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			continue
		case c == '"':
			end := stringEnd(text, i)
			last, before = i, at(text, last)
			i = end - 1
			continue
		case c == '/':
			end := commentEnd(text, i)
			if end < 0 && i+1 < len(text) && text[i+1] == '*' {
				return i
			}
			if end < 0 {
				return -1
			}
			s.comments = append(s.comments, [2]int{i, end})
			for k := i; k < end; k++ {
				if text[k] != '\n' && text[k] != '\r' {
					text[k] = ' '
				}
			}
			i = end - 1
			continue
		case (c == '}' || c == ']') && at(text, last) == ',' && !strings.ContainsRune(",[{:", rune(before)):
			text[last] = ' '
			s.commas = append(s.commas, last)
		}
		last, before = i, at(text, last)
	}
	return -1
}

// at is the byte at i, or an opening bracket where there is none.
func at(text []byte, i int) byte {
	if i < 0 {
		return '{'
	}
	return text[i]
}

// stringEnd is where the string that begins at i ends.
func stringEnd(text []byte, i int) int {
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"', '\n':
			return i + 1
		}
	}
	return len(text)
}

// commentEnd is where the comment that begins at i ends, or -1.
func commentEnd(text []byte, i int) int {
	rest := text[i:]
	switch {
	case bytes.HasPrefix(rest, []byte("//")):
		if n := bytes.IndexByte(rest, '\n'); n >= 0 {
			end := i + n
			if end > i && text[end-1] == '\r' {
				end--
			}
			return end
		}
		return len(text)
	case bytes.HasPrefix(rest, []byte("/*")):
		if n := bytes.Index(rest[2:], []byte("*/")); n >= 0 {
			return i + 2 + n + 2
		}
	}
	return -1
}

// bare is src without its comments, without the lines that hold nothing else, and
// without the byte order mark: how values are laid out is seen in it. The values
// are the same as in plain, in the same order.
func (s *settings) bare() []byte {
	from := 0
	if s.bom {
		from = len(byteOrderMark)
	}
	var out []byte
	for _, c := range s.comments {
		out = bytes.TrimRight(append(out, s.plain[from:c[0]]...), " \t")
		from = c[1]
		rest := bytes.TrimLeft(s.src[from:], " \t\r")
		if bytes.HasSuffix(out, []byte("\n")) && bytes.HasPrefix(rest, []byte("\n")) {
			from = len(s.src) - len(rest) + 1
		}
	}
	return append(out, s.plain[from:]...)
}

// commentFrom is the first comment that ends behind i, by its index; there may be a
// great many.
func (s *settings) commentFrom(i int) int {
	n, _ := slices.BinarySearchFunc(s.comments, i, func(c [2]int, i int) int { return c[1] - i - 1 })
	return n
}

// commentAt is the end of the comment that begins at i; i where none does.
func (s *settings) commentAt(i int) int {
	if n := s.commentFrom(i); n < len(s.comments) && s.comments[n][0] == i {
		return s.comments[n][1]
	}
	return i
}

// commented says whether a comment stands within [from, to).
func (s *settings) commented(from, to int) bool {
	n := s.commentFrom(from)
	return n < len(s.comments) && s.comments[n][0] < to
}
