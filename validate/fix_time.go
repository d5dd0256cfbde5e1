package validate

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/jsonschema"
	"github.com/forgemind/forgemind/schema"
)

// pythonTime is a time as Python writes one, 2025-11-09 04:30:00.123456 with a T
// or a blank and maybe without a zone, by RFC 3339 in UTC. Without a zone it is
// taken for UTC. false for what is by RFC 3339 already, and for other texts.
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
	for _, form := range []string{"2006-01-02T15:04:05", "2006-01-02T15:04:05.000000"} { // nothing of it may get lost
		if at.Format(form+"-07:00") == s {
			utc := at.UTC().Format(form + "Z")
			_, err := schema.ParseTime(utc)
			return utc, err == nil
		}
	}
	return "", false
}

// timesMended are the documents in which --fix writes such times anew.
func timesMended(kind fs.Doc) bool {
	return kind == fs.DocHotContext || kind == fs.DocSessionMeta || kind == fs.DocMessage
}

// A retimed is a time that was written anew.
type retimed struct {
	pointer, from, to string
	offset            int // in the new text
}

// retime writes the times of a JSON text anew that are Python's.
func retime(schemaName string, src []byte, doc *jsonedit.Doc) (out []byte, done []retimed) {
	copied := 0
	for _, n := range jsonschema.Of(schemaName).Times(doc, 0) {
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

// times writes Python's times anew in a document of one JSON text.
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

// timesOfMessages does so in every line. A compaction knows its conversation by
// its bytes, and must be able to take it back: after one, nothing is written.
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

// timeOf is the time that a text says, by RFC 3339 or as Python writes it.
func timeOf(s string) (time.Time, bool) {
	if to, ok := pythonTime(s); ok {
		s = to
	}
	at, err := schema.ParseTime(s)
	return at, err == nil
}
