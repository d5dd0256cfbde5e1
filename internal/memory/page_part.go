package memory

import "strings"

// distribute returns the changes of records for an edited part. The argument certain means that the
// edited rendering showed the records as they are. A text that is unchanged keeps its record. The
// text between two of them goes to the records that were not found.
func (p Page) distribute(part prose, certain bool) []Edit {
	d := distribution{part: part, certain: certain, section: part.title}
	if part.key == "" {
		d.section = ""
	}
	all, rest := p.records(part.key), part.body
	if len(all) == 0 {
		d.put(Record{}, rest)
		return d.edits
	}
	for i, r := range all {
		was := p.split(r)
		before, after, ok := aside(rest, was.body)
		if !ok || i == 0 && certain && part.head != was.head { // the heading belongs to the first
			d.pending = append(d.pending, r)
			continue
		}
		if before != "" && certain && len(d.pending) == 0 {
			d.put(r, joined(before, was.body))
		} else {
			d.settle(before)
		}
		rest = after
	}
	d.settle(rest)
	return d.edits
}

// A distribution assigns the text of a part to its records, from beginning to end.
type distribution struct {
	part    prose
	section string
	certain bool
	pending []Record // records whose text was not found so far
	edits   []Edit
}

// put sets the text of a record to body. The zero Record stands for a new one.
func (d *distribution) put(r Record, body string) {
	text := d.part
	text.body = body
	d.edits = append(d.edits, Edit{Record: r, Section: d.section, Text: text.text()})
}

// settle gives text to the first pending record or to a new one, and removes the other pending
// records.
func (d *distribution) settle(text string) {
	pending := d.pending
	d.pending = nil
	if !d.certain {
		pending = nil
	}
	switch {
	case text == "":
	case len(pending) > 0:
		d.put(pending[0], text)
		pending = pending[1:]
	default:
		d.put(Record{}, text)
	}
	for _, r := range pending {
		d.edits = append(d.edits, Edit{Record: r, Removed: true})
	}
}

// aside returns the text before and after text in whole. It reports false unless text is a
// paragraph of its own there.
func aside(whole, text string) (before, after string, ok bool) {
	for from := 0; ; {
		i := strings.Index(whole[from:], text)
		if i < 0 || text == "" {
			return "", "", false
		}
		front, back := whole[:from+i], whole[from+i+len(text):]
		before, after = strings.TrimRight(front, "\n"), strings.TrimLeft(back, "\n")
		if (before == "" || strings.HasSuffix(front, between(before, text))) && (after == "" || strings.HasPrefix(back, between(text, after))) {
			return before, after, true
		}
		from += i + 1
	}
}
