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

// How a section of a CONTEXT.md stands.
const (
	Generated = "generated" // forgemind writes it
	Edited    = "edited"    // it was generated, and somebody changed it
	Own       = "own"       // a person wrote it
)

// A ContextSection is one of the four sections of a CONTEXT.md after a refresh.
type ContextSection struct {
	Title string   `json:"title"` // as the file has it
	Line  int      `json:"line"`
	State string   `json:"state"`
	Added bool     `json:"added,omitzero"`  // text that a person added stands behind what is generated
	Lacks []string `json:"lacks,omitempty"` // what it should say and does not; of a generated one nothing
}

// A Refreshed is a CONTEXT.md after a refresh.
type Refreshed struct {
	Text      []byte
	Sections  []ContextSection
	Conflicts int    // of a merge, in what people wrote; they stay
	Kept      string // why the whole file stays as it is; "" where it does not
}

// How large a CONTEXT.md may be, of which everybody reads all.
const (
	maxContext      = 2 << 20 // bytes
	maxContextLines = 20_000
)

// errContext is a CONTEXT.md that is no text.
var errContext = errors.New("not text")

// RefreshContext brings the sections of a CONTEXT.md up to date and leaves every
// other byte as it is; src is nil where there is no file. A section is written
// anew as long as its text is what its mark says forgemind wrote; one that a
// person changed, or wrote, stays. Doing it again changes nothing.
func RefreshContext(src []byte, project string, want []templates.ContextSection) (Refreshed, error) {
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
	if line := memory.TooDeep(src); line > 0 {
		return Refreshed{}, fmt.Errorf("%w that can be edited: on line %d lists and quotations stand more than %d deep in one another", errContext, line, memory.MaxNesting)
	}
	mended, conflicts := mendContext(src)
	whole := conflicts == 0
	out, placed := composeContext(mended, project, want, whole)
	again, _ := composeContext(out, project, want, whole)
	kept := ""
	if !placed || !bytes.Equal(again, out) {
		out, kept = src, "something in it, such as a code block or a comment that is never closed, would swallow what is generated"
	}
	return Refreshed{out, contextStates(out, want), conflicts, kept}, nil
}

// contextStates says how the sections of a CONTEXT.md stand.
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

// lacking are the lines of a section that a person's text does not say.
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

// contextWords is a text as texts are compared: its words, without the signs of
// markdown.
func contextWords(s string) string {
	s = strings.Map(func(r rune) rune {
		if strings.ContainsRune("\\*_`~", r) {
			return -1
		}
		return r
	}, strings.ToLower(s))
	return strings.Join(strings.Fields(s), " ")
}

// composeContext is src with its sections up to date; false where one that was
// missing finds no place. Where the text is not whole, because both sides of a
// conflict stand in it, only what is there is renewed.
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

// place is where the section want[i], which is missing, belongs: behind the one
// before it, else in front of the one after it, else at the end.
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

// applyContext carries edits out.
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

// renewal writes a section anew where that loses nothing.
func (f *contextFile) renewal(p *contextPart, w templates.ContextSection) []contextEdit {
	eol := f.newline(p.start)
	lines := contextLines(w)
	switch {
	case p.intact && slices.Equal(f.lines(p.body, p.bodyEnd), lines) && p.hash == contextHash(w.Key, lines):
		return nil
	case p.intact: // the gap between the mark and the text stays
		text := contextMark(w.Key, lines) + eol + string(f.src[p.markEnd:p.body]) + strings.Join(lines, eol)
		return []contextEdit{{p.mark, p.bodyEnd, text}}
	case p.empty: // nothing of a person's stands in it
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
		if end < len(f.src) && p.end == end { // the next heading follows at once
			text += eol
		}
		return []contextEdit{{start, end, text}}
	case p.marked && contextStarts(f.lines(p.body, p.end), lines): // a person put it right
		return []contextEdit{{p.mark, p.markEnd, contextMark(w.Key, lines) + f.lineEnding(p.mark, p.markEnd)}}
	}
	return nil
}

// removals takes out what a merge that kept both sides left twice: generated
// sections with nothing of a person's in them.
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

// insertion puts a section that is missing to a place, which is where a line
// begins or the end.
func (f *contextFile) insertion(at int, w templates.ContextSection) contextEdit {
	eol := f.newline(at)
	text := strings.Join(newContextSection(w), "\n")
	before := f.src[:at]
	switch {
	case len(before) > 0 && before[len(before)-1] != '\n': // the last line has no newline, and gets none
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

// newContextSection is a section as it is written first.
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
