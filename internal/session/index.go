package session

import (
	"bytes"
	"cmp"
	"path"
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
	var all []schema.SessionMetadata
	for name, err := range r.Names(fs.Sessions) {
		if err != nil {
			return nil, err
		}
		if fs.Place(name) != fs.DocSessionMeta {
			continue
		}
		src, err := r.Read(name)
		if err != nil {
			return nil, err
		}
		var m schema.SessionMetadata
		if jsonedit.Decode(src, &m) != nil {
			continue
		}
		if m.SessionID == "" {
			m.SessionID = path.Base(path.Dir(name))
		}
		all = append(all, m)
	}
	slices.SortStableFunc(all, func(a, b schema.SessionMetadata) int {
		return cmp.Or(strings.Compare(a.Started, b.Started), strings.Compare(a.SessionID, b.SessionID))
	})
	var index []byte
	for _, m := range all {
		line, err := jsonedit.Value(m)
		if err != nil {
			return nil, err
		}
		index = append(append(index, bytes.TrimSpace(line)...), '\n')
	}
	return index, nil
}
