package extract

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A line is one line of a text, without what marks it as a quote.
type line struct {
	text   string
	code   bool // within a fence, or it looks as code does
	quoted bool // "> …"
}

// lines goes through text line by line, without the fences themselves.
func lines(text string) iter.Seq[line] {
	return func(yield func(line) bool) {
		fence := ""
		for raw := range strings.Lines(text) {
			raw = strings.TrimRight(raw, "\r\n")
			l := line{text: raw, code: fence != "" || programmed(raw)}
			trimmed := strings.TrimLeft(raw, " \t")
			if fence == "" && strings.HasPrefix(trimmed, ">") {
				l.quoted = true
				l.text = strings.TrimLeft(trimmed, "> \t")
			} else if mark := fenceOf(trimmed); mark != "" {
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

// programmed says whether a line looks as code or numbered lines of code do.
func programmed(text string) bool {
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

// fenceOf is the run of backticks or tildes that begins a fence.
func fenceOf(text string) string {
	if !strings.HasPrefix(text, "```") && !strings.HasPrefix(text, "~~~") {
		return ""
	}
	mark := text[:len(text)-len(strings.TrimLeft(text, text[:1]))]
	if mark[0] == '`' && strings.Contains(text[len(mark):], "`") {
		return "" // code within a line
	}
	return mark
}

// A stretch is a part of a line, by offsets.
type stretch struct{ start, end int }

// spans are the insides of the code spans of a line, in order: what stands
// between one backtick and the next, or two and the next two.
func spans(text string) []stretch {
	var found []stretch
	closed := [3]bool{} // no more runs of that many
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
		found = append(found, stretch{i + n, end})
		i = end + n
	}
	return found
}

// ticks counts the backticks that text begins with.
func ticks(text string) int { return len(text) - len(strings.TrimLeft(text, "`")) }

// nextTicks is where the next run of exactly n backticks begins; -1 for none.
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

// hidden stands in a masked text for what is quoted or code.
const hidden = 0x01

// masked is text in lower case (of ASCII), where what stands in quotes or in
// code is hidden; its offsets are those of text.
func masked(text string) []byte {
	m := []byte(text)
	for i, c := range m {
		if 'A' <= c && c <= 'Z' {
			m[i] = c + 'a' - 'A'
		}
	}
	for _, s := range spans(text) {
		hide(m, s)
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
			hide(m, stretch{start, start + end})
			from = start + end + len(q[1])
		}
	}
	return m
}

func hide(m []byte, s stretch) {
	for i := s.start; i < s.end; i++ {
		m[i] = hidden
	}
}

// A sentence is a part of a line up to what ends it. low is text as masked
// makes it, with the apostrophe straight; its offsets are those of text.
type sentence struct {
	text  string // without the period that ends it
	low   string
	asked bool // it is a question
}

// longestSentence is in bytes; what is longer is no sentence but a listing.
const longestSentence = 600

// sentences parts a line after what ends a sentence, outside of quotes and code.
func sentences(text string) iter.Seq[sentence] {
	return func(yield func(sentence) bool) {
		low := string(masked(text))
		start := 0
		for i := 0; i < len(low); {
			n := ending(low, i)
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
	if text == "" || len(text) > longestSentence {
		return true
	}
	s := sentence{asked: strings.HasSuffix(strings.TrimRight(text, "\"'*_)”’» "), "?") || strings.HasSuffix(text, "？")}
	s.text = strings.TrimRightFunc(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(".!。！;,:", r) })
	s.low = low[:len(s.text)]
	return s.text == "" || yield(s)
}

// ending is how long the end of a sentence at low[i] is; 0 where none is.
func ending(low string, i int) int {
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
	if low[i] == '.' && n == 1 && abbreviated(low[:i]) {
		return 0
	}
	return n
}

// abbreviated says whether the last word of text is one that a period follows
// within a sentence, or a number that begins a line.
func abbreviated(text string) bool {
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

// joined says whether r goes on a word. Writing without spaces between words
// doesn't join.
func joined(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
	case r == utf8.RuneError:
		return false
	}
	return (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)) && !ideographic(r)
}

// ideographic says whether r belongs to writing that puts no space between words.
func ideographic(r rune) bool {
	return r >= 0x2E80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

// wholeWords is where phrase stands in low with nothing joined to its ends, from
// an offset on; -1 for nowhere.
func wholeWords(low, phrase string, from int) int {
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
		if !(joined(first) && joined(before)) && !(joined(last) && joined(after)) {
			return i
		}
		from = i + size
	}
	return -1
}
