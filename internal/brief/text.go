package brief

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/sanitize"
	"github.com/forgemind/forgemind/schema"
)

// Line is a stranger's text on one line of at most so many columns, fit for a
// terminal.
func Line(text string, columns int) string { return plain(text, columns) }

// plain is a stranger's text on one line of at most so many columns, without
// what a terminal obeys or hides, and without what would close a comment or a
// tag around it.
func plain(text string, most int) string {
	if bound := 8 * most; len(text) > bound { // what is cut anyway need not be looked at
		text = text[:bound]
		for n := 0; n < utf8.UTFMax && !utf8.ValidString(text[max(0, len(text)-utf8.UTFMax):]); n++ {
			text = text[:len(text)-1]
		}
		text += "…"
	}
	text = sanitize.Text(strings.Join(strings.Fields(text), " "))
	if len(text) > most && Columns(text) > most {
		return cut(text, most-1) + "…"
	}
	return text
}

// cut is the beginning of a longer text, in at most so many columns: up to the end
// of a word where that takes little of it, and no half of a joined character.
func cut(text string, most int) string {
	end := 0
	for i, r := range text {
		if most -= columns(r); most < 0 {
			break
		}
		end = i + utf8.RuneLen(r)
	}
	begin := text[:end]
	if word := strings.LastIndexByte(begin, ' '); text[end] != ' ' && word > end*3/4 {
		begin = begin[:word]
	}
	return strings.TrimRight(begin, " \u200d")
}

// mark is an id; what no id can hold is a point in it.
func mark(id string) string {
	const most = 80
	if !schema.ValidID(id) {
		id = strings.Map(func(r rune) rune {
			if schema.ValidID("_" + string(r)) {
				return r
			}
			return '.'
		}, id[:min(len(id), most)])
		id = strings.Trim(id, ".-")
	}
	return id[:min(len(id), most)]
}

// label is a name or a word on one line, cut where it is none any more.
func label(text string) string { return plain(text, 60) }

// labels are those of texts that say something.
func labels(texts ...string) []string {
	var all []string
	for _, text := range texts {
		if text = label(text); text != "" {
			all = append(all, text)
		}
	}
	return all
}

// prefixed is text behind what it is; "" where there is none.
func prefixed(what, text string) string {
	if text = label(text); text == "" {
		return ""
	}
	return what + text
}

// day is the date of a time, UTC.
func day(stamp string) string {
	if at, err := schema.ParseTime(stamp); err == nil {
		return at.UTC().Format(time.DateOnly)
	}
	if len(stamp) >= len(time.DateOnly) {
		if at, err := time.Parse(time.DateOnly, stamp[:len(time.DateOnly)]); err == nil {
			return at.Format(time.DateOnly)
		}
	}
	return "undated"
}
