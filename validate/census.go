package validate

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
)

// A census holds the documents of a tree against one another and the disk.
type census struct {
	facts
	reader    fs.Reader
	names     []string        // of all files
	condensed map[string]bool // the files under condensations/, by Name and by base name
	folders   map[string]bool // of sessions
	severity  severities
	out       []Finding
	rule      *Rule // at work
	weight    Severity

	name string // of the document read last
	pen  placer
}

func newCensus(r fs.Reader, names []string, severity severities, f facts) *census {
	c := &census{facts: f, reader: r, names: names, severity: severity, condensed: map[string]bool{}, folders: map[string]bool{}}
	for _, name := range names {
		if _, rest, _ := strings.Cut(name, "/"); strings.HasPrefix(rest, "condensations/") {
			c.condensed[name], c.condensed[path.Base(name)] = true, true
		}
		if rest, ok := strings.CutPrefix(name, fs.Sessions+"/"); ok {
			folder, _, _ := strings.Cut(rest, "/")
			c.folders[folder] = true
		}
	}
	// A file that lists no session is an index all the same.
	c.hasIndex = c.hasIndex || slices.Contains(names, fs.SessionIndex)
	bySpot(c.ledger, func(d decision) spot { return d.spot })
	bySpot(c.views, func(d decision) spot { return d.spot })
	bySpot(c.sessions, func(s session) spot { return s.spot })
	bySpot(c.index, func(s session) spot { return s.spot })
	return c
}

func bySpot[T any](list []T, at func(T) spot) {
	slices.SortFunc(list, func(a, b T) int { return at(a).compare(at(b)) })
}

// findings runs the rules that look at the whole tree.
func (c *census) findings() []Finding {
	for i := range rules {
		if rules[i].across != nil && c.severity[i] != Off {
			c.rule, c.weight = &rules[i], c.severity[i]
			c.rule.across(c)
		}
	}
	return c.out
}

// at says that something is wrong at a spot. The document is read again for its
// line: that happens once for a finding, and lines are not kept for the rest.
func (c *census) at(s spot, message, hint string) {
	if c.name != s.name || c.pen.src == nil {
		src, _ := c.reader.Read(s.name)
		src, _ = bytes.CutPrefix(src, byteOrderMark)
		c.name, c.pen = s.name, placer{src: src}
	}
	line, column, column16 := c.pen.at(s.offset)
	c.out = append(c.out, Finding{
		File: s.name, Line: line, Column: column, Column16: column16, Pointer: s.pointer,
		Rule: c.rule.Name, Severity: c.weight, Message: message, Hint: hint,
	})
}
