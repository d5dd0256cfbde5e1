package transcript

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// A Fault is a place of a transcript or an export that could not be read. The
// rest was read.
type Fault struct {
	Line, Column int // from 1; Column counts characters
	Err          error
	offset       int
}

// maxFaults limits the faults of one text that are listed.
const maxFaults = 100

// maxQuoted is the number of characters of a text that messages quote.
const maxQuoted = 40

const bom = "\xEF\xBB\xBF"

// A source is a text that is being read, with its faults so far.
type source struct {
	src    []byte
	faults []Fault // the first maxFaults
	more   int     // faults that are not in the list
	line   int     // of offset; lineOf continues there
	offset int
}

// lineOf returns the line of an offset, from 1.
func (s *source) lineOf(offset int) int {
	if offset < s.offset {
		s.line, s.offset = 0, 0
	}
	s.line += bytes.Count(s.src[s.offset:offset], []byte("\n"))
	s.offset = offset
	return s.line + 1
}

// fail adds a fault.
func (s *source) fail(offset int, err error) {
	if len(s.faults) == maxFaults {
		s.more++
		return
	}
	offset = min(offset, len(s.src))
	start := bytes.LastIndexByte(s.src[:offset], '\n') + 1
	_, column, _ := jsonedit.Position(s.src[start:], offset-start)
	s.faults = append(s.faults, Fault{s.lineOf(offset), column, err, offset})
}

// inOrder returns the faults in the order of their offsets. The last one states the number of the
// others; what is their noun in the plural.
func (s *source) inOrder(what string) []Fault {
	slices.SortStableFunc(s.faults, func(a, b Fault) int { return a.offset - b.offset })
	if s.more > 0 {
		last := &s.faults[maxFaults-1]
		last.Err = fmt.Errorf("%w; and %d more %s cannot be read", last.Err, s.more, what)
	}
	return s.faults
}
