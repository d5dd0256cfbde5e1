package recall

import (
	"bytes"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/yaml"
)

// UnlinkFragments removes the name of the session from the fragments that name it, and
// changes nothing else of them. A session that is archived again has a new fragment, and only
// that one names it.
func UnlinkFragments(tx *fs.Tx, session string) error {
	list, _, err := Fragments(tx)
	if err != nil {
		return err
	}
	for _, f := range list {
		if f.Session != session {
			continue
		}
		src, err := tx.Read(f.Name)
		if err != nil {
			return err
		}
		if text, ok := withoutSession(src); ok {
			tx.Write(f.Name, text)
		}
	}
	return nil
}

// withoutSession returns the text of a fragment without the line of its front matter that
// names a session. It returns false if there is no such line.
func withoutSession(src []byte) ([]byte, bool) {
	front, _, _ := yaml.Split(src)
	pairs, err := yaml.Pairs(front)
	if err != nil {
		return nil, false
	}
	begin := bytes.IndexByte(src, '\n') + 1 // of the front matter
	for _, p := range pairs {
		start := bytes.LastIndexByte(front[:p.KeyAt], '\n') + 1
		if p.Key != "session" || p.End == 0 || len(bytes.TrimSpace(front[start:p.KeyAt])) > 0 {
			continue
		}
		end := p.End + bytes.IndexByte(append(front[p.End:len(front):len(front)], '\n'), '\n') + 1
		return append(bytes.Clone(src[:begin+start]), src[begin+min(end, len(front)):]...), true
	}
	return nil, false
}
