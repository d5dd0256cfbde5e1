package validate

import (
	"strconv"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/text"
)

// maxQuoted is the number of characters of an untrusted text that a message repeats.
const maxQuoted = 60

// quoted returns untrusted text for a terminal: escaped, and cut if long.
func quoted(s string) string {
	return strconv.Quote(cut(s))
}

func cut(s string) string { return text.Limit(s, maxQuoted) }

// plain returns an id or a name for messages: unchanged if it has only characters of
// ids, else quoted.
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

// dotted formats a pointer for people: /a/0/b is a[0].b.
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

// grouped formats a number with commas between thousands, like the documents.
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

// shown formats a value for a message: `the string "85"`, `5`, `an object`.
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
