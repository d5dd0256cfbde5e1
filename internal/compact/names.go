package compact

import (
	"cmp"
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/lazyregexp"
)

// Limits of the index of names.
const (
	namesShare    = 10 // divisor of the budget for its share
	mostNames     = 200
	mostCommands  = 10
	mostErrors    = 5
	mostMentioned = 1 << 15 // different names that are counted
	nameLength    = 60      // bytes of a name
	lineLength    = 120     // bytes of a command or an error
	spokenWeight  = 3       // number of tool outputs that count as much as one other message
)

var (
	commandMember = lazyregexp.New(`"(?:command|cmd)"\s*:\s*("(?:[^"\\]|\\.)*")`)
	errorLine     = lazyregexp.New(`(?m)^.{0,40}\b(?:[Ee]rror|ERROR|[Ff]atal|FATAL|FAIL|panic|\w*Exception|\w+Error): .{4,}$`)
)

// A mention is a name in messages that leave, with its weight.
type mention struct {
	name  string
	worth float64
	last  int  // position of the last message that mentions it
	file  bool // it is the end of a path
}

// hasTools reports whether a call of a tool or its output leaves.
func (t *talk) hasTools() bool {
	return slices.ContainsFunc(t.messages, func(m message) bool {
		return m.verdict != Kept && (m.kind == ToolOutput || isCall(m.Message))
	})
}

// addNames adds to a gist the names in what leaves that the kept messages do not
// mention: files, identifiers, commands and errors, those that an agent is likely to
// come back to first. A conversation without tools has none.
func (t *talk) addNames(g *gist) {
	if t.o.Strategy != Relevance || t.o.Budget == 0 || !t.hasTools() {
		return
	}
	all := map[string]*mention{}
	for i := range t.messages {
		if m := &t.messages[i]; m.verdict != Kept && m.kind != Summary {
			t.countNames(all, i)
			g.addLines(m)
		}
	}
	for i := range t.messages {
		if m := &t.messages[i]; m.verdict == Kept {
			eachName(head(m.Content, longest), func(name string, _ bool) { delete(all, name) })
		}
	}
	for _, file := range g.files {
		delete(all, pathEnd(file))
	}
	ranked := slices.SortedFunc(maps.Values(all), func(a, b *mention) int {
		return cmp.Or(cmp.Compare(b.worth, a.worth), cmp.Compare(b.last, a.last), cmp.Compare(a.name, b.name))
	})
	for _, m := range ranked {
		if m.file {
			g.mentioned = append(g.mentioned, m.name)
		} else {
			g.identifiers = append(g.identifiers, m.name)
		}
	}
}

// countNames counts the names in a message. Later messages count more, up to twice as
// much as the first.
func (t *talk) countNames(all map[string]*mention, i int) {
	m := &t.messages[i]
	worth := 1 + float64(i)/float64(len(t.messages))
	if m.kind != ToolOutput {
		worth *= spokenWeight
	}
	eachName(head(m.Content, longest), func(name string, file bool) {
		n := all[name]
		if n == nil {
			if len(all) >= mostMentioned {
				return
			}
			n = &mention{name: name, file: file, last: -1}
			all[name] = n
		}
		if n.last != i {
			n.worth, n.last = n.worth+worth, i
		}
	})
}

// addLines adds the commands and the errors in a message, the newest last.
func (g *gist) addLines(m *message) {
	switch {
	case m.kind == ToolOutput:
		for _, line := range errorLine.FindAllString(head(m.Content, longest), 2) {
			g.errors = append(g.errors, point(oneLine(line, lineLength)))
		}
	case isCall(m.Message):
		for _, found := range commandMember.FindAllStringSubmatch(head(m.Content, longest), -1) {
			var command string
			if json.Unmarshal([]byte(found[1]), &command) == nil && command != "" {
				g.commands = append(g.commands, point(oneLine(command, lineLength)))
			}
		}
	}
}

// eachName calls f with the names in text: the ends of paths of files, and identifiers
// with a capital or an underscore inside.
func eachName(text string, f func(name string, file bool)) {
	for i := 0; i < len(text); {
		if !inPath[text[i]] {
			i++
			continue
		}
		start := i
		if i > 0 && text[i-1] == '\\' { // an escape sequence such as \n
			start++
		}
		for i < len(text) && inPath[text[i]] {
			i++
		}
		word := strings.Trim(text[start:i], "./-")
		if isFile(word) && !strings.HasPrefix(text[start:], "//") {
			f(pathEnd(word), true)
			continue
		}
		if strings.HasPrefix(text[i:], `":`) || strings.HasPrefix(text[i:], `\":`) { // a member of JSON
			continue
		}
		for part := range strings.FieldsFuncSeq(word, func(r rune) bool { return r == '.' || r == '/' || r == '-' }) {
			if isIdentifier(part) {
				f(part, false)
			}
		}
	}
}

// inPath are the bytes of paths and identifiers.
var inPath = func() (in [256]bool) {
	for c := range in {
		in[c] = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '.' || c == '/' || c == '-'
	}
	return in
}()

// extensions are those of files that a conversation about software names.
var extensions = func() map[string]bool {
	known := map[string]bool{}
	for _, name := range strings.Fields("c cc cfg cpp cs css csv env go h hpp html ini java js json jsonl jsx kt lock lua md mod php proto py rb rs sh sql sum swift tf toml ts tsx txt vue xml yaml yml") {
		known["."+name] = true
	}
	return known
}()

func isFile(word string) bool {
	base := word[strings.LastIndexByte(word, '/')+1:]
	dot := strings.LastIndexByte(base, '.')
	return dot > 0 && len(base) <= nameLength && extensions[base[dot:]]
}

// pathEnd returns the last two parts of a path: absolute and relative paths of one file
// mostly have the same.
func pathEnd(file string) string {
	dir, base := path.Split(file)
	if parent := path.Base(dir); parent != "." && parent != "/" && len(parent) <= nameLength {
		return parent + "/" + base
	}
	return base
}

// isIdentifier reports whether a word is an identifier of several words. One with many
// digits is an id or a hash.
func isIdentifier(word string) bool {
	const least, mostDigits = 6, 3
	if len(word) < least || len(word) > nameLength || word[0] >= '0' && word[0] <= '9' {
		return false
	}
	joined, lower, digits := false, false, 0
	for i := range len(word) {
		c := word[i]
		switch {
		case c >= '0' && c <= '9':
			digits++
		case c >= 'a' && c <= 'z':
			lower = true
		case c == '_' && i > 0 && i < len(word)-1, c >= 'A' && c <= 'Z' && i > 0 && word[i-1] >= 'a' && word[i-1] <= 'z':
			joined = true
		}
	}
	return joined && lower && digits <= mostDigits
}
