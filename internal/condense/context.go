package condense

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/block"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/templates"
)

// A ContextSection is where a section of a CONTEXT.md stands after a refresh.
type ContextSection = block.Place

// A Refreshed is a CONTEXT.md after a refresh.
type Refreshed struct{ block.Document }

// How large a CONTEXT.md may be, of which everybody reads all.
const (
	maxContext      = 2 << 20 // bytes
	maxContextLines = 20_000
)

// swallowed tells why a CONTEXT.md stays as it is.
const swallowed = "something in it, such as a code block or a comment that is never closed, would swallow what is generated"

// errContext is a CONTEXT.md that is no text.
var errContext = errors.New("not text")

// RefreshContext brings the sections of a CONTEXT.md up to date and leaves every other byte as it is; src is nil where
// there is no file. What people wrote into a section stands behind its block then. rendering is the file as it was
// refreshed last, nil where that is not known. Doing it again changes nothing.
func RefreshContext(src []byte, project string, want []templates.ContextSection, rendering []byte) (Refreshed, error) {
	if len(src) > maxContext {
		return Refreshed{}, fmt.Errorf("it has %d bytes, and %d at most are kept up to date", len(src), maxContext)
	}
	if n := bytes.Count(src, []byte("\n")); n > maxContextLines {
		return Refreshed{}, fmt.Errorf("it has %d lines, and %d at most are kept up to date", n, maxContextLines)
	}
	if at := bytes.IndexByte(src, 0); at >= 0 {
		line, _, _ := jsonedit.Position(src, at)
		return Refreshed{}, fmt.Errorf("%w: it holds a zero byte, on line %d", errContext, line)
	}
	if !utf8.Valid(src) {
		return Refreshed{}, fmt.Errorf("%w: it is not UTF-8", errContext)
	}
	if line := block.TooDeep(src); line > 0 {
		return Refreshed{}, fmt.Errorf("%w that can be edited: on line %d lists and quotations stand more than %d deep in one another", errContext, line, block.MaxNesting)
	}
	var blocks []block.Block
	for _, w := range want {
		b := blockOf(w)
		b.Former = b.Rendered(rendering)
		blocks = append(blocks, b)
	}
	return Refreshed{block.Render(src, templates.ContextTitle(project), blocks)}, nil
}

// blockOf returns a section as a block.
func blockOf(w templates.ContextSection) block.Block {
	b := block.Block{Name: w.Key, Title: w.Title}
	for _, l := range w.Lines {
		b.Lines = append(b.Lines, l.Text)
	}
	return b
}

// Notes tell people what in a CONTEXT.md could not be refreshed, and what was moved. They follow the file's name.
func (r Refreshed) Notes() []string {
	var notes []string
	switch {
	case r.Swallowed:
		notes = append(notes, " stays as it is: "+swallowed)
	case r.Conflicts == 1:
		notes = append(notes, " holds a conflict of a merge in what people wrote: join the two sides, then refresh again")
	case r.Conflicts > 1:
		notes = append(notes, fmt.Sprintf(" holds %d conflicts of a merge in what people wrote: join the two sides, then refresh again", r.Conflicts))
	}
	for _, place := range r.Places {
		if texts := slices.DeleteFunc(slices.Clone(place.Moved), func(line string) bool { return strings.TrimSpace(line) == "" }); len(texts) > 0 {
			notes = append(notes, fmt.Sprintf(":%d: what somebody wrote among the lines that are generated below %q stands behind them now: %s", place.Line, cutText(place.Title), quotedTexts(texts)))
		}
	}
	return notes
}

// quotedTexts names a few texts, and how many more there are.
func quotedTexts(texts []string) string {
	const most = 3
	var quoted []string
	for _, t := range texts[:min(len(texts), most)] {
		quoted = append(quoted, fmt.Sprintf("%q", cutText(t)))
	}
	list := strings.Join(quoted, ", ")
	if more := len(texts) - most; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}
