package memory

import (
	"strings"
	"unicode"

	"github.com/forgemind/forgemind/internal/lazyregexp"
)

const rationale = "Rationale:"

// lines are an entry as it stands in a list: when, which, what, and why as an
// item below it. write makes markdown of a stranger's text.
func (e Entry) lines(write func(string) []string) []string {
	lines := write(e.Text)
	front := ""
	if at := stamp(e.Time); at != "" {
		front = at + " "
	}
	if e.ID != "" {
		front += e.ID + ": "
	}
	lines[0] = front + lines[0]
	if strings.TrimSpace(e.Rationale) == "" {
		return lines
	}
	for i, line := range write(e.Rationale) {
		switch {
		case i == 0:
			line = "- " + rationale + " " + line
		case line != "":
			line = "  " + line
		}
		lines = append(lines, line)
	}
	return lines
}

// clean is a stranger's text with characters that text has, and its lines
// without blanks at their ends.
func clean(s string) []string {
	s = strings.ToValidUTF8(s, "\ufffd")
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s)
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return '\ufffd'
		}
		return r
	}, s)
	var lines []string
	for line := range strings.SplitSeq(strings.TrimSpace(s), "\n") {
		line = strings.TrimRight(line, " \t")
		if line != "" || len(lines) > 0 && lines[len(lines)-1] != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

var (
	heading    = lazyregexp.New(`^#{1,6}([ \t]|$)`)
	underline  = lazyregexp.New(`^(=+|-+)$`)
	html       = lazyregexp.New(`^<[A-Za-z/!?]`)
	address    = lazyregexp.New(`^<[A-Za-z][A-Za-z0-9+.-]*:`)
	definition = lazyregexp.New(`^\[[^\]]+\]:`)
	fence      = lazyregexp.New("^(?:(`{3,})[^`]*|(~{3,}).*)$")
)

// asMarkdown is a stranger's text as it means itself, but for what would reach
// beyond its entry: headings, HTML, definitions of links, code that is never
// closed.
func asMarkdown(s string) []string {
	lines := clean(s)
	for i := 0; i < len(lines); i++ {
		text := strings.TrimLeft(lines[i], " \t")
		lead := lines[i][:len(lines[i])-len(text)]
		if m := fence.FindStringSubmatch(text); m != nil {
			if end := closed(lines[i+1:], m[1]+m[2]); end >= 0 && i > 0 {
				i += 1 + end
				continue
			}
			text = `\` + text
		}
		if heading.MatchString(text) || underline.MatchString(text) || definition.MatchString(text) ||
			html.MatchString(text) && !address.MatchString(text) {
			text = `\` + text
		}
		lines[i] = lead + text
	}
	return lines
}

// closed is the line that closes a code block, -1 if none does.
func closed(lines []string, fence string) int {
	for i, line := range lines {
		line = strings.TrimLeft(line, " \t")
		if len(line) >= len(fence) && strings.Trim(line, fence[:1]) == "" {
			return i
		}
	}
	return -1
}

// asPlainText is a stranger's text with nothing in it that markdown would see
// at the beginning of a line.
func asPlainText(s string) []string {
	lines := clean(s)
	for i, line := range lines {
		line = strings.TrimLeft(line, " \t")
		digits := len(line) - len(strings.TrimLeft(line, "0123456789"))
		sign := byte(' ')
		if digits < len(line) {
			sign = line[digits]
		}
		if digits == 0 && isPunctuation(sign) && sign != '\\' || digits > 0 && (sign == '.' || sign == ')') {
			line = line[:digits] + `\` + line[digits:]
		}
		lines[i] = line
	}
	return lines
}

// unescape takes away the backslashes in front of signs.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && isPunctuation(s[i+1]) {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func isPunctuation(c byte) bool {
	return c >= '!' && c <= '/' || c >= ':' && c <= '@' || c >= '[' && c <= '`' || c >= '{' && c <= '~'
}
