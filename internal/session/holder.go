package session

import (
	"bytes"
	"errors"
	"fmt"
	iofs "io/fs"
	"path"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/schema"
)

// Holder returns the id of the session that holds a message of one of an agent's sessions:
// live, if it does, else the last of the others by name; "" where none does.
func Holder(r fs.Reader, live string, agentSessions []string) (id string, err error) {
	for name, err := range r.Names(fs.Sessions) {
		if err != nil {
			return "", err
		}
		owner := path.Base(path.Dir(name))
		if fs.Place(name) != fs.DocMessage {
			continue
		}
		src, err := r.Read(name)
		switch {
		case errors.Is(err, fs.ErrIrregular) || errors.Is(err, fs.ErrTooLarge) || errors.Is(err, iofs.ErrNotExist):
			continue // validate reports it, or it is gone again
		case err != nil:
			return "", fmt.Errorf("%s: %w", name, err)
		case holds(src, agentSessions):
			id = owner
		}
		if id == live && id != "" {
			return id, nil
		}
	}
	return id, nil
}

// holds reports whether the conversation src has a message of one of an agent's sessions.
func holds(src []byte, agentSessions []string) bool {
	if !slices.ContainsFunc(agentSessions, func(s string) bool { return bytes.Contains(src, []byte(s)) }) {
		return false // without reading each line
	}
	return slices.ContainsFunc(Messages(Read(src)), func(m schema.Message) bool { return slices.Contains(agentSessions, m.Session) })
}
