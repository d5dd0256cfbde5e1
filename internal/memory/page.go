package memory

import (
	"bytes"
	"cmp"
	"errors"
	"slices"
	"strings"
)

// A Page is a note that is a view of records. The entries are in the sections of their types. The
// text that people write beside them is prose, with one record for each section.
type Page struct {
	Name     string
	Template []byte   // shown when there are no records; may be nil
	Records  []Record // records of this note and others, sorted by time
}

// An Edit is the change of one prose record that follows from an edit of a page.
type Edit struct {
	Record  Record // the zero Record if a new one is to be made
	Section string
	Text    string
	Removed bool
	Known   bool // the rendering that was edited is known
}

// entries returns the records of the page that are entries.
func (p Page) entries() []Record { return p.of(false) }

func (p Page) of(prose bool) []Record {
	return slices.DeleteFunc(slices.Clone(p.Records), func(r Record) bool { return r.Note != p.Name || r.Prose != prose })
}

// records returns the prose records in force for one part.
func (p Page) records(key string) (all []Record) {
	for _, r := range p.of(true) {
		if r.Fact.InForce() && plain(r.Section) == key {
			all = append(all, r)
		}
	}
	return all
}

// split returns the text of a prose record as a part of the page. A text without a heading gets the
// default one.
func (p Page) split(r Record) prose {
	key := plain(r.Section)
	n, err := parse([]byte(r.Text))
	if err != nil {
		return prose{key: key, title: r.Section}
	}
	for _, c := range n.chunks() {
		if c.key == key && strings.TrimSpace(string(n.src[:c.start])) == "" {
			c.end = len(n.src)
			return n.of(c)
		}
	}
	c := chunk{key: key, title: r.Section, end: len(n.src)}
	part := n.of(c)
	if key != "" {
		part.head = "## " + r.Section
	}
	return part
}

// want returns the prose that a part of the page should have. It reports false if the part should
// not exist.
func (p Page) want(key string) (prose, bool) {
	all := p.records(key)
	if len(all) == 0 {
		parts, err := proseOf(p.Template, nil)
		i := slices.IndexFunc(parts, func(part prose) bool { return part.key == key })
		if err != nil || i < 0 {
			return prose{}, key == ""
		}
		return parts[i], true
	}
	var out prose
	said := map[string]bool{}
	for i, r := range all {
		part := p.split(r)
		switch text := tidy(part.body); {
		case i == 0:
			out = part
			said[text] = true
		case text != "" && !said[text]:
			out.body = joined(out.body, part.body)
			said[text] = true
		}
	}
	return out, true
}

// joined returns two texts as one. It keeps list items together.
func joined(a, b string) string {
	if a == "" {
		return b
	}
	return a + between(a, b) + b
}

func between(a, b string) string {
	last := a[strings.LastIndexByte(a, '\n')+1:]
	if marker.MatchString(b) && (marker.MatchString(last) || strings.HasPrefix(last, " ")) {
		return "\n"
	}
	return "\n\n"
}

// ErrUnclosed means that a construct in a page, such as an unclosed code block or comment, would
// include the text that follows it.
var ErrUnclosed = errors.New("part of it, such as a code block or a comment that is never closed, takes in what stands behind it")

// Adopt is like Edits, but checks that the page can show the resulting records. The error is
// ErrUnclosed if it cannot.
func (p Page) Adopt(src, base []byte) ([]Edit, error) {
	edits, err := p.Edits(src, base)
	if err != nil {
		return nil, err
	}
	after := p.With(edits)
	if _, err := after.Render(src); err != nil {
		return nil, err
	}
	_, err = after.Render(p.Template)
	return edits, err
}

// Edits returns the changes of prose records that follow from src, the current page. The argument
// base is the rendering that was edited, or nil if it is unknown. Without it nothing counts as
// changed or removed, and text without a record is new.
func (p Page) Edits(src, base []byte) ([]Edit, error) {
	now, err := proseOf(src, p.entries())
	if err != nil {
		return nil, err
	}
	was, err := proseOf(base, p.entries())
	known := err == nil && base != nil
	find := func(key string) (prose, bool) {
		i := slices.IndexFunc(was, func(part prose) bool { return part.key == key })
		if !known || i < 0 {
			return prose{}, false
		}
		return was[i], true
	}
	var edits []Edit
	stands := map[string]bool{}
	for _, part := range now {
		stands[part.key] = true
		want, ok := p.want(part.key)
		before, stood := find(part.key)
		if ok && part.same(want) || stood && part.same(before) {
			continue
		}
		if part.text() == "" && len(p.records(part.key)) == 0 {
			continue
		}
		for _, e := range p.distribute(part, stood && ok && before.same(want)) {
			e.Known = known
			edits = append(edits, e)
		}
	}
	for _, r := range p.of(true) {
		before, stood := find(plain(r.Section))
		if r.Fact.InForce() && !stands[plain(r.Section)] && stood && strings.Contains(tidy(before.body), tidy(p.split(r).body)) {
			edits = append(edits, Edit{Record: r, Removed: true, Known: true})
		}
	}
	return edits, nil
}

// With returns the page after the edits became records.
func (p Page) With(edits []Edit) Page {
	p.Records = slices.Clone(p.Records)
	for _, e := range edits {
		i := slices.IndexFunc(p.Records, func(r Record) bool { return r.Prose && r.Fact.ID == e.Record.Fact.ID })
		switch {
		case e.Record.Fact.ID == "":
			p.Records = append(p.Records, Record{Entry: Entry{Text: e.Text}, Note: p.Name, Section: e.Section, Prose: true})
		case i >= 0 && e.Removed:
			p.Records = slices.Delete(p.Records, i, i+1)
		case i >= 0:
			p.Records[i].Text = e.Text
		}
	}
	return p
}

// Render returns src, the current page, with the prose and the entries of its records. Text that
// says the same keeps its bytes, and rendering twice changes nothing. The error is ErrUnclosed if
// that is impossible.
func (p Page) Render(src []byte) ([]byte, error) {
	out, err := p.render(src)
	if err != nil {
		return nil, err
	}
	again, err := p.render(out)
	if err != nil || !bytes.Equal(again, out) {
		return nil, cmp.Or(err, ErrUnclosed)
	}
	if edits, err := p.Edits(out, nil); err != nil || len(edits) > 0 {
		return nil, cmp.Or(err, ErrUnclosed)
	}
	return out, nil
}

func (p Page) render(src []byte) ([]byte, error) {
	if len(bytes.TrimSpace(src)) == 0 {
		src = p.Template
	}
	n, err := parse(src)
	if err != nil {
		return nil, err
	}
	now, err := proseOf(src, p.entries())
	if err != nil {
		return nil, err
	}
	parts := map[string]prose{}
	for _, part := range now {
		parts[part.key] = part
	}
	out, eol, stands := src, n.newline(len(src)), map[string]bool{}
	for _, c := range slices.Backward(n.chunks()) {
		stands[c.key] = true
		want, ok := p.want(c.key)
		if part, there := parts[c.key]; there && (ok && part.same(want) || part.text() == "" && len(p.records(c.key)) == 0) {
			continue
		}
		text := ""
		if ok && want.text() != "" {
			text = strings.ReplaceAll(want.text()+"\n\n", "\n", eol)
		}
		out = slices.Concat(out[:c.start], []byte(text), out[c.end:])
	}
	out = p.withMissing(out, stands, eol)
	if !bytes.Equal(out, src) {
		out = append(bytes.TrimRight(out, " \t\r\n"), eol...)
	}
	return Render(out, p.Name, p.Records)
}

// withMissing appends the parts with prose that out lacks.
func (p Page) withMissing(out []byte, stands map[string]bool, eol string) []byte {
	for _, r := range p.of(true) {
		key := plain(r.Section)
		if stands[key] || !r.Fact.InForce() {
			continue
		}
		stands[key] = true
		want, _ := p.want(key)
		gap := eol
		if !bytes.HasSuffix(out, []byte("\n")) && len(out) > 0 {
			gap += eol
		} else if len(out) == 0 || blankEnd(out) {
			gap = ""
		}
		out = slices.Concat(out, []byte(gap+strings.ReplaceAll(want.text(), "\n", eol)+eol))
	}
	return out
}
