package audit

import (
	"path"
	"strings"

	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/schema"
)

// A condensation holds the parts of a condensation that an audit uses.
type condensation struct {
	name       string // the Name
	topic      string
	thread     string
	decision   string // the text of its decision
	line       int    // the line of the decision
	ledger     []string
	supersedes string
	supLine    int
}

// file returns its file name, which pins and threads use.
func (c condensation) file() string { return path.Base(c.name) }

// stemOf returns the name for comparing condensations, which may be named by path, by
// file, or without .md.
func stemOf(name string) string { return strings.TrimSuffix(path.Base(name), ".md") }

// label matches a line of the form with its label and value.
var label = lazyregexp.New(`^\s*\*\*([^*:]{1,40}):\*\*[ \t]*(.*)$`)

// readCondensation reads the labels of the form that an audit uses.
func (s *survey) readCondensation(name string) {
	if path.Ext(name) != ".md" {
		return
	}
	src := s.read(name)
	if src == nil {
		return
	}
	c := condensation{name: name, line: 1, supLine: 1}
	fields := map[string]string{}
	current, n := "", 0
	for line := range strings.Lines(string(src[:min(len(src), maxText)])) {
		n++
		line = strings.TrimSpace(line)
		if m := label.FindStringSubmatch(line); m != nil {
			current, line = strings.ToLower(strings.TrimSpace(m[1])), m[2]
			switch current {
			case "decision":
				c.line = n
			case "supersedes":
				c.supLine = n
			}
		} else if strings.HasPrefix(line, "#") {
			current = "" // sections that people added
			if _, topic, ok := strings.Cut(line, "Condensation:"); ok && c.topic == "" {
				c.topic = strings.TrimSpace(topic)
			}
		}
		if current != "" && line != "" && len(fields[current]) < maxBlock {
			fields[current] = strings.TrimSpace(fields[current] + " " + line)
		}
	}
	c.thread, c.decision, c.supersedes = fields["thread"], fields["decision"], fields["supersedes"]
	for _, field := range []string{"ledger", "decision"} {
		for id := range idsIn(fields[field]) {
			if _, known := s.byID[id]; known {
				c.ledger = append(c.ledger, id)
			}
		}
		if len(c.ledger) > 0 {
			break
		}
	}
	if len(c.ledger) == 0 {
		c.ledger = s.saying(c.decision)
	}
	s.condensations = append(s.condensations, c)
}

// saying returns the decisions with exactly this text.
func (s *survey) saying(text string) []string {
	text = sameWords(text)
	if text == "" {
		return nil
	}
	if s.byText == nil {
		s.byText = make(map[string][]string, len(s.decisions))
		for _, d := range s.decisions {
			words := sameWords(d.Decision)
			s.byText[words] = append(s.byText[words], d.ID)
		}
	}
	return s.byText[text]
}

// overtaken reports whether every decision of a condensation is superseded. It returns
// the last of them and the decision that superseded it.
func (s *survey) overtaken(c condensation) (old, by string, ok bool) {
	for _, id := range c.ledger {
		next, superseded := s.standing.SupersededBy(id)
		if !superseded {
			return "", "", false
		}
		old, by = id, next
	}
	return old, by, old != ""
}

// called returns the condensation with a file name, which may lack the folder or the
// ending.
func (s *survey) called(name string) (condensation, bool) {
	if s.byFile == nil {
		s.byFile = make(map[string]int, len(s.condensations))
		for i, c := range s.condensations {
			s.byFile[c.file()] = i
		}
	}
	name = path.Base(strings.ReplaceAll(name, "\\", "/"))
	i, ok := s.byFile[name]
	if !ok {
		i, ok = s.byFile[name+".md"]
	}
	if !ok {
		return condensation{}, false
	}
	return s.condensations[i], true
}

// likely reports whether a token is probably an id and not a word or a number: it
// contains a letter and a digit, or a hyphen, because random ids need not have a digit.
func likely(id string) bool {
	return len(id) >= 4 && len(id) <= longName && schema.ValidID(id) && strings.ContainsAny(id, "0123456789-") &&
		strings.ContainsFunc(id, func(r rune) bool { return r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' })
}
