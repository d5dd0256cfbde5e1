package secret

import (
	"math"
	"strings"
)

// secretNames are the endings of names that secrets are assigned to, in lower case and
// without dashes, with the kind of the secret.
var secretNames = []struct{ end, kind string }{
	{"password", "password"}, {"passwd", "password"}, {"passphrase", "password"}, {"pwd", "password"},
	{"secret", "secret"}, {"secretkey", "secret"}, {"credential", "secret"}, {"credentials", "secret"},
	{"token", "token"},
	{"apikey", "key"}, {"accesskey", "key"}, {"privatekey", "key"}, {"signingkey", "key"},
	{"encryptionkey", "key"}, {"accountkey", "key"}, {"authkey", "key"},
}

const (
	maxName  = 64
	maxValue = 1024
)

// An assignment describes how a value is assigned to a name.
type assignment struct {
	kind   string
	value  string
	quoted bool
	tight  bool // no space around the sign
	code   bool // the following text shows that the name is one in program code
}

// findAssigned finds random-looking values that are assigned to the name of a secret:
// NAME=value, name: "value", \"name\":\"value\", --name value, name string = "value",
// set("name", "value"), <name>value</name>.
func findAssigned(found []Found, text string) []Found {
	for i := 0; i < len(text); i++ {
		var name string
		from := i + 1
		switch c := text[i]; {
		case c == ':' && (i > 0 && text[i-1] == ':' || i+1 < len(text) && strings.IndexByte(":+?", text[i+1]) >= 0):
			// Not a path in code, and not a shell's "${NAME:+there is one}"; ::= ends
			// with another sign.
		case c == '=' || c == ':':
			name = nameBefore(text, i)
			if len(name) == len("string") && strings.EqualFold(name, "string") { // the type of a variable
				name = nameBefore(text, strings.LastIndex(text[:i], name))
			}
		case c == ',' && i > 2 && (text[i-1] == '"' || text[i-1] == '\''):
			name = nameBefore(text, i)
		case c == '>' && i > 4:
			if tag := nameBefore(text, i); len(tag) < i && text[i-1-len(tag)] == '<' {
				name = tag
				for from < len(text) && from < i+24 && strings.IndexByte(" \t\r\n", text[from]) >= 0 {
					from++
				}
			}
		case c == ' ' && i > 2:
			if flag := nameBefore(text, i); strings.HasPrefix(flag, "--") && text[i-1] != ' ' {
				name = flag
			}
		}
		kind := kindOf(name)
		if kind == "" {
			continue
		}
		a := assignment{kind: kind, tight: true}
		for from < len(text) && strings.IndexByte("=> \t", text[from]) >= 0 && from < i+8 {
			a.tight = a.tight && text[from] != ' '
			from++
		}
		for from < len(text) && strings.IndexByte("\\\"'`", text[from]) >= 0 && from < i+16 {
			a.quoted = a.quoted || text[from] != '\\'
			from++
		}
		if a.quoted && from < len(text) && text[from] == '+' { // "PWD="+dir: the quote closes
			continue
		}
		of := inValue
		if a.quoted {
			of = inQuotes
		}
		n := of.run(text, from, maxValue)
		end := from + n
		if n > maxValue { // a picture, or what else has no spaces
			i = end - 1
			continue
		}
		if !a.quoted && end < len(text) && strings.IndexByte("([{", text[end]) >= 0 {
			continue // a call
		}
		a.value = text[from:end]
		if !a.quoted {
			a.value = strings.TrimRight(a.value, ".:!?")
		}
		if text[i] == ',' && !a.quoted || strings.HasPrefix(a.value, "!") && text[i] == ':' && !a.quoted { // a tag of YAML
			continue
		}
		a.code = !a.quoted && !a.tight && end < len(text) && strings.IndexByte(",;)", text[end]) >= 0 && inWord.run(a.value, 0, maxValue) == len(a.value)
		if a.secret() {
			found = append(found, Found{a.kind, from, from + len(a.value)})
			i = end - 1
		}
	}
	return found
}

var (
	inValue  = printable("\"'`\\,;()[]{}<>|&")
	inQuotes = printable("\"'`\\")
)

// printable are the characters that are not spaces, control characters or quotes.
func printable(but string) *charset {
	c := chars(but)
	for i := range c {
		c[i] = i > ' ' && i < 0x7f && !c[i]
	}
	return c
}

// nameBefore is the name that stands before the sign at i.
func nameBefore(text string, i int) string {
	end := i
	for end > 0 && i-end < 4 && strings.IndexByte(" ?:.", text[end-1]) >= 0 {
		end--
	}
	for end > 0 && i-end < 8 && strings.IndexByte("\\\"'`]", text[end-1]) >= 0 {
		end--
	}
	start := end
	for start > 0 && end-start < maxName && (inToken[text[start-1]] || text[start-1] == '.') {
		start--
	}
	return text[start:end]
}

// kindOf returns the kind of a secret with that name, "" if the name is not that of a
// secret.
func kindOf[T string | []byte](name T) string {
	if len(name) < 3 {
		return ""
	}
	plain := make([]byte, 0, maxName)
	for i := range len(name) {
		if c := name[i]; c != '-' && c != '_' && c != '.' {
			plain = append(plain, c|0x20)
		}
	}
	for _, s := range secretNames {
		if n := len(plain) - len(s.end); n >= 0 && string(plain[n:]) == s.end {
			return s.kind
		}
	}
	return ""
}

// secret reports whether the value is a secret, and not a word, a variable, a path or a
// piece of code.
func (a assignment) secret() bool {
	v := a.value
	least := 12
	if a.kind == "password" {
		least = 6
	}
	if len(v) < least || strings.IndexByte("[$%*@/~.", v[0]) >= 0 || strings.Contains(v, "://") || isPath(v) || isUUID(v) && a.kind == "token" {
		return false
	}
	if isPlaceholder(v) {
		return false
	}
	letter, digit := strings.ContainsAny(v, upper+lower), strings.ContainsAny(v, digits)
	if a.kind == "password" {
		if a.code || !letter || !digit && !strings.ContainsAny(v, "!#$%^*+@~") || entropy(v) < 2.3 {
			return false
		}
		return a.quoted || a.tight || !isWords(v)
	}
	if !letter || !digit || entropy(v) < 3 {
		return false
	}
	if isWords(v) {
		return a.kind != "token" && (a.quoted || a.tight) && !strings.Contains(v, ".")
	}
	return true
}

// isPlaceholder reports whether v is a placeholder for a value.
func isPlaceholder(v string) bool {
	low := strings.ToLower(v)
	for _, word := range []string{"your_", "your-", "yourapi", "yoursecret", "yourtoken", "yourpass", "changeme", "change-me", "change_me", "placeholder", "xxxxx", "replace_me", "replace-me", "insert_", "redacted"} {
		if strings.Contains(low, word) {
			return true
		}
	}
	return false
}

// random reports whether a token looks random.
func random(v string) bool {
	return strings.ContainsAny(v, upper+lower) && strings.ContainsAny(v, digits) && entropy(v) >= 3 && !isWords(v)
}

// entropy returns the Shannon entropy of the bytes of v, in bits per byte.
func entropy(v string) (bits float64) {
	var count [256]int
	for i := range len(v) {
		count[v[i]]++
	}
	for _, n := range count {
		if n > 0 {
			p := float64(n) / float64(len(v))
			bits -= p * math.Log2(p)
		}
	}
	return bits
}

// isWords reports whether v consists of words like names in code: long runs of letters,
// few and short numbers, dashes and dots.
func isWords(v string) bool {
	letters, words, numbers, number := 0, 0, 0, 0
	before := byte(0)
	for i := range len(v) {
		c := v[i]
		switch {
		case '0' <= c && c <= '9':
			if number++; number == 1 {
				numbers++
			}
			if number > 5 {
				return false
			}
		case !inWord[c] && c != '-' && c != '.':
			return false
		}
		if l := c | 0x20; 'a' <= l && l <= 'z' {
			letters++
			wasLetter := 'a' <= before|0x20 && before|0x20 <= 'z'
			if !wasLetter || c < 'a' && before >= 'a' {
				words++
			}
		}
		if c < '0' || c > '9' {
			number = 0
		}
		before = c
	}
	return words > 0 && letters >= 3*words && numbers <= 2
}

func isPath(v string) bool {
	dot := strings.LastIndexByte(v, '.')
	return strings.Contains(v, "/") && dot > strings.LastIndexByte(v, '/') && len(v)-dot <= 6
}

func isUUID(v string) bool {
	return len(v) == 36 && v[8] == '-' && v[13] == '-' && v[18] == '-' && v[23] == '-' && isHex(strings.ReplaceAll(v, "-", ""))
}
