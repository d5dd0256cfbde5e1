package condense

import (
	"errors"
	"fmt"
	iofs "io/fs"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/text"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/templates"
)

// A ContextDifference is one difference between a CONTEXT.md and what it should contain.
type ContextDifference struct {
	Name     string // of the CONTEXT.md
	Line     int    // line of the section's heading; 0 for none
	Section  string // title of the section; "" for the whole file
	State    string // Generated, Edited or Own; a refresh corrects missing and generated sections
	Decision string // id of the decision concerned; "" for none
	Text     string // a message: a line that is missing or out of date
}

// Stale returns the differences between a project's CONTEXT.md and what it should contain. It
// compares contents only, because times of files mean nothing after a clone. The argument decisions
// holds all known decisions.
func Stale(r fs.Reader, p Project, decisions []schema.Decision) ([]ContextDifference, error) {
	src, err := r.Read(p.Context)
	if errors.Is(err, iofs.ErrNotExist) {
		return []ContextDifference{{Name: p.Context, Text: "the project has no " + contextMDFile}}, nil
	}
	if err != nil {
		return nil, err
	}
	want := ContextOf(p, decisions)
	if _, err := RefreshContext(src, p.Name, want); err != nil {
		return nil, fmt.Errorf("%s: %w", p.Context, err)
	}
	var lags []ContextDifference
	mended, conflicts := mendContext(src)
	if conflicts > 0 {
		lags = append(lags, ContextDifference{Name: p.Context, Text: "it holds the markers of an unfinished merge"})
	} else if len(mended) != len(src) {
		lags = append(lags, ContextDifference{Name: p.Context, State: Generated, Text: "it holds the markers of a merge of generated text"})
	}
	f := parseContext(mended)
	for _, w := range want {
		part := f.part(w.Key)
		if part == nil {
			lags = append(lags, ContextDifference{Name: p.Context, Section: w.Title, State: Generated, Text: "the section is missing"})
			continue
		}
		found := f.behindIn(part, w)
		if w.Key == "key-decisions" && !part.intact {
			found = append(found, f.overtaken(part, want)...)
		}
		for _, l := range found {
			l.Name, l.Section, l.State = p.Context, part.title, part.state()
			l.Line, _, _ = jsonedit.Position(mended, part.start)
			if len(mended) != len(src) { // the lines of a file with conflicts have other numbers
				l.Line = 0
			}
			lags = append(lags, l)
		}
	}
	return lags, nil
}

// behindIn returns the differences of one section.
func (f *contextFile) behindIn(p *contextPart, w templates.ContextSection) []ContextDifference {
	var lags []ContextDifference
	if p.intact {
		has := f.lines(p.body, p.bodyEnd)
		if len(f.renewal(p, w)) == 0 {
			return nil
		}
		for _, l := range w.Lines {
			if l.Says != "" && !contextSays(has, l) {
				lags = append(lags, ContextDifference{Decision: l.Decision, Text: lackText(l)})
			}
		}
		if len(lags) == 0 {
			lags = append(lags, ContextDifference{Text: "it shows superseded decisions"})
		}
		return lags
	}
	for _, l := range f.lacking(p, w) {
		lags = append(lags, ContextDifference{Decision: l.Decision, Text: lackText(l)})
	}
	return lags
}

// overtaken returns the superseded decisions that a list of decisions by a person still shows.
func (f *contextFile) overtaken(p *contextPart, want []templates.ContextSection) []ContextDifference {
	has := contextWords(string(f.src[p.behind:p.end]))
	for _, w := range want {
		if w.Key == "key-decisions" {
			for _, l := range w.Lines { // a decision in force may have the same text as a superseded one
				if says := contextWords(l.Says); says != "" {
					has = strings.ReplaceAll(has, says, "")
				}
			}
		}
	}
	var lags []ContextDifference
	for _, w := range want {
		if w.Key != "superseded-decisions" {
			continue
		}
		for _, l := range w.Lines {
			if says := contextWords(l.Says); says != "" && strings.Contains(has, says) {
				lags = append(lags, ContextDifference{Decision: l.Decision, Text: fmt.Sprintf("it shows %q, which is superseded", text.Limit(l.Says, 80))})
			}
		}
	}
	return lags
}

// contextSays reports whether a line is among others, without regard to its number.
func contextSays(has []string, l templates.ContextLine) bool {
	for _, line := range has {
		if withoutNumber(line) == withoutNumber(l.Text) {
			return true
		}
	}
	return false
}

func withoutNumber(line string) string {
	return strings.TrimPrefix(strings.TrimLeft(line, "0123456789"), ".")
}

func lackText(l templates.ContextLine) string {
	return "it does not say " + fmt.Sprintf("%q", text.Limit(l.Says, 80))
}

// String returns the difference as a message without the file's name.
func (l ContextDifference) String() string {
	if l.Section == "" {
		return l.Text
	}
	return l.Section + ": " + l.Text
}
