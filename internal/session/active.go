package session

import (
	"errors"
	"fmt"
	iofs "io/fs"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/schema"
)

// Active returns the id of the working copy's active session, or "" if there is none.
func Active(r fs.Reader) (string, error) {
	text, err := r.Read(fs.ActiveSession)
	if errors.Is(err, iofs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	id := strings.TrimSpace(string(text))
	if id != "" && !schema.ValidID(id) {
		return "", fmt.Errorf("%s: %q is no session id", fs.ActiveSession, id)
	}
	return id, nil
}
