package validate

import (
	"bytes"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
)

// A census holds the documents of a tree against one another and the disk.
type census struct {
	*Checker
	facts
	names     []string                 // of all files
	condensed map[string]bool          // the files under condensations/, by Name and by base name
	folders   map[string]bool          // of sessions
	files     map[string]bool          // below memory/fragments/, by Name, base name and what that is without .md
	talk      map[string]*conversation // by session
	archived  map[string]bool          // sessions that say so
	recorded  *recordNames             // once they are needed
	out       []Finding
	rule      *Rule // at work
	weight    Severity

	name string // of the document read last
	pen  placer
}

func newCensus(checker *Checker, names []string, f facts) *census {
	c := &census{Checker: checker, facts: f, names: names, condensed: map[string]bool{}, folders: map[string]bool{}, files: map[string]bool{}}
	for _, name := range names {
		if _, rest, _ := strings.Cut(name, "/"); strings.HasPrefix(rest, "condensations/") {
			c.condensed[name], c.condensed[path.Base(name)] = true, true
		}
		if rest, ok := strings.CutPrefix(name, fs.Sessions+"/"); ok {
			folder, _, _ := strings.Cut(rest, "/")
			c.folders[folder] = true
		}
		if isFragment(name) {
			base := path.Base(name)
			c.files[name], c.files[base], c.files[strings.TrimSuffix(base, ".md")] = true, true, true
		}
	}
	c.converse()
	// A file that lists no session is an index all the same.
	c.hasIndex = c.hasIndex || slices.Contains(names, fs.SessionIndex)
	bySpot(c.ledger, func(d decision) spot { return d.spot })
	bySpot(c.views, func(d decision) spot { return d.spot })
	bySpot(c.sessions, func(s session) spot { return s.spot })
	bySpot(c.index, func(s session) spot { return s.spot })
	bySpot(c.continued, func(l link) spot { return l.spot })
	bySpot(c.fragments, func(r reference) spot { return r.spot })
	bySpot(c.madeFrom, func(l link) spot { return l.spot })
	bySpot(c.records, func(r recorded) spot { return r.spot })
	bySpot(c.keptAs, func(l link) spot { return l.spot })
	return c
}

// converse sorts what was said into sessions. A file of which nothing is known
// could not be read.
func (c *census) converse() {
	c.talk, c.archived = map[string]*conversation{}, map[string]bool{}
	add := func(t *talk) {
		v := c.talk[t.session]
		if v == nil {
			v = new(conversation)
			c.talk[t.session] = v
		}
		if t.archive {
			v.archive = t
		} else {
			v.window = t
		}
	}
	known := map[string]bool{}
	for _, t := range c.talks {
		known[t.name] = true
		add(t)
	}
	for _, name := range c.names {
		if strings.HasPrefix(name, fs.Sessions+"/") && isTalk(name) && !known[name] {
			add(&talk{name: name, session: sessionFolder(name), archive: path.Base(name) == archiveFile, unsure: true})
		}
	}
	for _, s := range c.sessions {
		if s.archived() {
			c.archived[s.folder] = true
		}
	}
}

func bySpot[T any](list []T, at func(T) spot) {
	slices.SortFunc(list, func(a, b T) int { return at(a).compare(at(b)) })
}

// conversations are those of all sessions, in their order.
func (c *census) conversations() (list []*conversation) {
	for _, id := range slices.Sorted(maps.Keys(c.talk)) {
		list = append(list, c.talk[id])
	}
	return list
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

// sessionsAreLocal reports whether git leaves sessions out, so that a clone has none of
// those that its files come from.
func (c *census) sessionsAreLocal() bool {
	src, err := c.reader.Read(fs.Quaid + "/.gitignore")
	return err == nil && slices.Contains(strings.Split(string(src), "\n"), "/context/sessions/")
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
