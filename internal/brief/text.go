package brief

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/sanitize"
	"github.com/forgemind/forgemind/schema"
)

// Line returns a stranger's text on one line of at most so many columns, safe for a terminal.
func Line(text string, columns int) string { return plain(text, columns) }

// plain returns a stranger's text on one line of at most most columns, without terminal
// escapes and invisible characters, and without text that would close a comment or a tag
// around it.
func plain(text string, most int) string {
	if bound := 8 * most; len(text) > bound { // the rest is cut anyway
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

// cut returns the beginning of a longer text, in at most most columns. It ends after a word
// if that costs little, and never inside of a joined character.
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

// mark returns an id with a point in the place of each character that an id cannot have.
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

// label returns a name or a word on one line, shortened.
func label(text string) string { return plain(text, 60) }

// labels returns the labels of the texts that are not empty.
func labels(texts ...string) []string {
	var all []string
	for _, text := range texts {
		if text = label(text); text != "" {
			all = append(all, text)
		}
	}
	return all
}

// prefixed returns text with its description before it; "" if it is empty.
func prefixed(what, text string) string {
	if text = label(text); text == "" {
		return ""
	}
	return what + text
}

// day returns the date of a time, UTC.
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
