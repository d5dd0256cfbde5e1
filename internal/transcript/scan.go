package transcript

import (
	"bytes"
	"errors"
	"slices"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// A scan looks for records one after the other.
type scan struct {
	rd     *reader
	doc    jsonedit.Doc
	firsts []string // the names with which whole records begin
	lost   bool     // the one before is torn
	budget int      // bytes that may be looked at in vain
}

// one takes the record at at, and says where to go on.
func (s *scan) one(at int) int {
	src := s.rd.src
	switch src[at] {
	case '[', ']', ',', '}':
		if s.lost || src[at] != '}' {
			return at + 1
		}
	}
	end := lineEnd(src, at)
	if s.take(at, end) {
		return end
	}
	if src[at] == '{' {
		if n := s.span(at); n > 0 && s.take(at, at+n) {
			return at + n
		}
	}
	if !s.lost || column0(src, at) {
		var wrong *jsonedit.SyntaxError
		if len(s.rd.faults) < maxFaults && errors.As(s.doc.Parse(src[at:end]), &wrong) {
			s.rd.fail(at+wrong.Offset, wrong)
		} else {
			s.rd.fail(at, errors.New("no record that can be read"))
		}
		s.rd.torn++
		s.rd.unread++
	}
	s.lost = true
	return s.seek(at + 1)
}

// take takes what stands between at and end, if that is one record. After a torn
// one it must be of a known kind: else it is a piece of that.
func (s *scan) take(at, end int) bool {
	raw := bytes.TrimRight(s.rd.src[at:end:end], " \t\r,")
	if len(raw) == 0 || raw[0] != '{' && (s.lost || raw[0] == '[') {
		return false
	}
	mended := false
	if last := raw[len(raw)-1]; raw[0] == '{' && last != '}' && last < 0x80 {
		return false
	}
	if s.doc.Parse(raw) != nil {
		if s.budget <= 0 {
			return false
		}
		fixed := mend(raw)
		if fixed == nil || s.doc.Parse(fixed) != nil {
			s.budget -= len(raw)
			return false
		}
		raw, mended = fixed, true
	}
	if raw[0] == '{' {
		if s.lost && !column0(s.rd.src, at) && !known(&s.doc) {
			return false
		}
		s.begun(&s.doc)
	}
	if mended {
		s.rd.mended++
	}
	s.lost = false
	s.rd.records = append(s.rd.records, record{at, raw})
	return true
}

// begun notes with what name an object begins.
func (s *scan) begun(doc *jsonedit.Doc) {
	if doc.Nodes[0].Kind != jsonedit.Object {
		return
	}
	for i := range doc.Children(0) {
		if first := doc.Key(i); len(s.firsts) < 8 && !slices.Contains(s.firsts, first) {
			s.firsts = append(s.firsts, first)
		}
		return
	}
}

// known says whether a record is one of a format.
func known(doc *jsonedit.Doc) bool {
	return slices.ContainsFunc(formats(), func(f format) bool { return f.is != nil && f.is(doc) })
}

// seek is where, from at on, another record may begin: at the beginning of a
// line, or with a name with which others begin.
func (s *scan) seek(at int) int {
	src := s.rd.src
	for at < len(src) {
		i := bytes.IndexByte(src[at:], '{')
		if i < 0 {
			return len(src)
		}
		at += i
		if s.budget > 0 && (len(s.firsts) == 0 || s.begins(at)) || leads(src, at) {
			return at
		}
		at++
	}
	return at
}

// begins says whether the object at at begins as others did.
func (s *scan) begins(at int) bool {
	rest := s.rd.src[skip(s.rd.src, at+1):]
	rest = rest[:min(len(rest), 64)]
	if len(rest) == 0 || rest[0] != '"' {
		return false
	}
	name, _, ok := bytes.Cut(rest[1:], []byte{'"'})
	return ok && slices.Contains(s.firsts, string(name))
}

func column0(src []byte, at int) bool { return at == 0 || src[at-1] == '\n' }

// leads says whether the object at at is the first in its line: what stands before
// it may be a log's.
func leads(src []byte, at int) bool {
	for at > 0 && src[at-1] != '\n' {
		if at--; src[at] == '{' {
			return false
		}
	}
	return true
}

// span is how long the object at at is, by its brackets; 0 where it does not end.
// A line break within a string, or another record that begins on a line of its
// own, says that it is torn.
func (s *scan) span(at int) int {
	src := s.rd.src
	depth, inString, indented, last := 0, false, false, byte(0)
	for i := at; i < len(src); i++ {
		c := src[i]
		switch {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
			if c == '\n' {
				s.budget -= i - at
				return 0
			}
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				return i + 1 - at
			}
		case c == '\n' && i+1 < len(src):
			next := src[i+1]
			indented = indented || next == ' ' || next == '\t'
			if next == '{' && depth > 0 && (indented || bytes.IndexByte([]byte("[,:"), last) < 0 || s.alone(i+1)) || s.budget <= 0 {
				s.budget -= i - at
				return 0
			}
		}
		if c > ' ' {
			last = c
		}
	}
	s.budget -= len(src) - at
	return 0
}

// alone says whether the line at at is an object by itself.
func (s *scan) alone(at int) bool {
	line := bytes.TrimRight(s.rd.src[at:lineEnd(s.rd.src, at)], " \t,")
	s.budget -= len(line)
	return len(line) > 4 && line[len(line)-1] == '}' && s.doc.Parse(line) == nil
}
