package importer

import (
	"cmp"
	"path"
	"strings"

	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/internal/text"
)

// A headingKind says which kind of item the lists below a heading hold.
type headingKind struct {
	kind  string
	words *lazyregexp.Regexp
}

// headingKinds maps headings to kinds. The first that matches counts.
var headingKinds = []headingKind{
	{Question, lazyregexp.New(`(?i)open questions?|questions? to|unresolved|considerations`)},
	{Decision, lazyregexp.New(`(?i)\bdecisions?\b|decision log|决策|決定`)},
	{Action, lazyregexp.New(`(?i)next steps?|\bto[- ]?dos?\b|\btasks?\b|what'?s left|remaining|in progress|upcoming|backlog|current focus|planned|action items`)},
	{Goal, lazyregexp.New(`(?i)\bgoals?\b|objectives?|core requirements|success criteria|milestones?`)},
	{Constraint, lazyregexp.New(`(?i)constraints?|conventions?|\brules?\b|standards?|guidelines?|invariants?|principles?|constitution`)},
	{Note, lazyregexp.New(`(?i)learn|lessons?|insights?|known issues?|gotchas?|pitfalls?`)},
}

// kindOfHeading returns the kind of the lists below a heading; "" if it names none.
func kindOfHeading(title string) string {
	for _, h := range headingKinds {
		if h.words.FindStringIndex(title) != nil {
			return h.kind
		}
	}
	return ""
}

var (
	leadingDate = lazyregexp.New(`^[\[(]?(\d{4}-\d{2}-\d{2})(?:[T -]?\d{2}:?\d{2}(?::?\d{2})?)?[^\])\s]*[\])]?\s*[-–—:]?\s*`)
	hashTag     = lazyregexp.New(`(?:^|\s)#([\p{L}_-]+)(?::(\S+))?`)
)

// takeList adds the items of the lists of a section, each as an item of kind. A section of prose with
// no list is one note.
func takeList(kind string, f File, s section, res *Result) {
	list := bullets(s.lines)
	for _, b := range list {
		if b.indent >= 2 {
			continue
		}
		said := plain(b.text)
		it := Item{Kind: kind, Source: Source{Format: res.Format, File: f.Name, Line: b.at}}
		if m := leadingDate.FindStringSubmatch(said); m != nil {
			it.At, said = parseDate(m[1]), said[len(m[0]):]
		}
		said = it.takeTags(said)
		if b.box == "x" {
			it.Status = Done
		}
		it.Text = text.Limit(said, maxProse)
		it.of(s.title)
		res.add(it, f.Name+"\n"+said)
	}
	if len(list) == 0 {
		takeProse(f, res.Format, s, res)
	}
}

// of completes an item from the title of its section.
func (it *Item) of(title string) {
	switch it.Kind {
	case Note:
		it.Section = cmp.Or(title, "Notes")
	case Decision:
		it.Status = Accepted
	}
}

// takeTags takes tags such as #priority:high off a text.
func (it *Item) takeTags(said string) string {
	for _, m := range hashTag.FindAllStringSubmatch(said, 20) {
		switch strings.ToLower(m[1]) {
		case "priority":
			it.Priority = priorityOf(m[2])
		case "added", "created":
			it.At = cmp.Or(dateIn(m[2]), it.At)
		case "done", "completed":
			it.Status = Done
		}
		if m[2] != "" {
			said = strings.Replace(said, m[0], "", 1)
		}
	}
	return strings.TrimSpace(said)
}

// priorityOf returns a priority as records write it.
func priorityOf(s string) string {
	switch strings.ToLower(s) {
	case "0", "1", "critical", "urgent", "high", "p0", "p1":
		return "high"
	case "2", "medium", "normal", "p2":
		return "medium"
	case "3", "4", "low", "p3", "p4":
		return "low"
	}
	return ""
}

// takeProse adds the text of a section as a note.
func takeProse(f File, format string, s section, res *Result) {
	said := joined(s.lines)
	if said == "" {
		return
	}
	title := cmp.Or(s.title, strings.TrimSuffix(path.Base(f.Name), path.Ext(f.Name)))
	if s.title != "" {
		said = s.title + ": " + said
	}
	res.add(Item{
		Kind: Note, Text: said, Section: strings.TrimSuffix(path.Base(f.Name), path.Ext(f.Name)),
		Source: Source{Format: format, File: f.Name, Line: max(s.at, 1)},
	}, f.Name+"\n"+title)
}
