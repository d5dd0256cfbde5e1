package mcp

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// A list is an answer of several items, as many as there is room for. Each stands
// in it twice: on a line, and as an object with an id.
type list struct {
	plural string
	offset int    // items that were passed over
	more   string // how to get the rest; "" is by offset
	none   string // what to do where there are no items; "" for nothing
	head   string // first line; "" for none

	used  int
	lines strings.Builder
	items []string
	notes []string
	err   error
}

// add adds an item, and says whether there was room for it.
func (l *list) add(item any, line string) bool {
	if l.err != nil {
		return false
	}
	value, err := jsonedit.Value(item)
	if err != nil {
		l.err = err
		return false
	}
	const around = 500 // characters: names of members, figures, and what the last line is made of
	room := maxAnswer - around
	for _, twice := range append([]string{l.head, l.more, l.none}, l.notes...) {
		room -= utf8.RuneCountInString(twice) + quotedSize(twice)
	}
	size := utf8.RuneCount(value) + utf8.RuneCountInString(line) + 2
	if l.used+size > room {
		return false
	}
	l.used += size
	l.items = append(l.items, string(value))
	l.lines.WriteString(line + "\n")
	return true
}

// fit adds an item whose texts have at most n characters; the first of a list with
// fewer, where there is no room for that.
func (l *list) fit(n int, item func(n int) (any, string)) bool {
	const least = 40
	for ; ; n /= 2 {
		if value, line := item(n); l.add(value, line) {
			return true
		}
		if l.err != nil || len(l.items) > 0 || n < least {
			return false
		}
	}
}

// note says something beside the items.
func (l *list) note(format string, args ...any) {
	if len(l.notes) < 3 {
		l.notes = append(l.notes, inline(fmt.Sprintf(format, args...), 150))
	}
}

// answer is the list, of which there are total items.
func (l *list) answer(total int) (answer, error) {
	var text strings.Builder
	structured := fmt.Sprintf(`{"version":1,%q:[%s]`, l.plural, strings.Join(l.items, ","))
	member := func(name string, v any) {
		value, err := jsonedit.Value(v)
		l.err = cmp.Or(l.err, err)
		structured += fmt.Sprintf(",%q:%s", name, value)
	}
	if l.head != "" {
		text.WriteString(l.head + "\n")
		member("about", l.head)
	}
	text.WriteString(l.lines.String())
	switch end := l.offset + len(l.items); {
	case end < total:
		how := l.more
		if how == "" {
			how = fmt.Sprintf("offset %d goes on", end)
			member("next_offset", end)
		}
		member("more", total-end)
		member("hint", how)
		fmt.Fprintf(&text, "[cut: %d more of %d; %s]\n", total-end, total, how)
	case len(l.items) == 0:
		none := strings.TrimSuffix("no "+l.plural+"; "+l.none, "; ")
		text.WriteString(none + "\n")
		member("hint", none)
	}
	if len(l.notes) > 0 {
		member("notes", l.notes)
		text.WriteString("note: " + strings.Join(l.notes, "\nnote: ") + "\n")
	}
	return answer{text.String(), []byte(structured + "}")}, l.err
}

// page is the part of n items that begins at offset, limit at most.
func page(n, offset, limit int) (from, to int) {
	from = min(offset, n)
	return from, min(from+limit, n)
}
