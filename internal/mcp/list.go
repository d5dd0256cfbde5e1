package mcp

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// A list is an answer of as many items as there is room for. Each item is in the text as a line and
// in the structured content as an object with an id.
type list struct {
	plural string
	offset int    // number of items that were skipped
	more   string // how to get the rest; "" means with offset
	none   string // hint for an empty list; "" for none
	head   string // first line; "" for none
	room   int    // characters; 0 means maxAnswer without what surrounds the items

	used  int
	lines strings.Builder
	items []string
	notes []string
	err   error
}

// add adds an item and reports whether there was room for it.
func (l *list) add(item any, line string) bool {
	if l.err != nil {
		return false
	}
	value, err := jsonedit.Value(item)
	if err != nil {
		l.err = err
		return false
	}
	const around = 700 // characters for members beside the items, and the last line
	if l.room == 0 {
		l.room = maxAnswer - around - utf8.RuneCountInString(l.head)
	}
	size := utf8.RuneCount(value) + utf8.RuneCountInString(line) + 2
	if l.used+size > l.room {
		return false
	}
	l.used += size
	l.items = append(l.items, string(value))
	l.lines.WriteString(line + "\n")
	return true
}

// fit adds an item with texts of at most n characters. If there is no room for the first item of a
// list, fit shortens its texts further.
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

// note adds a remark.
func (l *list) note(format string, args ...any) {
	if len(l.notes) < 3 {
		l.notes = append(l.notes, inline(fmt.Sprintf(format, args...), 150))
	}
}

// answer returns the list as an answer. The argument total is the number of all items.
func (l *list) answer(total int) (answer, error) {
	var text strings.Builder
	if l.head != "" {
		text.WriteString(l.head + "\n")
	}
	text.WriteString(l.lines.String())
	structured := fmt.Sprintf(`{"version":1,%q:[%s]`, l.plural, strings.Join(l.items, ","))
	if end := l.offset + len(l.items); end < total {
		how := l.more
		if how == "" {
			how = fmt.Sprintf("offset %d goes on", end)
			structured += fmt.Sprintf(`,"next_offset":%d`, end)
		}
		structured += fmt.Sprintf(`,"more":%d`, total-end) + hint(l.more)
		fmt.Fprintf(&text, "[cut: %d more of %d; %s]\n", total-end, total, how)
	} else if len(l.items) == 0 {
		structured += hint(l.none)
		text.WriteString(strings.TrimSuffix("no "+l.plural+"; "+l.none, "; ") + "\n")
	}
	if len(l.notes) > 0 {
		value, err := jsonedit.Value(l.notes)
		if err != nil {
			return answer{}, err
		}
		structured += `,"notes":` + string(value)
		text.WriteString("note: " + strings.Join(l.notes, "\nnote: ") + "\n")
	}
	return answer{text.String(), []byte(structured + "}")}, l.err
}

// hint returns the member of the structured content that tells what else to ask. Claude Code and Codex
// give the model the structured content alone.
func hint(text string) string {
	value, err := jsonedit.Value(text)
	if text == "" || err != nil {
		return ""
	}
	return `,"hint":` + string(value)
}

// page returns the range of n items that begins at offset and has at most limit items.
func page(n, offset, limit int) (from, to int) {
	from = min(offset, n)
	return from, min(from+limit, n)
}
