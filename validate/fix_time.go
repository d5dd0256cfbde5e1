package validate

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// pythonTime converts a time in Python's notation, 2025-11-09 04:30:00.123456 with a T
// or a space and maybe without a zone, to RFC 3339 in UTC. A time without zone counts
// as UTC. It returns false for RFC 3339 and for other texts.
func pythonTime(s string) (string, bool) {
	const day = len("2025-11-09")
	if _, err := schema.ParseTime(s); err == nil || len(s) <= day || s[day] != ' ' && s[day] != 'T' {
		return "", false
	}
	s = s[:day] + "T" + s[day+1:]
	if _, err := schema.ParseTime(s + "Z"); err == nil {
		return s + "Z", true
	}
	at, err := schema.ParseTime(s)
	if err != nil || strings.HasSuffix(s, "Z") {
		return s, err == nil
	}
	for _, form := range []string{"2006-01-02T15:04:05", "2006-01-02T15:04:05.000000"} { // the conversion must not lose digits
		if at.Format(form+"-07:00") == s {
			utc := at.UTC().Format(form + "Z")
			_, err := schema.ParseTime(utc)
			return utc, err == nil
		}
	}
	return "", false
}

// recordTimes are the members of records that hold times.
var recordTimes = []string{"created", "timestamp", "due", "asked_at", "answered_at", "updated", "completed"}

// Retimed returns a record, or an entry of a view, with its times in Python's notation
// converted to RFC 3339, as Fix converts those of the document that shows it. Other bytes are
// returned unchanged.
func Retimed(record []byte) []byte {
	doc, err := jsonedit.Parse(record)
	if err != nil {
		return record
	}
	out := record
	for m := range doc.Children(0) {
		text, isText := doc.Str(m)
		to, python := pythonTime(text)
		if !isText || !python || !slices.Contains(recordTimes, doc.Key(m)) {
			continue
		}
		value, err := jsonedit.Value(to)
		if err != nil {
			return record
		}
		if out, err = jsonedit.Set(out, "/"+doc.Key(m), value); err != nil {
			return record
		}
	}
	return out
}

// timesMended reports whether --fix converts times in documents of a kind.
func timesMended(kind fs.Doc) bool {
	return kind == fs.DocHotContext || kind == fs.DocSessionMeta || kind == fs.DocMessage
}

// A retimed is a converted time.
type retimed struct {
	pointer, from, to string
	offset            int // in the new text
}

// retime converts Python's times in a JSON text.
func retime(schemaName string, src []byte, doc *jsonedit.Doc) (out []byte, done []retimed) {
	copied := 0
	for _, n := range checkers[schemaName]().times(nil, doc, 0) {
		from, _ := doc.Str(n)
		to, ok := pythonTime(from)
		if !ok {
			continue
		}
		out = append(out, src[copied:doc.Nodes[n].Start]...)
		done = append(done, retimed{doc.Pointer(n), from, to, len(out)})
		out = append(out, `"`+to+`"`...)
		copied = int(doc.Nodes[n].End)
	}
	if len(done) == 0 {
		return src, nil
	}
	return append(out, src[copied:]...), done
}

// times adds the strings in value i that the schema declares as times.
func (c *checker) times(out []int, d *jsonedit.Doc, i int) []int {
	if c == nil || c.any {
		return out
	}
	for _, part := range c.allOf {
		out = part.times(out, d, i)
	}
	switch d.Nodes[i].Kind {
	case jsonedit.String:
		if c.time {
			return append(out, i)
		}
	case jsonedit.Array:
		if c.items != nil {
			for e := range d.Children(i) {
				out = c.items.times(out, d, e)
			}
		}
	case jsonedit.Object:
		for m := range d.Children(i) {
			if k, ok := c.byName[d.Key(m)]; ok {
				out = c.props[k].value.times(out, d, m)
			}
		}
	}
	return out
}

// times converts Python's times in a document of one JSON text.
func (m *mender) times(kind fs.Doc) {
	doc, err := jsonedit.Parse(m.src)
	if err != nil {
		return
	}
	out, done := retime(kind.Schema(), m.src, doc)
	m.src = out
	for _, r := range done {
		m.did(schemaRule, r.pointer, r.offset, "set "+dotted(r.pointer)+" from "+quoted(r.from)+" to "+quoted(r.to))
	}
}

// timesOfMessages converts Python's times in every line. A compaction identifies its
// conversation by its bytes, and must be able to restore it, so nothing is changed
// after one.
func (m *mender) timesOfMessages() {
	var doc jsonedit.Doc
	var out []byte
	var first retimed
	n, copied, offset := 0, 0, 0
	for line := range bytes.Lines(m.src) {
		at := offset
		offset += len(line)
		if len(line) > maxSize || doc.Parse(line) != nil || doc.Nodes[0].Kind != jsonedit.Object {
			continue
		}
		text, done := retime(fs.DocMessage.Schema(), line, &doc)
		if len(done) == 0 {
			continue
		}
		out = append(out, m.src[copied:at]...)
		if n += len(done); first.to == "" {
			first = done[0]
			first.offset += len(out)
		}
		out = append(out, text...)
		copied = offset
	}
	if n == 0 || compacted(m.src) {
		return
	}
	m.src = append(out, m.src[copied:]...)
	what := "set " + dotted(first.pointer) + " from " + quoted(first.from) + " to " + quoted(first.to)
	if n > 1 {
		what += fmt.Sprintf(", and %s likewise", counted(n-1, "other time", "other times"))
	}
	m.did(schemaRule, "", first.offset, what)
}

// timeOf parses a time in RFC 3339 or in Python's notation.
func timeOf(s string) (time.Time, bool) {
	if to, ok := pythonTime(s); ok {
		s = to
	}
	at, err := schema.ParseTime(s)
	return at, err == nil
}
