package triggers

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxCondition limits the length of a condition, in bytes.
const maxCondition = 1000

// normalize lower-cases AND, OR and NOT outside string literals, which keeps all
// offsets. It refuses characters that no valid condition contains, and the syntax
// that leaves no trace in the parser's tree: comments, pipes, sequences.
func normalize(condition string) (string, *ConditionError) {
	switch {
	case len(condition) > maxCondition:
		return "", errorAt(maxCondition, "the condition is longer than %d bytes", maxCondition)
	case strings.TrimSpace(condition) == "":
		return "", errorAt(0, "the condition is empty")
	}
	normalized := []byte(condition)
	for i := 0; i < len(condition); {
		c := condition[i]
		switch {
		case c == '\'' || c == '"':
			end := literalEnd(condition, i)
			if end < 0 {
				return "", errorAt(i, "the text that begins here has no closing quote or is not UTF-8")
			}
			i = end
		case isWordByte(c):
			end := i
			for end < len(condition) && isWordByte(condition[end]) {
				end++
			}
			switch word := strings.ToLower(condition[i:end]); word {
			case "and", "or", "not":
				copy(normalized[i:], word)
			}
			i = end
		default:
			n, err := symbolLen(condition, i)
			if err != nil {
				return "", err
			}
			i += n
		}
	}
	return string(normalized), nil
}

// wordsOf returns the words of a condition outside string literals.
func wordsOf(condition string) (words []string) {
	for i := 0; i < len(condition); {
		switch c := condition[i]; {
		case c == '\'' || c == '"':
			end := literalEnd(condition, i)
			if end < 0 {
				return words
			}
			i = end
		case isWordByte(c):
			end := i
			for end < len(condition) && isWordByte(condition[end]) {
				end++
			}
			words = append(words, condition[i:end])
			i = end
		default:
			i++
		}
	}
	return words
}

// symbolLen returns the length of the operator, bracket or space at i.
func symbolLen(condition string, i int) (int, *ConditionError) {
	for _, s := range []string{"==", "!=", "<=", ">=", "&&", "||"} {
		if strings.HasPrefix(condition[i:], s) {
			return 2, nil
		}
	}
	switch c := condition[i]; {
	case strings.HasPrefix(condition[i:], "//"), strings.HasPrefix(condition[i:], "/*"):
		return 0, errorAt(i, "comments are not allowed; %s", syntaxHelp)
	case c == '=':
		return 0, errorAt(i, "= is not an operator; write ==")
	case strings.IndexByte(" \t\r\n()<>!+-*/%,.", c) >= 0:
		return 1, nil
	}
	r, n := utf8.DecodeRuneInString(condition[i:])
	if r == utf8.RuneError && n == 1 {
		return 0, errorAt(i, "the condition is not UTF-8 here")
	}
	return 0, errorAt(i, "unexpected %q; %s", r, syntaxHelp)
}

// literalEnd returns the index after the string literal that begins at i, -1 if it
// has no closing quote on its line or is not UTF-8.
func literalEnd(condition string, i int) int {
	quote := condition[i]
	for j := i + 1; j < len(condition); j++ {
		switch condition[j] {
		case quote:
			if !utf8.ValidString(condition[i:j]) {
				return -1
			}
			return j + 1
		case '\\':
			j++
		case '\n':
			return -1
		}
	}
	return -1
}

func isWordByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func errorAt(offset int, format string, args ...any) *ConditionError {
	return &ConditionError{Offset: offset, Msg: fmt.Sprintf(format, args...)}
}
