package hook

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// A FileError reports why a settings file cannot be edited.
type FileError struct {
	File         string // name in the form for people
	Line, Column int    // 0 for the whole file
	Msg, Hint    string
}

func (f *FileError) Error() string {
	if f.Line == 0 {
		return f.File + ": " + f.Msg
	}
	return fmt.Sprintf("%s:%d:%d: %s", f.File, f.Line, f.Column, f.Msg)
}

// A settings is a settings file of an agent: JSON that may have comments, trailing commas and a
// byte order mark.
type settings struct {
	src      []byte
	plain    []byte   // src as plain JSON of the same length
	comments [][2]int // ranges of comments
	commas   []int    // offsets of trailing commas
	bom      bool
	doc      jsonedit.Doc // parsed from plain
}

const (
	byteOrderMark = "\xEF\xBB\xBF"
	jsonSpace     = " \t\r\n" // JSON allows no other white space between tokens
)

// readSettings parses src, whose root must be an object. If src is only white space, the result has
// no nodes.
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

// empty reports whether there is only white space.
func (s *settings) empty() bool { return len(s.doc.Nodes) == 0 }

// marked returns text with the byte order mark of s, if it has one.
func (s *settings) marked(text []byte) []byte {
	if !s.bom {
		return text
	}
	return append([]byte(byteOrderMark), text...)
}

// fault returns a FileError at an offset.
func (s *settings) fault(offset int, msg, hint string) *FileError {
	src := s.src
	if s.bom {
		src, offset = src[len(byteOrderMark):], offset-len(byteOrderMark)
	}
	line, column, _ := jsonedit.Position(src, offset)
	return &FileError{Line: line, Column: column, Msg: msg, Hint: hint}
}

// odd returns the offset and the description of the first thing that plain JSON does not allow, or
// -1.
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

// uncomment blanks the comments and the trailing commas in plain. It returns the offset of a
// comment without an end, or -1. Any other slash is left for the parser to refuse.
func (s *settings) uncomment() (open int) {
	text := s.plain
	last, before := -1, byte('{') // last significant byte, and the one before it
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

// at returns the byte at i, or an opening bracket if there is none.
func at(text []byte, i int) byte {
	if i < 0 {
		return '{'
	}
	return text[i]
}

// stringEnd returns the end of the string that begins at i.
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

// commentEnd returns the end of the comment that begins at i, or -1.
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

// bare returns src without its comments, without lines that have nothing else, and without the byte
// order mark. It shows the layout of the values, which are the same as in plain.
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

// commentFrom returns the index of the first comment that ends after i. It uses binary search
// because there may be many comments.
func (s *settings) commentFrom(i int) int {
	n, _ := slices.BinarySearchFunc(s.comments, i, func(c [2]int, i int) int { return c[1] - i - 1 })
	return n
}

// commentAt returns the end of the comment that begins at i, or i if none does.
func (s *settings) commentAt(i int) int {
	if n := s.commentFrom(i); n < len(s.comments) && s.comments[n][0] == i {
		return s.comments[n][1]
	}
	return i
}

// commented reports whether there is a comment within [from, to).
func (s *settings) commented(from, to int) bool {
	n := s.commentFrom(from)
	return n < len(s.comments) && s.comments[n][0] < to
}
