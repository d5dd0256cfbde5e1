package condense

import (
	"bytes"
	"errors"
	"fmt"
	iofs "io/fs"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/block"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/templates"
)

// A Lag is one thing in which a CONTEXT.md is behind what it should hold. A refresh mends it.
type Lag struct {
	Name     string // of the CONTEXT.md
	Line     int    // of the section's heading; 0 where there is none
	Section  string // its title; "" for the whole file
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
	now, err := RefreshContext(src, p.Name, want, nil)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", p.Context, err)
	case Unmerged(src):
		return []Lag{{Name: p.Context, Text: ErrUnmerged.Error()}}, nil
	case now.Swallowed:
		return []Lag{{Name: p.Context, Text: "it cannot be brought up to date: " + swallowed}}, nil
	case bytes.Equal(now.Text, src):
		return nil, nil
	}
	var lags []Lag
	for _, w := range want {
		lags = append(lags, behindIn(src, w)...)
	}
	for i := range lags {
		lags[i].Name = p.Context
	}
	return lags, nil
}

// behindIn returns in what a section is behind.
func behindIn(src []byte, w templates.ContextSection) (lags []Lag) {
	b := blockOf(w)
	has, ok := b.In(src)
	if !ok {
		return []Lag{{Section: w.Title, Text: "the section is missing"}}
	}
	text := wordsOf(strings.Join(has.Lines, "\n"))
	for _, l := range w.Lines {
		says := wordsOf(l.Says)
		shown := strings.Contains(text, says)
		if has.Marked {
			shown = slices.ContainsFunc(has.Lines, func(line string) bool { return block.Same(line, l.Text) })
		}
		if says != "" && !shown {
			lags = append(lags, Lag{Line: has.Line, Section: w.Title, Decision: l.Decision, Text: fmt.Sprintf("it does not say %q", cutText(l.Says))})
		}
	}
	if len(lags) == 0 && has.Marked && !slices.Equal(has.Lines, b.Lines) {
		lags = []Lag{{Line: has.Line, Section: w.Title, Text: "it shows what holds no more"}}
	}
	return lags
}

// wordsOf returns a text as texts are compared: its words in lower case, without the signs of markdown.
func wordsOf(s string) string {
	s = strings.Map(func(r rune) rune {
		if strings.ContainsRune("\\*_`~", r) {
			return -1
		}
		return r
	}, strings.ToLower(s))
	return strings.Join(strings.Fields(s), " ")
}

// String is the lag for people, without the file's name.
func (l Lag) String() string {
	if l.Section == "" {
		return l.Text
	}
	return l.Section + ": " + l.Text
}
