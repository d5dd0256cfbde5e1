package memory

import (
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/secret"
)

// A chunk is a part of a note: the text before the first heading of level 2, or such a heading with
// what follows up to the next one.
type chunk struct {
	key        string // its title for comparisons; "" for the first
	title      string
	start, end int
	body       int // offset of the text after the heading
}

// chunks returns the parts of a note. A heading with the title of an earlier part begins no new
// part.
func (n *note) chunks() []chunk {
	first := chunk{}
	all := []chunk{first}
	seen, titled := map[string]bool{"": true}, false
	for i, s := range n.sections {
		key := plain(s.title)
		switch {
		case s.level == 1 && len(all) == 1 && !titled:
			titled = true
			if before := n.sections[0]; i == 1 && strings.TrimSpace(string(n.src[:before.end])) == "" {
				all[0].body = s.body
			}
		case (s.level == 1 || s.level == 2) && !seen[key]:
			seen[key] = true
			all[len(all)-1].end = n.sections[i-1].end
			all = append(all, chunk{key: key, title: s.title, start: n.sections[i-1].end, body: s.body})
		}
	}
	all[len(all)-1].end = len(n.src)
	return all
}

// prose is the text that people wrote in one part of a note, without the entries.
type prose struct {
	key, title string
	head, body string // the heading as written, and the text after it
}

// of returns a part as prose.
func (n *note) of(c chunk) prose {
	text := func(from, to int) string {
		return strings.Trim(strings.ReplaceAll(string(n.src[from:to]), "\r\n", "\n"), "\n")
	}
	body := text(max(c.body, c.start), c.end)
	if strings.TrimSpace(body) == "" {
		body = ""
	}
	return prose{key: c.key, title: c.title, head: text(c.start, max(c.body, c.start)), body: strings.TrimRight(body, " \t\n")}
}

// text returns the part as a record stores it.
func (p prose) text() string {
	if p.head == "" || p.body == "" {
		return p.head + p.body
	}
	return p.head + "\n\n" + p.body
}

// same reports whether both have the same text, without regard to blank lines. Records hold no
// secrets, so a masked secret is no difference.
func (p prose) same(q prose) bool {
	if p.head != q.head {
		return false
	}
	a, b := tidy(p.body), tidy(q.body)
	if a == b {
		return true
	}
	a, _ = secret.Mask(a)
	b, _ = secret.Mask(b)
	return a == b
}

// tidy returns a text for comparisons: without the comments by which forgemind separates lists,
// trailing blanks and repeated blank lines.
func tidy(text string) string {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimRight(line, " \t\r")
		if line == "<!-- -->" || line == "" && (len(lines) == 0 || lines[len(lines)-1] == "") {
			continue
		}
		lines = append(lines, line)
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// proseOf returns the parts of a note without its entries.
func proseOf(src []byte, entries []Record) ([]prose, error) {
	n, err := parse(src)
	if err != nil {
		return nil, err
	}
	if n, err = parse(n.stripped(entries)); err != nil {
		return nil, err
	}
	var all []prose
	for _, c := range n.chunks() {
		all = append(all, n.of(c))
	}
	return all, nil
}

// stripped returns the note without the items of entries. Entries in force are found by their text,
// removed ones by the text that forgemind wrote.
func (n *note) stripped(entries []Record) []byte {
	keys, ids, exact := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, r := range entries {
		if r.Fact.InForce() {
			keys[r.key()] = true
			if r.ID != "" {
				ids[plain(r.Section)+"\n"+r.ID] = true
			}
		}
		for _, e := range r.former() {
			for _, write := range []func(string) []string{asMarkdown, asPlainText} {
				exact[plain(r.Section)+"\n"+strings.Join(e.lines(write), "\n")] = true
			}
		}
	}
	out := n.src
	for _, s := range slices.Backward(n.sections) {
		for i, item := range slices.Backward(s.items) {
			text := n.text(item)
			has := words(text)
			decision := len(has) > 0 && strings.HasSuffix(has[0], ":") && ids[plain(s.title)+"\n"+strings.TrimSuffix(has[0], ":")]
			if !decision && !keys[keyOf(s.title, text)] && !exact[plain(s.title)+"\n"+text] {
				continue
			}
			end := item.end
			if i+1 == len(s.items) || s.items[i+1].start != end {
				end = n.lineEnd(end)
			}
			out = slices.Concat(out[:item.start], out[end:])
		}
	}
	return out
}
