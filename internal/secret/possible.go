package secret

import (
	"bytes"
	"encoding/binary"
)

// Lengths in bytes.
const (
	shortest     = 6  // a secret: a password assigned to a name
	shortestPair = 10 // a text that contains a secret: pwd=a1b2c3
	minRun       = 16 // the run of token characters in a token
	anchorRoom   = 64 // before a run, where the anchor may begin
	maxLogin     = 400
	maxPEMLabel  = 60
)

// Possible reports whether src may contain a secret. If it returns false, Find finds
// none. It is fast, so that a text without secrets costs little: it looks for long runs
// of token characters, and for the signs that precede secrets.
func Possible(src []byte) bool { return hasTokenRun(src) || hasSign(src) }

// A Screen excludes most values of one JSON text. It costs less than calling Possible
// for each value. It misses secrets in calls such as set("API_TOKEN", …).
type Screen struct {
	signs   bool // the text has other signs than colons, commas and dashes
	escapes bool // characters are written as \u0041
}

// NewScreen returns the Screen for the values of the JSON text src.
func NewScreen(src []byte) Screen {
	has := func(c byte) bool { return bytes.IndexByte(src, c) >= 0 }
	return Screen{signs: has('=') || has('@') || has('>') || has('~'), escapes: hasEscape(src)}
}

// Possible reports whether text, the value of the member name, may contain a secret.
// Both are given as in the JSON text, without quotes.
func (s Screen) Possible(name, text []byte) bool {
	switch n := len(text); {
	case n < shortest || isTime(text):
		return false
	case isSecretName(name):
		return true
	case s.escapes && hasEscape(text):
		return true
	case n < shortestPair:
		return false
	}
	return hasTokenRun(text) || (s.signs || bytes.IndexByte(text, ':') >= 0 || bytes.Contains(text, []byte("--"))) && hasSign(text)
}

// hasEscape reports whether a JSON text contains characters written as \uXXXX.
func hasEscape(src []byte) bool { return bytes.Contains(src, []byte(`\u`)) }

// isTime reports whether text begins like a time and is no longer than one.
func isTime(text []byte) bool {
	return len(text) >= 20 && len(text) <= 35 && text[4] == '-' && text[7] == '-' && text[10] == 'T' && text[13] == ':'
}

// eight is a byte repeated in a word.
const eight = 0x0101010101010101

// isTokenWord reports whether the eight bytes of w may be part of a token: none is a
// space, quote or comma, and one is a digit or in upper case.
func isTokenWord(w uint64) bool {
	const dash = '-' * eight // the token character with the lowest code
	if (w-dash)&^w&(0x80*eight) != 0 {
		return false
	}
	digit := ^w & (w << 1) & (w << 2) & (0x40 * eight)
	other := w ^ '_'*eight
	notUnderscore := ((other&(0x7f*eight) + 0x7f*eight) | other) >> 1
	upper := w &^ (w << 1) & notUnderscore & (0x40 * eight)
	return digit|upper != 0
}

// hasTokenRun reports whether src has a run of token characters that contains the
// anchor of a shape or follows the name of an authorization scheme.
func hasTokenRun(src []byte) bool {
	for i := 0; i+8 <= len(src); i += 8 {
		if !isTokenWord(binary.LittleEndian.Uint64(src[i:])) || !inToken[src[i]] || !inToken[src[i+7]] {
			continue
		}
		start, end := i, i+1
		for start > 0 && inToken[src[start-1]] {
			start--
		}
		for end < len(src) && inToken[src[end]] {
			end++
		}
		if end-start >= minRun && (hasAnchor(src, max(0, start-anchorRoom), end) || isAuthorization(src[:start])) {
			return true
		}
		i = max(i, end-8)
	}
	return false
}

// pairs contains the first two bytes of all anchors.
var pairs = func() (set [1 << 16 / 8]byte) {
	add := func(text string) {
		at := uint16(text[0])<<8 | uint16(text[1])
		set[at>>3] |= 1 << (at & 7)
	}
	for _, list := range anchors {
		for _, a := range list {
			add(a.text)
		}
	}
	for _, text := range moreAnchors {
		add(text)
	}
	return set
}()

// moreAnchors are the beginnings or marks of tokens that have no shape; see findTokens
// and findMarked.
var moreAnchors = []string{"eyJ", "sk-", ":AA"}

// hasAnchor reports whether src[start:end] contains the anchor of a shape.
func hasAnchor(src []byte, start, end int) bool {
	for i := start; i+1 < end; i++ {
		at := uint16(src[i])<<8 | uint16(src[i+1])
		if pairs[at>>3]&(1<<(at&7)) == 0 {
			continue
		}
		for _, a := range anchors[src[i]] {
			if hasPrefix(src[i:], a.text) && (a.address || mayBegin(src, i)) {
				return true
			}
		}
		for _, text := range moreAnchors {
			if hasPrefix(src[i:], text) && (text[0] == ':' || mayBegin(src, i)) {
				return true
			}
		}
	}
	return false
}

// mayBegin reports whether a token may begin at i: not after a letter or digit, except
// after an escape; see charset.begins.
func mayBegin(src []byte, i int) bool {
	return i == 0 || !inWord[src[i-1]] || src[i-1] == 'm' || i >= 2 && src[i-2] == '\\' || i >= 3 && src[i-3] == '%'
}

func hasPrefix(src []byte, text string) bool {
	return len(src) >= len(text) && string(src[:len(text)]) == text
}

// isAuthorization reports whether before ends with the name of an authorization scheme,
// so that a credential follows.
func isAuthorization(before []byte) bool {
	if n := len(before); n == 0 || before[n-1] != ' ' && before[n-1] != ':' && before[n-1] != '\t' {
		return false
	}
	before = before[max(0, len(before)-anchorRoom):]
	return bytes.Contains(before, []byte("earer ")) || bytes.Contains(before, []byte("uthorization:"))
}

// hasSign reports whether src has a sign that precedes a secret: one that assigns a
// value to a name, a login in a URL or of curl, or the beginning of a private key.
func hasSign(src []byte) bool {
	quoted := bytes.IndexByte(src, '"') >= 0 || bytes.IndexByte(src, '\'') >= 0
	for i := 0; i < len(src); i += 7 { // the words overlap, because a sign of two bytes may cross two words
		if i+8 <= len(src) {
			w := binary.LittleEndian.Uint64(src[i:])
			if !isSignWord(w) && !(quoted && hasByte(w, ',')) {
				continue
			}
		}
		for k := i; k < min(i+8, len(src)); k++ {
			if signs[src[k]] && isSign(src, k) {
				return true
			}
		}
	}
	return false
}

// signs are the bytes that a sign begins with.
var signs = chars(":=>,@-~")

// isSignWord reports whether one of the eight bytes of w may be a sign other than a
// comma: ':', '=', '>', '@', '~' or two dashes.
func isSignWord(w uint64) bool {
	const high, low = 0x80 * eight, 0x7f * eight
	between := ((0x7f+'A')*eight - w&low) & ^w & (w&low + (0x7f-'9')*eight) // '9' < byte < 'A'
	dash := zeros(w ^ '-'*eight)
	return (between|zeros(w^'~'*eight)|dash&(dash>>8))&high != 0
}

func hasByte(w uint64, c byte) bool { return zeros(w^uint64(c)*eight) != 0 }

// zeros returns a word in which the high bit is set for each zero byte of w; it is 0 if
// w has none.
func zeros(w uint64) uint64 { return (w - eight) & ^w & (0x80 * eight) }

// isSign reports whether a secret may follow the byte at i.
func isSign(src []byte, i int) bool {
	switch src[i] {
	case '@':
		return isLogin(src[max(0, i-maxLogin):i])
	case '~':
		return i > 0 && src[i-1] == 'Q' // the mark of Azure's client secrets
	case '-':
		return hasDashes(src[i:])
	case ',':
		return i > 0 && (src[i-1] == '"' || src[i-1] == '\'') && endsInName(src, i)
	case ':':
		return endsInName(src, i) || i+1 < len(src) && src[i+1] > ' ' && src[i+1] != '/' && isCurl(src[max(0, i-maxLogin):i])
	}
	return endsInName(src, i)
}

// isCurl reports whether a word of before may be curl's flag for a login.
func isCurl(before []byte) bool {
	return bytes.Contains(before, []byte("curl ")) && (bytes.Contains(before, []byte(" -u")) || bytes.Contains(before, []byte(" --user")))
}

// endsInName reports whether the name before the sign at i may be that of a secret; see
// kindOf.
func endsInName(src []byte, i int) bool {
	end := i
	for end > 0 && i-end < 4 && (src[end-1] == ' ' || src[end-1] == '?' || src[end-1] == ':' || src[end-1] == '.') {
		end--
	}
	for end > 0 && i-end < 8 && (src[end-1] == '"' || src[end-1] == '\\' || src[end-1] == '\'' || src[end-1] == '`' || src[end-1] == ']') {
		end--
	}
	if end < 3 {
		return false
	}
	word := src[max(0, end-24):end]
	switch src[end-1] | 0x20 {
	case 'n':
		return isSecretName(word) || src[i] == ':' && bytes.HasSuffix(word, []byte("uthorization"))
	case 'g':
		return len(word) >= 6 && bytes.EqualFold(word[len(word)-6:], []byte("string")) // the type of a variable
	}
	return isSecretName(word)
}

// isSecretName is kindOf for a name that most often names no secret.
func isSecretName(name []byte) bool {
	n := len(name)
	if n < 3 {
		return false
	}
	switch uint32(name[n-3]|0x20)<<16 | uint32(name[n-2]|0x20)<<8 | uint32(name[n-1]|0x20) {
	case 'o'<<16 | 'r'<<8 | 'd', 's'<<16 | 'w'<<8 | 'd', 'a'<<16 | 's'<<8 | 'e', 'p'<<16 | 'w'<<8 | 'd', 'r'<<16 | 'e'<<8 | 't',
		'k'<<16 | 'e'<<8 | 'y', 'i'<<16 | 'a'<<8 | 'l', 'a'<<16 | 'l'<<8 | 's', 'k'<<16 | 'e'<<8 | 'n':
		return kindOf(name) != ""
	}
	return false
}

// isLogin reports whether before ends in a scheme and what may be a login.
func isLogin(before []byte) bool {
	i := bytes.LastIndex(before, []byte(":/"))
	return i >= 0 && !bytes.ContainsAny(before[i:], " \t\r\n")
}

// hasDashes reports whether src begins a private key, or a flag of the command line
// that gives a password: --password.
func hasDashes(src []byte) bool {
	switch {
	case hasPrefix(src, pemBegin):
		return bytes.Contains(src[:min(len(src), len(pemBegin)+maxPEMLabel)], []byte("PRIVATE KEY"))
	case hasPrefix(src, "--"):
		n := 0
		for n < len(src) && n < maxName && inToken[src[n]] {
			n++
		}
		return n < len(src) && src[n] == ' ' && kindOf(src[:n]) != ""
	}
	return false
}
