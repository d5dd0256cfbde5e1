package condense

import (
	"bytes"
	"path"
	"strings"

	"github.com/forgemind/forgemind/templates"
)

// aboutFile is the file of a project that people write: the text that its CONTEXT.md shows beside
// the generated sections.
const aboutFile = "about.md"

// About returns the name of the project's about.md. The file may be missing.
func (p Project) About() string { return path.Join(path.Dir(p.File), aboutFile) }

// NewAbout returns the about.md of a new project.
func NewAbout(name string) []byte { return []byte(templates.ContextTitle(name) + "\n") }

// AboutOf returns what people wrote in a CONTEXT.md: all of it except sections that are unchanged
// since forgemind wrote them. A section with text added behind the generated text is kept.
func AboutOf(src []byte) []byte {
	mended, _ := mendContext(src)
	f := parseContext(mended)
	var edits []contextEdit
	for i := range f.parts {
		p := &f.parts[i]
		if p.intact && len(bytes.TrimSpace(mended[p.bodyEnd:p.end])) == 0 {
			edits = append(edits, contextEdit{p.start, p.end, ""})
		}
	}
	return tidyAbout(applyContext(mended, edits))
}

// tidyAbout returns a text with at most one blank line between others and one newline at the end.
func tidyAbout(src []byte) []byte {
	var out []byte
	blank := true
	for line := range bytes.Lines(src) {
		bare := len(bytes.TrimSpace(line)) == 0
		if !bare || !blank {
			out = append(out, line...)
		}
		blank = bare
	}
	out = bytes.TrimRight(out, " \t\r\n")
	if len(out) == 0 {
		return nil
	}
	return append(out, '\n')
}

// SameAbout reports whether people wrote the same in two texts. It ignores generated text, blank
// lines and kinds of line ends.
func SameAbout(a, b []byte) bool {
	tidy := func(src []byte) string {
		return strings.ReplaceAll(string(withoutGenerated(AboutOf(src))), "\r\n", "\n")
	}
	return tidy(a) == tidy(b)
}
