package extract

import (
	"strings"

	"github.com/forgemind/forgemind/internal/lazyregexp"
)

// called is the function that c names by the parentheses behind it ("name()",
// "a.b()"), or within code by what it is called ("`validate(token)`",
// "`validate_token`").
func (c *chunk) called(l line) (string, bool) {
	name := c.text
	if len(name) > longestName || strings.HasPrefix(name, "@") || c.prev == '@' || c.prev == '$' || c.prev == '\\' {
		return "", false
	}
	name = strings.TrimRight(strings.TrimPrefix(name, "&"), ".:") // what ends a sentence
	if !isIdentifier(name) || keywords[name] {
		return "", false
	}
	rest := c.line[c.end:]
	switch {
	case strings.HasPrefix(rest, "()"):
		return name, !l.code || !library[name] && !strings.ContainsAny(name, ".:")
	case l.code:
		return "", false
	case c.coded && strings.HasPrefix(rest, "(") && !library[lastPart(name)]:
		return name, callFills(rest, c.prev)
	case c.whole, begins(c.prev) && strings.ContainsAny(name, "_") && (c.next == 0 || strings.ContainsRune(" ,;:)]\"'，。", c.next)):
		return name, actsByName(name)
	}
	return "", false
}

// callFills says whether the rest of a code span is the arguments of one call.
func callFills(rest string, prev rune) bool {
	end := strings.IndexByte(rest, '`')
	return prev == '`' && end > 1 && rest[end-1] == ')' && strings.Count(rest[:end], "(") == strings.Count(rest[:end], ")")
}

// isIdentifier says whether name is an identifier, or several joined by "." or
// "::".
func isIdentifier(name string) bool {
	for part := range strings.SplitSeq(strings.ReplaceAll(name, "::", "."), ".") {
		if part == "" || '0' <= part[0] && part[0] <= '9' {
			return false
		}
		for i := range len(part) {
			c := part[i]
			if c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
				return false
			}
		}
	}
	return true
}

func lastPart(name string) string { return name[strings.LastIndexAny(name, ".:")+1:] }

// actsByName says whether an identifier is of several words, begins with what a
// function does, and does not end as a value or a type does.
func actsByName(name string) bool {
	words := wordsOf(lastPart(name))
	if len(words) < 2 {
		return false
	}
	last := words[len(words)-1]
	if c := lastPart(name)[0]; 'A' <= c && c <= 'Z' && types[last] {
		return false
	}
	return surely[words[0]] || mostly[words[0]] && !types[last] && !values[last]
}

// wordsOf are the words of an identifier in snake_case or camelCase, in lower
// case; none where it is all capitals.
func wordsOf(name string) []string {
	if strings.ToUpper(name) == name {
		return nil
	}
	var words []string
	start := 0
	cut := func(end int) {
		if end > start {
			words = append(words, strings.ToLower(name[start:end]))
		}
	}
	for i := range len(name) {
		switch c := name[i]; {
		case c == '_':
			cut(i)
			start = i + 1
		case 'A' <= c && c <= 'Z' && i > start && 'a' <= name[i-1] && name[i-1] <= 'z':
			cut(i)
			start = i
		}
	}
	cut(len(name))
	return words
}

const identifier = "`?([A-Za-z_][A-Za-z0-9_]*)`?"

var (
	defined = lazyregexp.New(`(?:^|[\s;{])(?:def|fn|fun|func(?:\s*\([^()]{1,60}\))?|function\*?)\s+([A-Za-z_][A-Za-z0-9_]*)\s*(?:<[^<>()]{1,40}>|\[[^\[\]()]{1,60}\])?\(`)
	traced  = lazyregexp.New(`^\s*(?:File ".{1,200}", line \d+, in ([A-Za-z_][A-Za-z0-9_]*)$|at ([A-Za-z_][A-Za-z0-9_.]*) \()`)
	named   = lazyregexp.New(`\b(?:[Ff]unctions?|[Mm]ethods?|func|def|fn|Funktion|Methode)\s+` + identifier + `|\b` + identifier + `(?:-|\s+)(?:function|method|Funktion|Methode)\b`)
)

// told finds the functions that a line defines or says are functions.
func (f *finder) told(l line, chunks []chunk) {
	if len(l.text) > longestSentence {
		return // no line that somebody wrote
	}
	if strings.Contains(l.text, "(") && containsOne(l.text, "def ", "fn ", "fun ", "func") {
		for _, m := range defined.FindAllStringSubmatch(l.text, mostNames) {
			f.function(m[1])
		}
	}
	if m := traced.FindStringSubmatch(l.text); m != nil {
		f.function(m[1] + m[2])
	}
	if l.code || !containsOne(l.text, "func ", "def ", "fn ", "unction", "ethod", "unktion") {
		return
	}
	for _, m := range named.FindAllStringSubmatch(l.text, mostNames) {
		if name := m[1] + m[2]; shaped(name) || strings.Contains(m[0], "`") || strings.HasPrefix(m[0], "func ") && 'A' <= name[0] && name[0] <= 'Z' {
			f.function(name)
		}
	}
}

// containsOne spares most lines the patterns.
func containsOne(text string, parts ...string) bool {
	for _, p := range parts {
		if strings.Contains(text, p) {
			return true
		}
	}
	return false
}

func (f *finder) function(name string) {
	if !keywords[name] && !library[lastPart(name)] && len(name) > 1 && strings.Trim(name, "._") != "" {
		f.add(Functions, name)
	}
}

// shaped says whether no word of a language looks like name.
func shaped(name string) bool { return len(wordsOf(name)) > 1 }

// keywords stand before parentheses and are not called.
var keywords = set(`if for while switch return catch function func def fn with except elif and or not in is await async new
	typeof sizeof defer go select case throw raise yield lambda class super this self true false null nil None e.g i.e s es`)

// library are functions that every program calls.
var library = set(`print println printf sprintf len str int float bool list dict set tuple range open close append make new
	panic recover copy delete cap super init require import main then map filter reduce forEach push pop join split
	toString String Error Errorf Println Printf Sprintf length keys values items get log error isinstance format strip`)

// surely are what functions begin with and values hardly do.
var surely = set(`validate generate refresh parse get set fetch compute calculate render handle verify decode encode encrypt
	decrypt sign revoke authenticate authorize serialize deserialize marshal unmarshal initialize init ensure find make
	convert resolve extract normalize sanitize compile execute send receive register unregister subscribe unsubscribe
	dispatch emit connect disconnect enqueue dequeue insert append remove clear reset apply merge update assert should
	calc transform tokenize do try wait notify publish store save restore retrieve lookup search query mock destroy add
	is has can`)

// mostly begin functions, unless the last word says otherwise.
var mostly = set(`create delete run build start stop read write load sort filter process open close list count use import
	export download upload login logout enable disable check test`)

// types end what is a type, not a function.
var types = set(`error exception type options class interface struct model schema enum result response request event
	props param params args mode`)

// values end what is a value, not a function.
var values = set(`id ids time times date dir at by on only level flag mode status count size data suite name path url rate key
	num number version timeout balancer results file files list page button list utils helper helpers env`)
