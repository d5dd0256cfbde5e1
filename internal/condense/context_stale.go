package condense

import (
	"errors"
	"fmt"
	iofs "io/fs"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/templates"
)

// A Lag is one thing in which a CONTEXT.md is behind what it should hold.
type Lag struct {
	Name     string // of the CONTEXT.md
	Line     int    // of the section's heading; 0 where there is none
	Section  string // its title; "" for the whole file
	State    string // Generated, Edited, Own; a refresh mends what is generated or missing
	Decision string // the id of the decision that it is about; "" for others
	Text     string // for people: what it lacks, or shows though it holds no more
}

// Stale says in what a project's CONTEXT.md is behind what it should hold, by its
// content alone: times of files say nothing after a clone. decisions are all that
// are known.
func Stale(r fs.Reader, p Project, decisions []schema.Decision) ([]Lag, error) {
	src, err := r.Read(p.Context)
	if errors.Is(err, iofs.ErrNotExist) {
		return []Lag{{Name: p.Context, Text: "the project has no " + contextMDFile}}, nil
	}
	if err != nil {
		return nil, err
	}
	want := ContextOf(p, decisions)
	if _, err := RefreshContext(src, p.Name, want); err != nil {
		return nil, fmt.Errorf("%s: %w", p.Context, err)
	}
	var lags []Lag
	mended, conflicts := mendContext(src)
	if conflicts > 0 {
		lags = append(lags, Lag{Name: p.Context, Text: "it holds the markers of an unfinished merge"})
	} else if len(mended) != len(src) {
		lags = append(lags, Lag{Name: p.Context, State: Generated, Text: "it holds the markers of a merge of generated text"})
	}
	f := parseContext(mended)
	for _, w := range want {
		part := f.part(w.Key)
		if part == nil {
			lags = append(lags, Lag{Name: p.Context, Section: w.Title, State: Generated, Text: "the section is missing"})
			continue
		}
		found := f.behindIn(part, w)
		if w.Key == "key-decisions" && !part.intact {
			found = append(found, f.overtaken(part, want)...)
		}
		for _, l := range found {
			l.Name, l.Section, l.State = p.Context, part.title, part.state()
			l.Line, _, _ = jsonedit.Position(mended, part.start)
			if len(mended) != len(src) { // lines of a file in conflict are other ones
				l.Line = 0
			}
			lags = append(lags, l)
		}
	}
	return lags, nil
}

// behindIn is in what a section is behind.
func (f *contextFile) behindIn(p *contextPart, w templates.ContextSection) []Lag {
	var lags []Lag
	if p.intact {
		has := f.lines(p.body, p.bodyEnd)
		if len(f.renewal(p, w)) == 0 {
			return nil
		}
		for _, l := range w.Lines {
			if l.Says != "" && !contextSays(has, l) {
				lags = append(lags, Lag{Decision: l.Decision, Text: lackText(l)})
			}
		}
		if len(lags) == 0 {
			lags = append(lags, Lag{Text: "it shows what holds no more"})
		}
		return lags
	}
	for _, l := range f.lacking(p, w) {
		lags = append(lags, Lag{Decision: l.Decision, Text: lackText(l)})
	}
	return lags
}

// overtaken are the superseded decisions that a person's list of decisions still
// shows.
func (f *contextFile) overtaken(p *contextPart, want []templates.ContextSection) []Lag {
	has := contextWords(string(f.src[p.behind:p.end]))
	for _, w := range want {
		if w.Key == "key-decisions" {
			for _, l := range w.Lines { // one that holds may have the words of one that does not
				if says := contextWords(l.Says); says != "" {
					has = strings.ReplaceAll(has, says, "")
				}
			}
		}
	}
	var lags []Lag
	for _, w := range want {
		if w.Key != "superseded-decisions" {
			continue
		}
		for _, l := range w.Lines {
			if says := contextWords(l.Says); says != "" && strings.Contains(has, says) {
				lags = append(lags, Lag{Decision: l.Decision, Text: fmt.Sprintf("it shows %q, which is superseded", cutText(l.Says))})
			}
		}
	}
	return lags
}

// contextSays says whether a line stands among others, whatever its number is.
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
	return "it does not say " + fmt.Sprintf("%q", cutText(l.Says))
}

// String is the lag for people, without the file's name.
func (l Lag) String() string {
	if l.Section == "" {
		return l.Text
	}
	return l.Section + ": " + l.Text
}
