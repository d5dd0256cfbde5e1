package session

import (
	"bytes"
	"errors"
	"fmt"
	"path"

	"github.com/forgemind/forgemind/fs"
)

// Elsewhere says of a message's id whether it stands in another session than
// here. A few ids are looked for in the text; of many a list is made first.
func Elsewhere(r fs.Reader, here string) (func(id string) bool, error) {
	var texts [][]byte
	for name, err := range r.Names(fs.Sessions) {
		if err != nil {
			return nil, err
		}
		if fs.Place(name) != fs.DocMessage || path.Base(path.Dir(name)) == here {
			continue
		}
		src, err := r.Read(name)
		if errors.Is(err, fs.ErrIrregular) || errors.Is(err, fs.ErrTooLarge) {
			continue // holds no messages; validate reports it
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		texts = append(texts, src)
	}
	asked := 0
	var known map[string]bool
	return func(id string) bool {
		if asked++; asked <= few {
			quoted := []byte(`"` + id + `"`)
			for _, src := range texts {
				if bytes.Contains(src, quoted) && ids([][]byte{src})[id] {
					return true
				}
			}
			return false
		}
		if known == nil {
			known = ids(texts)
		}
		return known[id]
	}, nil
}

// ids are the ids of the messages in texts.
func ids(texts [][]byte) map[string]bool {
	known := map[string]bool{}
	for _, src := range texts {
		for _, line := range Read(src) {
			if line.Err == nil && line.Message.ID != "" {
				known[line.Message.ID] = true
			}
		}
	}
	return known
}
