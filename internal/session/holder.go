package session

import (
	"bytes"
	"errors"
	"fmt"
	iofs "io/fs"
	"path"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

// Holders returns how many of the messages that have one of ids, or that name an agent's session,
// each session holds in its window and archive, about: a text that names one is taken for a message.
func Holders(r fs.Reader, ids map[string]bool, agentSession string) (map[string]int, error) {
	quoted, err := jsonedit.Value(agentSession)
	if err != nil {
		return nil, err
	}
	held := map[string]int{}
	for name, err := range r.Names(fs.Sessions) {
		if err != nil {
			return nil, err
		}
		if fs.Place(name) != fs.DocMessage {
			continue
		}
		src, err := r.Read(name)
		switch {
		case errors.Is(err, fs.ErrIrregular) || errors.Is(err, fs.ErrTooLarge) || errors.Is(err, iofs.ErrNotExist):
			continue // validate reports it, or it is gone again
		case err != nil:
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		n := 0
		if agentSession != "" {
			n = bytes.Count(src, quoted)
		}
		for word := range strings.FieldsSeq(mayBeIDs(src)) {
			if ids[word] {
				n++
			}
		}
		if n > 0 {
			held[path.Base(path.Dir(name))] += n
		}
	}
	return held, nil
}
