package audit

import (
	"path"
	"strings"

	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/schema"
)

// A condensation is what an audit needs to know of one.
type condensation struct {
	name       string // the Name
	topic      string
	thread     string
	decision   string // what it decided, in words
	line       int    // where that stands
	ledger     []string
	recorded   bool // it says itself which decision it became
	supersedes string
	supLine    int
}

// file is its file name, as pins and threads name it.
func (c condensation) file() string { return path.Base(c.name) }

// stemOf is how condensations are compared: named by path, by file, or without .md.
func stemOf(name string) string { return strings.TrimSuffix(path.Base(name), ".md") }

// label is a line of the form: its label, and what follows it.
var label = lazyregexp.New(`^\s*\*\*([^*:]{1,40}):\*\*[ \t]*(.*)$`)

// readCondensation reads the labels of the form that matter here.
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
			current = "" // people's own sections
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
			if s.knows(id) {
				c.ledger = append(c.ledger, s.standing.Accepted(id))
			}
		}
		if len(c.ledger) > 0 {
			c.recorded = field == "ledger"
			break
		}
	}
	if len(c.ledger) == 0 {
		c.ledger = s.saying(c.decision)
	}
	s.condensations = append(s.condensations, c)
}

// knows reports whether there is a decision, or a proposal, called id.
func (s *survey) knows(id string) bool { return s.withID(id).ID != "" }

// withID returns the decision, or the proposal, called id.
func (s *survey) withID(id string) schema.Decision {
	if i, known := s.byID[id]; known {
		return s.decisions[i]
	}
	return s.proposed[id]
}

// saying are the decisions that say just what a text says.
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

// overtaken says whether every decision of a condensation is superseded, and by
// what: the decision that superseded the last of them.
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

// called is the condensation of a file name, which may lack its folder's or its
// own ending.
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

// likely says whether a token is an id and no mere word or number: it has a
// letter and a digit, or is put together with a hyphen, for not every id that is
// drawn has a digit.
func likely(id string) bool {
	return len(id) >= 4 && len(id) <= longName && schema.ValidID(id) && strings.ContainsAny(id, "0123456789-") &&
		strings.ContainsFunc(id, func(r rune) bool { return r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' })
}
