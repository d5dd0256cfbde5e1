package session

import (
	"errors"
	iofs "io/fs"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// unowned is the id under which cold storage has chunks of a conversation without a session.
const unowned = "conversation"

// Conversation returns the name of the file of the live conversation. It is the recent history of
// the active session if that has a folder, and else fs.Messages. The file may be missing.
func Conversation(r fs.Reader) (name string, err error) {
	id, err := live(r)
	if err != nil || id == "" {
		return fs.Messages, err
	}
	return Window(id), nil
}

// Owner returns the id under which cold storage has chunks of the live conversation: the active
// session, else the State's session, else "conversation".
func Owner(r fs.Reader) (session string, err error) {
	if id, err := live(r); err != nil || id != "" {
		return id, err
	}
	src, err := r.Read(fs.State)
	if errors.Is(err, iofs.ErrNotExist) {
		return unowned, nil
	}
	if err != nil {
		return "", err
	}
	if doc, err := jsonedit.Parse(src); err == nil {
		if at := doc.Find("/metadata/session_id"); at >= 0 {
			if id, _ := doc.Str(at); schema.ValidID(id) {
				return id, nil
			}
		}
	}
	return unowned, nil
}

// live returns the active session if it has a folder, and else "".
func live(r fs.Reader) (string, error) {
	id, err := Active(r)
	if err != nil || id == "" {
		return "", err
	}
	for _, err := range r.Names(fs.Sessions + "/" + id) {
		return id, err
	}
	return "", nil
}
