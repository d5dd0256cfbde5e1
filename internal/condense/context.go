package condense

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/memory"
	"github.com/forgemind/forgemind/templates"
)

// States of a section of a CONTEXT.md.
const (
	Generated = "generated" // forgemind writes it
	Edited    = "edited"    // it was generated and then edited
	Own       = "own"       // a person wrote it
)

// A ContextSection describes one of the four sections of a CONTEXT.md after a refresh.
type ContextSection struct {
	Title string   `json:"title"` // as written in the file
	Line  int      `json:"line"`
	State string   `json:"state"`
	Added bool     `json:"added,omitzero"`  // a person added text after the generated text
	Lacks []string `json:"lacks,omitempty"` // lines that it should have; none for a generated section
}

// A Refreshed is the result of RefreshContext.
type Refreshed struct {
	Text      []byte
	Sections  []ContextSection
	Conflicts int    // of a merge, in text that people wrote; they are kept
	Kept      string // why nothing was changed; "" otherwise
}

// The limits of a CONTEXT.md.
const (
	maxContext      = 2 << 20 // bytes
	maxContextLines = 20_000
)

// errContext reports that a CONTEXT.md is not text.
var errContext = errors.New("not text")

// EditableContext returns why a CONTEXT.md or an about.md is not updated: it is too large for
// people to read, is no text, or nests so deep that parsing takes minutes.
func EditableContext(src []byte) error {
	if len(src) > maxContext {
		return fmt.Errorf("it has %d bytes, and %d at most are kept up to date", len(src), maxContext)
	}
	if n := bytes.Count(src, []byte("\n")); n > maxContextLines {
		return fmt.Errorf("it has %d lines, and %d at most are kept up to date", n, maxContextLines)
	}
	if at := bytes.IndexByte(src, 0); at >= 0 {
		line, _, _ := jsonedit.Position(src, at)
		return fmt.Errorf("%w: it holds a zero byte, on line %d", errContext, line)
	}
	if !utf8.Valid(src) {
		return fmt.Errorf("%w: it is not UTF-8", errContext)
	}
	if line := memory.TooDeep(src); line > 0 {
		return fmt.Errorf("%w that can be edited: on line %d lists and quotations stand more than %d deep in one another", errContext, line, memory.MaxNesting)
	}
	return nil
}

// RefreshContext updates the sections of a CONTEXT.md and keeps every other byte; src is nil
// if there is no file. A section is updated only if its text matches the hash in its mark; a
// section that a person edited or wrote stays. A second call changes nothing.
func RefreshContext(src []byte, project string, want []templates.ContextSection) (Refreshed, error) {
	if err := EditableContext(src); err != nil {
		return Refreshed{}, err
	}
	mended, conflicts := mendContext(src)
	whole := conflicts == 0
	out, placed := composeContext(mended, project, want, whole)
	again, _ := composeContext(out, project, want, whole)
	kept := ""
	if !placed || !bytes.Equal(again, out) {
		out, kept = src, "part of it, such as a code block or a comment that is never closed, would hide the generated text"
	}
	return Refreshed{out, contextStates(out, want), conflicts, kept}, nil
}

// contextStates returns the states of the sections of a CONTEXT.md.
func contextStates(src []byte, want []templates.ContextSection) []ContextSection {
	f := parseContext(src)
	var sections []ContextSection
	for _, w := range want {
		p := f.part(w.Key)
		if p == nil {
			continue
		}
		s := ContextSection{Title: p.title, State: p.state()}
		s.Line, _, _ = jsonedit.Position(src, p.start)
		if s.State == Generated {
			s.Added = len(bytes.TrimSpace(src[p.bodyEnd:p.end])) > 0
		} else {
			for _, l := range f.lacking(p, w) {
				s.Lacks = append(s.Lacks, l.Says)
			}
		}
		sections = append(sections, s)
	}
	return sections
}

// lacking returns the lines of a section that a person's text does not contain.
func (f *contextFile) lacking(p *contextPart, want templates.ContextSection) []templates.ContextLine {
	has := contextWords(string(f.src[p.behind:p.end]))
	var lines []templates.ContextLine
	for _, l := range want.Lines {
		if says := contextWords(l.Says); says != "" && !strings.Contains(has, says) && (l.Decision == "" || !strings.Contains(has, contextWords(l.Decision))) {
			lines = append(lines, l)
		}
	}
	return lines
}

// contextWords returns the words of a text without markdown, for comparisons.
func contextWords(s string) string {
	s = strings.Map(func(r rune) rune {
		if strings.ContainsRune("\\*_`~", r) {
			return -1
		}
		return r
	}, strings.ToLower(s))
	return strings.Join(strings.Fields(s), " ")
}

// composeContext returns src with updated sections. It reports false if there is no place for a
// missing section. If whole is false, src has an unresolved conflict, and only existing sections
// are updated.
func composeContext(src []byte, project string, want []templates.ContextSection, whole bool) ([]byte, bool) {
	if len(bytes.TrimSpace(bytes.TrimPrefix(src, []byte("\ufeff")))) == 0 {
		text := []string{templates.ContextTitle(project)}
		for _, w := range want {
			text = append(text, "")
			text = append(text, newContextSection(w)...)
		}
		return append(bytes.Clone(src), strings.Join(text, "\n")+"\n"...), true
	}
	f := parseContext(src)
	for i, w := range want {
		if !whole || f.part(w.Key) != nil {
			continue
		}
		f = parseContext(applyContext(f.src, []contextEdit{f.insertion(f.place(want, i), w)}))
		if p := f.part(w.Key); p == nil || !p.intact {
			return src, false
		}
	}
	var edits []contextEdit
	for _, w := range want {
		p := f.part(w.Key)
		if p != nil {
			edits = append(edits, f.renewal(p, w)...)
		}
		if whole {
			edits = append(edits, f.removals(p, w)...)
		}
	}
	return applyContext(f.src, edits), true
}

// place returns the offset for the missing section want[i]: after the section before it, else
// before the one after it, else at the end.
func (f *contextFile) place(want []templates.ContextSection, i int) int {
	for k := i - 1; k >= 0; k-- {
		if p := f.part(want[k].Key); p != nil {
			return f.outer(p)
		}
	}
	for _, w := range want[i+1:] {
		if p := f.part(w.Key); p != nil {
			return p.start
		}
	}
	return len(f.src)
}

// A contextEdit replaces src[start:end].
type contextEdit struct {
	start, end int
	text       string
}

// applyContext applies edits.
func applyContext(src []byte, edits []contextEdit) []byte {
	if len(edits) == 0 {
		return src
	}
	slices.SortStableFunc(edits, func(a, b contextEdit) int { return cmp.Or(a.start-b.start, a.end-b.end) })
	var out []byte
	at := 0
	for _, e := range edits {
		out = append(append(out, src[at:e.start]...), e.text...)
		at = e.end
	}
	return append(out, src[at:]...)
}

// renewal returns the edits that write a section again, or none if that would lose text.
func (f *contextFile) renewal(p *contextPart, w templates.ContextSection) []contextEdit {
	eol := f.newline(p.start)
	lines := contextLines(w)
	switch {
	case p.intact && slices.Equal(f.lines(p.body, p.bodyEnd), lines) && p.hash == contextHash(w.Key, lines):
		return nil
	case p.intact: // the gap between the mark and the text is kept
		text := contextMark(w.Key, lines) + eol + string(f.src[p.markEnd:p.body]) + strings.Join(lines, eol)
		return []contextEdit{{p.mark, p.bodyEnd, text}}
	case p.empty: // no text of a person is in it
		text := contextMark(w.Key, lines) + eol + strings.Join(lines, eol)
		start, end := p.behind, p.behind
		switch {
		case p.marked:
			start, end = p.mark, p.markEnd
			text += f.lineEnding(start, end)
		case end == len(f.src) && !bytes.HasSuffix(f.src, []byte("\n")):
			text = eol + text
		default:
			text += eol
		}
		if end < len(f.src) && p.end == end { // the next heading follows immediately
			text += eol
		}
		return []contextEdit{{start, end, text}}
	case p.marked && contextStarts(f.lines(p.body, p.end), lines): // a person corrected it
		return []contextEdit{{p.mark, p.markEnd, contextMark(w.Key, lines) + f.lineEnding(p.mark, p.markEnd)}}
	}
	return nil
}

// removals returns the edits that remove duplicates of a generated section, which a merge of both
// sides leaves. It removes only sections without text of a person.
func (f *contextFile) removals(first *contextPart, w templates.ContextSection) []contextEdit {
	var edits []contextEdit
	for i := range f.parts {
		p := &f.parts[i]
		if p != first && p.key == w.Key && p.intact && p.title == w.Title && p.start >= first.end &&
			len(bytes.TrimSpace(f.src[p.bodyEnd:p.end])) == 0 {
			edits = append(edits, contextEdit{p.start, p.end, ""})
		}
	}
	return edits
}

// insertion returns the edit that inserts a missing section at a line start or at the end.
func (f *contextFile) insertion(at int, w templates.ContextSection) contextEdit {
	eol := f.newline(at)
	text := strings.Join(newContextSection(w), "\n")
	before := f.src[:at]
	switch {
	case len(before) > 0 && before[len(before)-1] != '\n': // the last line gets a newline if it has none
		text = "\n\n" + text
	case len(bytes.TrimPrefix(before, []byte("\ufeff"))) > 0 && !contextBlankEnd(before):
		text = "\n" + text + "\n"
	default:
		text += "\n"
	}
	if at < len(f.src) {
		text += "\n"
	}
	return contextEdit{at, at, strings.ReplaceAll(text, "\n", eol)}
}

// newContextSection returns the lines of a new section.
func newContextSection(w templates.ContextSection) []string {
	lines := contextLines(w)
	return append([]string{"## " + w.Title, contextMark(w.Key, lines)}, lines...)
}

func contextLines(w templates.ContextSection) []string {
	lines := make([]string, len(w.Lines))
	for i, l := range w.Lines {
		lines[i] = l.Text
	}
	return lines
}
