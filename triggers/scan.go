package triggers

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxCondition is the length of a condition in bytes that is still read.
const maxCondition = 1000

// scan lower-cases AND, OR and NOT outside string literals, byte for byte, so
// that offsets stay right. It refuses what the parser would take without a
// trace in its tree (comments, pipes, sequences), and every character that no
// admitted condition holds.
func scan(condition string) (string, *ConditionError) {
	switch {
	case len(condition) > maxCondition:
		return "", refuse(maxCondition, "the condition is longer than %d bytes", maxCondition)
	case strings.TrimSpace(condition) == "":
		return "", refuse(0, "the condition is empty")
	}
	folded := []byte(condition)
	for i := 0; i < len(condition); {
		c := condition[i]
		switch {
		case c == '\'' || c == '"':
			end := literalEnd(condition, i)
			if end < 0 {
				return "", refuse(i, "the text that begins here is not closed")
			}
			i = end
		case isWord(c):
			end := i
			for end < len(condition) && isWord(condition[end]) {
				end++
			}
			switch word := strings.ToLower(condition[i:end]); word {
			case "and", "or", "not":
				copy(folded[i:], word)
			}
			i = end
		default:
			n, err := symbol(condition, i)
			if err != nil {
				return "", err
			}
			i += n
		}
	}
	return string(folded), nil
}

// symbol returns the length of the operator, bracket or space at i.
func symbol(condition string, i int) (int, *ConditionError) {
	for _, s := range []string{"==", "!=", "<=", ">=", "&&", "||"} {
		if strings.HasPrefix(condition[i:], s) {
			return 2, nil
		}
	}
	switch c := condition[i]; {
	case strings.HasPrefix(condition[i:], "//"), strings.HasPrefix(condition[i:], "/*"):
		return 0, refuse(i, "a comment has no place here; %s", admitted)
	case c == '=':
		return 0, refuse(i, "a single = compares nothing; write ==")
	case strings.IndexByte(" \t\r\n()<>!+-*/%,.", c) >= 0:
		return 1, nil
	}
	r, n := utf8.DecodeRuneInString(condition[i:])
	if r == utf8.RuneError && n == 1 {
		return 0, refuse(i, "the condition is not UTF-8 here")
	}
	return 0, refuse(i, "%q has no place here; %s", r, admitted)
}

// literalEnd returns the index after the string literal that begins at i, -1
// if it is not closed on its line.
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

func isWord(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func refuse(offset int, format string, args ...any) *ConditionError {
	return &ConditionError{Offset: offset, Msg: fmt.Sprintf(format, args...)}
}
