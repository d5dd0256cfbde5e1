package extract

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A line is one line of a text, without the markers of a quote.
type line struct {
	text   string
	code   bool // in a fence, or it looks like code
	quoted bool // "> …"
}

// lines yields the lines of text, without the lines of the fences.
func lines(text string) iter.Seq[line] {
	return func(yield func(line) bool) {
		fence := ""
		for raw := range strings.Lines(text) {
			raw = strings.TrimRight(raw, "\r\n")
			l := line{text: raw, code: fence != "" || looksLikeCode(raw)}
			trimmed := strings.TrimLeft(raw, " \t")
			if fence == "" && strings.HasPrefix(trimmed, ">") {
				l.quoted = true
				l.text = strings.TrimLeft(trimmed, "> \t")
			} else if mark := fenceMark(trimmed); mark != "" {
				switch {
				case fence == "":
					fence = mark
					continue
				case strings.HasPrefix(mark, fence) && strings.TrimSpace(trimmed[len(mark):]) == "":
					fence = ""
					continue
				}
			}
			if !yield(l) {
				return
			}
		}
	}
}

// looksLikeCode reports whether a line looks like code, with or without a line number.
func looksLikeCode(text string) bool {
	trimmed := strings.TrimSpace(text)
	if trimmed == "" {
		return false
	}
	switch trimmed[len(trimmed)-1] {
	case '{', ';', '}':
		return true
	}
	number := strings.TrimLeft(trimmed, "0123456789")
	return len(number) < len(trimmed) && (strings.HasPrefix(number, "→") || strings.HasPrefix(number, "\t")) ||
		strings.Contains(text, " := ") || strings.HasPrefix(trimmed, "return ") && strings.Contains(trimmed, "(") || strings.HasPrefix(trimmed, "//")
}

// fenceMark returns the backticks or tildes that begin a fence, or "".
func fenceMark(text string) string {
	if !strings.HasPrefix(text, "```") && !strings.HasPrefix(text, "~~~") {
		return ""
	}
	mark := text[:len(text)-len(strings.TrimLeft(text, text[:1]))]
	if mark[0] == '`' && strings.Contains(text[len(mark):], "`") {
		return "" // a code span
	}
	return mark
}

// A span is a part of a line, as offsets in bytes.
type span struct{ start, end int }

// codeSpans returns the insides of the code spans of a line, in order: the text
// between one backtick and the next one, or between two and the next two.
func codeSpans(text string) []span {
	var found []span
	closed := [3]bool{} // closed[n]: no more runs of n backticks
	for i := 0; i < len(text); {
		if text[i] != '`' {
			next := strings.IndexByte(text[i:], '`')
			if next < 0 {
				break
			}
			i += next
		}
		n := ticks(text[i:])
		if n > 2 || closed[n] {
			i += n
			continue
		}
		end := nextTicks(text, i+n, n)
		if end < 0 {
			closed[n] = true
			i += n
			continue
		}
		found = append(found, span{i + n, end})
		i = end + n
	}
	return found
}

// ticks returns the number of backticks at the start of text.
func ticks(text string) int { return len(text) - len(strings.TrimLeft(text, "`")) }

// nextTicks returns the offset of the next run of exactly n backticks, -1 for none.
func nextTicks(text string, from, n int) int {
	for from < len(text) {
		i := strings.IndexByte(text[from:], '`')
		if i < 0 {
			return -1
		}
		run := ticks(text[from+i:])
		if run == n {
			return from + i
		}
		from += i + run
	}
	return -1
}

// maskByte replaces the bytes of quotes and code in a masked text.
const maskByte = 0x01

// mask returns text with ASCII letters in lower case, and with maskByte for every byte
// in quotes or code. Offsets are those of text.
func mask(text string) []byte {
	m := []byte(text)
	for i, c := range m {
		if 'A' <= c && c <= 'Z' {
			m[i] = c + 'a' - 'A'
		}
	}
	for _, s := range codeSpans(text) {
		maskSpan(m, s)
	}
	for _, q := range [][2]string{{`"`, `"`}, {"“", "”"}, {"„", "“"}, {"«", "»"}, {"「", "」"}} {
		for from := 0; from < len(text); {
			start := strings.Index(text[from:], q[0])
			if start < 0 {
				break
			}
			start += from + len(q[0])
			end := strings.Index(text[start:], q[1])
			if end < 0 {
				break
			}
			maskSpan(m, span{start, start + end})
			from = start + end + len(q[1])
		}
	}
	return m
}

func maskSpan(m []byte, s span) {
	for i := s.start; i < s.end; i++ {
		m[i] = maskByte
	}
}

// A sentence is one sentence of a line.
type sentence struct {
	text       string // without the punctuation at its end
	low        string // the result of mask for text; offsets are those of text
	isQuestion bool   // it is a question
}

// maxSentence limits the length of a sentence, in bytes. Anything longer is a listing.
const maxSentence = 600

// sentences yields the sentences of a line. Sentences do not end inside quotes and
// code.
func sentences(text string) iter.Seq[sentence] {
	return func(yield func(sentence) bool) {
		low := string(mask(text))
		start := 0
		for i := 0; i < len(low); {
			n := sentenceEnd(low, i)
			if n == 0 {
				i++
				continue
			}
			if i += n; !yieldSentence(text[start:i], low[start:i], yield) {
				return
			}
			start = i
		}
		yieldSentence(text[start:], low[start:], yield)
	}
}

func yieldSentence(text, low string, yield func(sentence) bool) bool {
	left := len(text) - len(strings.TrimLeftFunc(text, unicode.IsSpace))
	text, low = text[left:], low[left:]
	text = strings.TrimRightFunc(text, unicode.IsSpace)
	if text == "" || len(text) > maxSentence {
		return true
	}
	s := sentence{isQuestion: strings.HasSuffix(strings.TrimRight(text, "\"'*_)”’» "), "?") || strings.HasSuffix(text, "？")}
	s.text = strings.TrimRightFunc(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(".!。！;,:", r) })
	s.low = low[:len(s.text)]
	return s.text == "" || yield(s)
}

// sentenceEnd returns the length of the punctuation at low[i] that ends a sentence, 0
// for none.
func sentenceEnd(low string, i int) int {
	switch c := low[i]; {
	case c == 0xE3 && strings.HasPrefix(low[i:], "。"), c == 0xEF && (strings.HasPrefix(low[i:], "！") || strings.HasPrefix(low[i:], "？")):
		return 3
	case c != '.' && c != '!' && c != '?':
		return 0
	}
	n := 1
	for i+n < len(low) && strings.IndexByte(`.!?"')*_`, low[i+n]) >= 0 {
		n++
	}
	if i+n < len(low) && low[i+n] != ' ' && low[i+n] != '\t' {
		return 0
	}
	if low[i] == '.' && n == 1 && isAbbreviation(low[:i]) {
		return 0
	}
	return n
}

// isAbbreviation reports whether the last word of text is an abbreviation, or a number
// that begins a line, so that a period after it does not end the sentence.
func isAbbreviation(text string) bool {
	word := text
	if len(word) > 8 {
		word = word[len(word)-8:]
	}
	if i := strings.LastIndexAny(word, " \t("); i >= 0 {
		word = word[i+1:]
	}
	switch word {
	case "e.g", "i.e", "etc", "vs", "cf", "dr", "mr", "mrs", "ms", "st", "no", "approx", "z.b", "d.h", "u.a", "bzw", "ca", "inkl":
		return true
	}
	return len(word) == len(text) && word != "" && strings.Trim(word, "0123456789") == ""
}

// isWordRune reports whether r is part of a word in a script with spaces between words.
func isWordRune(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
	case r == utf8.RuneError:
		return false
	}
	return (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)) && !isIdeographic(r)
}

// isIdeographic reports whether r is of a script without spaces between words.
func isIdeographic(r rune) bool {
	return r >= 0x2E80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

// findWords returns the offset of phrase in low, as whole words from an offset on, -1
// for none.
func findWords(low, phrase string, from int) int {
	first, size := utf8.DecodeRuneInString(phrase)
	last, _ := utf8.DecodeLastRuneInString(phrase)
	for phrase != "" && from <= len(low) {
		i := strings.Index(low[from:], phrase)
		if i < 0 {
			return -1
		}
		i += from
		before, _ := utf8.DecodeLastRuneInString(low[:i])
		after, _ := utf8.DecodeRuneInString(low[i+len(phrase):])
		if !(isWordRune(first) && isWordRune(before)) && !(isWordRune(last) && isWordRune(after)) {
			return i
		}
		from = i + size
	}
	return -1
}
