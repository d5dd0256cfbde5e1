package jsonedit

import (
	"strconv"
	"strings"
)

var (
	pointerEscape   = strings.NewReplacer("~", "~0", "/", "~1")
	pointerUnescape = strings.NewReplacer("~1", "/", "~0", "~")
)

// EscapePointer returns a member name as a token of a JSON pointer.
func EscapePointer(name string) string { return pointerEscape.Replace(name) }

// splitPointer returns the unescaped tokens of a JSON pointer, or false if it is
// invalid.
func splitPointer(pointer string) ([]string, bool) {
	if pointer == "" {
		return nil, true
	}
	if pointer[0] != '/' {
		return nil, false
	}
	tokens := strings.Split(pointer[1:], "/")
	for i, token := range tokens {
		for at, c := range []byte(token) {
			if c == '~' && (at+1 == len(token) || token[at+1]>>1 != '0'>>1) { // neither ~0 nor ~1
				return nil, false
			}
		}
		tokens[i] = pointerUnescape.Replace(token)
	}
	return tokens, true
}

// joinPointer returns the JSON pointer of tokens.
func joinPointer(tokens []string) string {
	var b strings.Builder
	for _, token := range tokens {
		b.WriteByte('/')
		b.WriteString(pointerEscape.Replace(token))
	}
	return b.String()
}

// parseIndex returns the array index of a token, which must be digits without leading
// zeros.
func parseIndex(token string) (int, bool) {
	if token == "" || len(token) > 1 && token[0] == '0' || !isDigit(token[0]) {
		return 0, false
	}
	k, err := strconv.Atoi(token)
	return k, err == nil
}
