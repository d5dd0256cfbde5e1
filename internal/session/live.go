package session

import (
	"errors"
	iofs "io/fs"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// unowned is the name under which cold storage keeps a conversation that belongs to no
// session.
const unowned = "conversation"

// LiveName returns the Name of the file of the live conversation: the active session's
// recent history, where one is active and its folder is there, else
// fs.Messages. The file itself may be missing.
func LiveName(r fs.Reader) (name string, err error) {
	id, err := live(r)
	if err != nil || id == "" {
		return fs.Messages, err
	}
	return Window(id), nil
}

// Owner returns the id that cold storage files the live conversation under: the
// active session's, else that of the State's session, else "conversation".
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

// live is the active session whose folder is there, "" where none is.
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
