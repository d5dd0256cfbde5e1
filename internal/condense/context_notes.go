package condense

import (
	"fmt"
	"strings"

	"github.com/forgemind/forgemind/internal/text"
)

// Notes returns messages about the parts of a CONTEXT.md that are not generated, and how to change
// that. A message is printed after the file's name.
func (r Refreshed) Notes() []string {
	var notes []string
	switch {
	case r.Kept != "":
		notes = append(notes, " stays as it is: "+r.Kept)
	case r.Conflicts == 1:
		notes = append(notes, " holds a conflict of a merge in what people wrote: join the two sides, then refresh again")
	case r.Conflicts > 1:
		notes = append(notes, fmt.Sprintf(" holds %d conflicts of a merge in what people wrote: join the two sides, then refresh again", r.Conflicts))
	}
	for _, s := range r.Sections {
		if s.State == Generated {
			continue
		}
		how := "was edited by hand and is no longer generated: it stays as it is"
		if s.State == Own {
			how = "is not generated, somebody wrote it: it stays as it is"
		}
		lacks := ""
		if n := len(s.Lacks); n > 0 {
			lacks = ", and lacks " + quotedTexts(s.Lacks)
		}
		notes = append(notes, fmt.Sprintf(":%d: the section %q %s%s; empty it, and the next refresh generates it again", s.Line, text.Limit(s.Title, 80), how, lacks))
	}
	return notes
}

// quotedTexts quotes a few texts and adds the number of the others.
func quotedTexts(texts []string) string {
	const most = 3
	var quoted []string
	for _, t := range texts[:min(len(texts), most)] {
		quoted = append(quoted, fmt.Sprintf("%q", text.Limit(t, 80)))
	}
	list := strings.Join(quoted, ", ")
	if more := len(texts) - most; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}
