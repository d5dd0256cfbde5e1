package memory

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/schema"
)

// Add returns src with e at the end of its section, which is made where it is
// missing. Where the entry is there already src comes back as it is: an entry
// with an id by its id, another by its text, whatever the white space and the
// time. Every byte of src stays. What is no markdown (not UTF-8, or holds NUL)
// is refused.
func Add(src []byte, section string, e Entry) ([]byte, error) {
	if strings.TrimSpace(e.Text) == "" {
		return nil, errors.New("the entry says nothing")
	}
	if plain(section) == "" {
		return nil, fmt.Errorf("%q is no title of a section", cut(section))
	}
	if e.ID != "" && !schema.ValidID(e.ID) {
		return nil, fmt.Errorf("%q is no id", cut(e.ID))
	}
	n, err := parse(src)
	if err != nil {
		return nil, err
	}
	return n.add(section, e, func(string) bool { return false })
}

// add is Add with an entry that goes in front of those that are later.
func (n *note) add(section string, e Entry, later func(text string) bool) ([]byte, error) {
	s := n.called(section)
	if s != nil && n.holds(s, e) {
		return n.src, nil
	}
	for _, write := range []func(string) []string{asMarkdown, asPlainText} {
		for _, p := range n.places(section, s, later) {
			out := n.insert(p, e.lines(write))
			if n.kept(out, section, e) {
				return out, nil
			}
		}
	}
	return nil, fmt.Errorf("there is no place for an entry in the section %q: what stands there, such as a code block that is never closed, would swallow it", section)
}

// A spot is where an entry could go, and how it would be written there.
type spot struct {
	at      int
	heading string // that is written in front of it
	style   style
	apart   bool // a blank line stands in front of it
	fenced  bool // a comment behind it keeps what follows out of it
}

// places are the spots for an entry of a section, the best first: in front of the
// first that is later, at the end of the list. s is nil where there is no such section.
func (n *note) places(title string, s *section, later func(text string) bool) []spot {
	usual := style{mark: n.bullet(), gap: " "}
	var spots []spot
	if s == nil {
		heading := strings.Repeat("#", n.level()) + " " + title
		for _, at := range []int{len(n.src), n.last, n.start} {
			spots = append(spots, spot{at: at, heading: heading, style: usual, apart: true})
		}
	} else {
		if s.list != nil {
			i := slices.IndexFunc(s.items, func(i item) bool { return later(n.text(i)) })
			if i >= 0 && strings.IndexByte("-*+", s.list.marker) >= 0 {
				spots = append(spots, spot{at: s.items[i].start, style: n.styleOf(s), apart: s.list.loose})
			}
			spots = append(spots, spot{at: n.lineEnd(s.list.end), style: n.styleOf(s), apart: s.list.loose})
		}
		written := s.body + len(bytes.TrimRight(n.src[s.body:s.close], " \t\r\n"))
		if written > s.body {
			spots = append(spots, spot{at: n.lineEnd(written), style: usual, apart: true})
		}
		spots = append(spots, spot{at: s.body, style: usual, apart: true})
	}
	for _, p := range slices.Clone(spots) {
		p.fenced, p.apart = true, true
		spots = append(spots, p)
	}
	return spots
}

// insert writes an entry at a spot.
func (n *note) insert(p spot, entry []string) []byte {
	before, after := n.src[:p.at], n.src[p.at:]
	eol := n.newline(p.at)
	var lines []string
	if p.apart && !blankEnd(before[n.start:]) {
		lines = append(lines, "")
	}
	if p.heading != "" {
		lines = append(lines, p.heading, "")
	}
	lines = append(lines, p.style.item(entry)...)
	if p.fenced {
		lines = append(lines, "", "<!-- -->")
	}
	if p.apart && len(after) > 0 && !blankStart(after) {
		lines = append(lines, "")
	}
	text := strings.Join(lines, eol)
	if len(bytes.TrimPrefix(before, []byte("\ufeff"))) > 0 && before[len(before)-1] != '\n' { // the last line has no newline, and gets none
		text = eol + text
	} else {
		text += eol
	}
	return slices.Concat(before, []byte(text), after)
}

// kept says whether out is the note with e in its section, and nothing in it
// means anything else than before.
func (n *note) kept(out []byte, title string, e Entry) bool {
	now, err := parse(out)
	if err != nil || !bytes.Equal(bytes.TrimSpace(out[:now.start]), bytes.TrimSpace(n.src[:n.start])) {
		return false
	}
	s := now.called(title)
	if s == nil || !now.holds(s, e) {
		return false
	}
	front, back := 0, 0
	for front < len(n.blocks) && front < len(now.blocks) && n.blocks[front] == now.blocks[front] {
		front++
	}
	for back < len(n.blocks)-front && n.blocks[len(n.blocks)-1-back] == now.blocks[len(now.blocks)-1-back] {
		back++
	}
	if front+back < len(n.blocks) {
		return false
	}
	headings := 0
	for _, b := range now.blocks {
		if b.kind == "Heading" {
			headings++
		}
	}
	for _, b := range n.blocks {
		if b.kind == "Heading" {
			headings--
		}
	}
	return headings == 0 || headings == 1 && n.called(title) == nil
}

// holds says whether an entry is in a section already, or in one below it.
func (n *note) holds(s *section, e Entry) bool {
	want := words(strings.Join(asMarkdown(e.Text), "\n"))
	i := slices.IndexFunc(n.sections, func(t section) bool { return t.body == s.body && t.level == s.level })
	for k := i; k < len(n.sections) && (k == i || n.sections[k].level > s.level); k++ {
		for _, item := range n.sections[k].items {
			has := words(n.text(item))
			if e.ID != "" {
				if names(has, e.ID) {
					return true
				}
			} else if same(has, want) {
				return true
			}
		}
	}
	return false
}

// same says whether an item has the words of a text, with or without a
// rationale behind them.
func same(has, want []string) bool {
	if len(has) < len(want) || !slices.Equal(has[:len(want)], want) {
		return false
	}
	rest := has[len(want):]
	return len(rest) == 0 || len(rest) >= 2 && rest[0] == "-" && rest[1] == rationale
}

// names says whether an item is about an id: it begins with it, or ends with it
// in brackets.
func names(has []string, id string) bool {
	const marks = "*_`[](): "
	if len(has) == 0 {
		return false
	}
	last := has[len(has)-1]
	id = strings.Trim(id, marks)
	return strings.Trim(has[0], marks) == id || strings.ContainsAny(last[:1], "[(") && strings.Trim(last, marks+".") == id
}

// words are those of a text as texts are compared: without a box to tick and a
// time in front, and without the backslashes that escape signs.
func words(s string) []string {
	s = strings.TrimSpace(unescape(s))
	for {
		front := box.FindString(s)
		if front == "" {
			front = when.FindString(s)
		}
		if front == "" || len(front) == len(s) {
			return strings.Fields(s)
		}
		s = s[len(front):]
	}
}

var (
	box = lazyregexp.New(`^\[[ xX]\]\s+`)
	// A day, with or without a time.
	when = lazyregexp.New("^[*_`(]*[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?)?(Z|[+-][0-9]{2}:[0-9]{2})?[*_`):,]*\\s+")
)

// level is how deep the sections of a note stand.
func (n *note) level() int {
	level, tops := 7, 0
	for _, s := range n.sections {
		switch {
		case s.level == 1:
			tops++
		case s.level > 1:
			level = min(level, s.level)
		}
	}
	switch {
	case level < 7:
		return level
	case tops > 1:
		return 1
	}
	return 2
}

// bullet is how the note's author marks the items of lists.
func (n *note) bullet() string {
	for _, s := range n.sections {
		if s.list != nil && strings.IndexByte("-*+", s.list.marker) >= 0 {
			return string(s.list.marker)
		}
	}
	return "-"
}

// newline is how lines end around an offset.
func (n *note) newline(at int) string {
	end := bytes.LastIndexByte(n.src[:at], '\n')
	if end < 0 {
		end = bytes.IndexByte(n.src, '\n')
	}
	if end > 0 && n.src[end-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// blankEnd says whether text is empty or ends with a blank line, and blankStart
// whether it begins with one.
func blankEnd(text []byte) bool {
	text, ended := bytes.CutSuffix(text, []byte("\n"))
	return len(text) == 0 || ended && len(bytes.TrimSpace(text[bytes.LastIndexByte(text, '\n')+1:])) == 0
}

func blankStart(text []byte) bool {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return len(bytes.TrimSpace(line)) == 0
}

// A style is how the items of a list are written.
type style struct{ indent, mark, gap, box string }

// styleOf is the style of the next item of a section's list.
func (n *note) styleOf(s *section) style {
	last := s.items[len(s.items)-1]
	m := marker.FindSubmatch(n.src[last.start:last.end])
	if m == nil {
		return style{mark: n.bullet(), gap: " "}
	}
	st := style{indent: string(m[1]), mark: string(m[2]), gap: string(m[5])}
	if strings.Trim(st.gap, " ") != "" || len(st.gap) == 0 || len(st.gap) > 4 {
		st.gap = " "
	}
	if len(m[6]) > 0 {
		st.box = "[ ] "
	}
	if len(m[3]) > 0 {
		number, _ := strconv.Atoi(string(m[3]))
		if k := len(s.items); k > 1 { // some number all items alike
			before := marker.FindSubmatch(n.src[s.items[k-2].start:s.items[k-2].end])
			if before != nil && bytes.Equal(before[3], m[3]) {
				number--
			}
		}
		st.mark = strconv.Itoa(number+1) + string(m[4])
	}
	return st
}

// item lays an entry out as an item of a list.
func (s style) item(entry []string) []string {
	lines := []string{s.indent + s.mark + s.gap + s.box + entry[0]}
	indent := s.indent + strings.Repeat(" ", len(s.mark)+len(s.gap))
	for _, line := range entry[1:] {
		if line != "" {
			line = indent + line
		}
		lines = append(lines, line)
	}
	return lines
}
