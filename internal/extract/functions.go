package extract

import (
	"strings"

	"github.com/forgemind/forgemind/internal/lazyregexp"
)

// functionName returns the function that c names, or false: with parentheses
// ("name()", "a.b()"), or in a code span also as a call or by a name that begins with
// a verb ("`validate(token)`", "`validate_token`").
func (c *chunk) functionName(l line) (string, bool) {
	name := c.text
	if len(name) > maxNameLength || strings.HasPrefix(name, "@") || c.prev == '@' || c.prev == '$' || c.prev == '\\' {
		return "", false
	}
	name = strings.TrimRight(strings.TrimPrefix(name, "&"), ".:") // the end of a sentence
	if !isIdentifier(name) || keywords[name] {
		return "", false
	}
	rest := c.line[c.end:]
	switch {
	case strings.HasPrefix(rest, "()"):
		return name, !l.code || !commonFunctions[name] && !strings.ContainsAny(name, ".:")
	case l.code:
		return "", false
	case c.inCode && strings.HasPrefix(rest, "(") && !commonFunctions[lastPart(name)]:
		return name, isWholeCall(rest, c.prev)
	case strings.HasPrefix(rest, "("):
		return name, canPrecedePath(c.prev) && isFunctionName(name) && callArguments.MatchString(rest)
	case canPrecedePath(c.prev) && camelCase.MatchString(name) && (c.next == 0 || strings.ContainsRune(" ,;:)]\"'，。", c.next)):
		return name, isFunctionName(name)
	case c.wholeSpan, canPrecedePath(c.prev) && strings.ContainsAny(name, "_") && (c.next == 0 || strings.ContainsRune(" ,;:)]\"'，。", c.next)):
		return name, isFunctionName(name)
	}
	return "", false
}

var (
	// callArguments matches the arguments of a call in prose: "(id)", "(req, res)".
	callArguments = lazyregexp.New(`^\([\w.&*"', ]{1,80}\)`)
	camelCase     = lazyregexp.New(`^[a-z]+(?:[A-Z][a-z0-9]+)+$`)
)

// isWholeCall reports whether the rest of a code span is the arguments of one call.
func isWholeCall(rest string, prev rune) bool {
	end := strings.IndexByte(rest, '`')
	return prev == '`' && end > 1 && rest[end-1] == ')' && strings.Count(rest[:end], "(") == strings.Count(rest[:end], ")")
}

// isIdentifier reports whether name is an identifier, or several joined by "." or
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

// isFunctionName reports whether an identifier has several words, begins with a verb,
// and does not end like the name of a value or a type.
func isFunctionName(name string) bool {
	words := identifierWords(lastPart(name))
	if len(words) < 2 {
		return false
	}
	last := words[len(words)-1]
	if c := lastPart(name)[0]; 'A' <= c && c <= 'Z' && typeNouns[last] {
		return false
	}
	return functionVerbs[words[0]] || likelyVerbs[words[0]] && !typeNouns[last] && !valueNouns[last]
}

// identifierWords returns the words of an identifier in snake_case or camelCase, in
// lower case; nil if it is all capitals.
func identifierWords(name string) []string {
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
	functionDefinition = lazyregexp.New(`(?:^|[\s;{])(?:def|fn|fun|func(?:\s*\([^()]{1,60}\))?|function\*?)\s+([A-Za-z_][A-Za-z0-9_]*)\s*(?:<[^<>()]{1,40}>|\[[^\[\]()]{1,60}\])?\(`)
	stackFrame         = lazyregexp.New(`^\s*(?:File ".{1,200}", line \d+, in ([A-Za-z_][A-Za-z0-9_]*)$|at ([A-Za-z_][A-Za-z0-9_.]*) \()`)
	namedFunction      = lazyregexp.New(`\b(?:[Ff]unctions?|[Mm]ethods?|func|def|fn|Funktion|Methode)\s+` + identifier + `|\b` + identifier + `(?:-|\s+)(?:function|method|Funktion|Methode)\b`)
)

// findFunctions adds the functions that a line defines or calls functions.
func (f *finder) findFunctions(l line, chunks []chunk) {
	if len(l.text) > maxSentence {
		return // probably generated
	}
	if strings.Contains(l.text, "(") && containsOne(l.text, "def ", "fn ", "fun ", "func") {
		for _, m := range functionDefinition.FindAllStringSubmatch(l.text, maxNames) {
			f.addFunction(m[1])
		}
	}
	if m := stackFrame.FindStringSubmatch(l.text); m != nil {
		f.addFunction(m[1] + m[2])
	}
	if l.code || !containsOne(l.text, "func ", "def ", "fn ", "unction", "ethod", "unktion") {
		return
	}
	for _, m := range namedFunction.FindAllStringSubmatch(l.text, maxNames) {
		if name := m[1] + m[2]; isCompound(name) || strings.Contains(m[0], "`") || strings.HasPrefix(m[0], "func ") && 'A' <= name[0] && name[0] <= 'Z' {
			f.addFunction(name)
		}
	}
}

// containsOne reports whether text contains one of parts. Callers use it to skip a
// slow pattern for most lines.
func containsOne(text string, parts ...string) bool {
	for _, p := range parts {
		if strings.Contains(text, p) {
			return true
		}
	}
	return false
}

func (f *finder) addFunction(name string) {
	if !keywords[name] && !commonFunctions[lastPart(name)] && len(name) > 1 && strings.Trim(name, "._") != "" {
		f.add(Functions, name)
	}
}

// isCompound reports whether name has several words, unlike the words of a language.
func isCompound(name string) bool { return len(identifierWords(name)) > 1 }

// keywords may precede parentheses, but are not functions.
var keywords = set(`if for while switch return catch function func def fn with except elif and or not in is await async new
	typeof sizeof defer go select case throw raise yield lambda class super this self true false null nil None e.g i.e s es`)

// commonFunctions are functions that are too common to report.
var commonFunctions = set(`print println printf sprintf len str int float bool list dict set tuple range open close append make new
	panic recover copy delete cap super init require import main then map filter reduce forEach push pop join split
	toString String Error Errorf Println Printf Sprintf length keys values items get log error isinstance format strip`)

// functionVerbs begin the names of functions, and hardly those of values.
var functionVerbs = set(`validate generate refresh parse get set fetch compute calculate render handle verify decode encode encrypt
	decrypt sign revoke authenticate authorize serialize deserialize marshal unmarshal initialize init ensure find make
	convert resolve extract normalize sanitize compile execute send receive register unregister subscribe unsubscribe
	dispatch emit connect disconnect enqueue dequeue insert append remove clear reset apply merge update assert should
	calc transform tokenize do try wait notify publish store save restore retrieve lookup search query mock destroy add
	is has can`)

// likelyVerbs begin the names of functions, unless the last word is in typeNouns or
// valueNouns.
var likelyVerbs = set(`create delete run build start stop read write load sort filter process open close list count use import
	export download upload login logout enable disable check test`)

// typeNouns end the names of types.
var typeNouns = set(`error exception type options class interface struct model schema enum result response request event
	props param params args mode`)

// valueNouns end the names of values.
var valueNouns = set(`id ids time times date dir at by on only level flag mode status count size data suite name path url rate key
	num number version timeout balancer results file files list page button list utils helper helpers env`)
