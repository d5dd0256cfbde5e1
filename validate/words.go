package validate

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// maxQuoted is how many characters of a stranger's text a message repeats.
const maxQuoted = 60

// quoted is text of a stranger, fit for a terminal: escaped, and cut when long.
func quoted(s string) string {
	return strconv.Quote(cut(s))
}

func cut(s string) string { return cutAt(s, maxQuoted) }

// cutAt is s, cut to at most so many characters.
func cutAt(s string, most int) string {
	if len(s) <= most || utf8.RuneCountInString(s) <= most {
		return s
	}
	n := 0
	for i := range s {
		if n++; n == most {
			return s[:i] + "…"
		}
	}
	return s
}

// plain is an id or a name as messages show it: as it is where it consists of
// the characters of ids, else quoted.
func plain(s string) string {
	if s == "" || len(s) > maxQuoted {
		return quoted(s)
	}
	for _, c := range []byte(s) {
		if !idByte(c) {
			return quoted(s)
		}
	}
	return s
}

func idByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.'
}

// plainList joins ids for a message, at most 20 of them.
func plainList(ids []string) string {
	const most = 20
	var b strings.Builder
	for i, id := range ids {
		if i == most {
			b.WriteString(" and " + strconv.Itoa(len(ids)-most) + " more")
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(plain(id))
	}
	return b.String()
}

// dotted shows a pointer as people write it: /a/0/b is a[0].b.
func dotted(pointer string) string {
	if pointer == "" {
		return "the document"
	}
	var b strings.Builder
	for _, token := range strings.Split(pointer[1:], "/") {
		token = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
		if _, err := strconv.ParseUint(token, 10, 31); err == nil {
			b.WriteString("[" + token + "]")
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(plain(token))
	}
	return b.String()
}

// grouped is a number with commas between thousands, as the documents write it.
func grouped(v float64) string {
	s := strconv.FormatFloat(v, 'f', -1, 64)
	whole, fraction, point := strings.Cut(s, ".")
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "-", whole[1:]
	}
	if len(whole) > 18 {
		return strconv.FormatFloat(v, 'g', 6, 64)
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if point {
		whole += "." + fraction
	}
	return sign + whole
}

// shown is a value as a message shows it: `the string "85"`, `5`, `an object`.
func shown(doc *jsonedit.Doc, node int) string {
	switch kind := doc.Nodes[node].Kind; kind {
	case jsonedit.String:
		s, _ := doc.Str(node)
		return "the string " + quoted(s)
	case jsonedit.Number:
		return cut(string(doc.Raw(node)))
	case jsonedit.True, jsonedit.False, jsonedit.Null:
		return string(doc.Raw(node))
	default:
		return kind.String()
	}
}
