package session

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// Index makes the text of sessions.jsonl from the metadata files, which are
// the truth: one line a session, in order of start. It is nil where the tree
// has no session. Metadata that cannot be read is left out; validate reports it.
func Index(r fs.Reader) ([]byte, error) {
	ids, err := described(r)
	if err != nil {
		return nil, err
	}
	return indexOf(r, ids, nil)
}

// Indexed is the text of the index with the line of one session brought up to
// date, whose metadata is given; made anew (see Index) where it cannot be read,
// or does not list exactly the sessions that there are.
func Indexed(r fs.Reader, index []byte, changed schema.SessionMetadata) ([]byte, error) {
	ids, err := described(r)
	if err != nil {
		return nil, err
	}
	lines, at, ok := listing(index, ids, changed.SessionID)
	if !ok {
		return indexOf(r, ids, &changed)
	}
	line, err := indexLine(changed)
	if err != nil || bytes.Equal(line, lines[at]) {
		return index, err
	}
	lines[at] = line
	return append(bytes.Join(lines, []byte("\n")), '\n'), nil
}

// described are the sessions that have a metadata.json, by their ids, in order. A
// folder whose name is no id is none.
func described(r fs.Reader) ([]string, error) {
	var ids []string
	for name, err := range r.Names(fs.Sessions) {
		if err != nil {
			return nil, err
		}
		if id, ok := documentOf(name); ok && name == MetadataFile(id) && schema.ValidID(id) {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// listing are the lines of an index, if each is a session and together they are
// exactly ids; at is that of id.
func listing(index []byte, ids []string, id string) (lines [][]byte, at int, ok bool) {
	missing := make(map[string]bool, len(ids))
	for _, id := range ids {
		missing[id] = true
	}
	at = -1
	var doc jsonedit.Doc
	for line := range jsonedit.Lines(index) {
		if doc.Parse(line.Text) != nil {
			return nil, 0, false
		}
		listed := ""
		if i := doc.Find("/session_id"); i >= 0 {
			listed, _ = doc.Str(i)
		}
		if !missing[listed] {
			return nil, 0, false
		}
		delete(missing, listed)
		if listed == id {
			at = len(lines)
		}
		lines = append(lines, line.Text)
	}
	return lines, at, len(missing) == 0 && at >= 0
}

// indexOf makes the index of the sessions ids; changed, unless it is nil, is
// newer than what stands in r.
func indexOf(r fs.Reader, ids []string, changed *schema.SessionMetadata) ([]byte, error) {
	var all []schema.SessionMetadata
	for _, id := range ids {
		m, err := metadataOf(r, id)
		if changed != nil && id == changed.SessionID {
			m, err = *changed, nil
		}
		if err == nil {
			all = append(all, m)
		}
	}
	slices.SortStableFunc(all, func(a, b schema.SessionMetadata) int {
		return cmp.Or(timeOr(a.Started).Compare(timeOr(b.Started)), strings.Compare(a.SessionID, b.SessionID))
	})
	var index []byte
	for _, m := range all {
		line, err := indexLine(m)
		if err != nil {
			return nil, err
		}
		index = append(append(index, line...), '\n')
	}
	return index, nil
}

// indexLine is what the index says of a session: all but what it completed or removed, and
// what is no time or no count. A fault of one session's metadata is not repeated,
// for a new fault would be refused, and with it every change.
func indexLine(m schema.SessionMetadata) ([]byte, error) {
	m.Completed, m.Removed = nil, nil
	m.MessageCount = max(m.MessageCount, 0)
	for _, at := range []*string{&m.Started, &m.LastActivity} {
		if _, err := schema.ParseTime(*at); err != nil {
			*at = ""
		}
	}
	return jsonedit.Value(m)
}

// metadataOf reads the metadata of a session, whose id is that of its folder.
func metadataOf(r fs.Reader, id string) (schema.SessionMetadata, error) {
	var m schema.SessionMetadata
	src, err := r.Read(MetadataFile(id))
	if err == nil {
		err = jsonedit.Decode(src, &m)
	}
	m.SessionID = id
	return m, err
}
