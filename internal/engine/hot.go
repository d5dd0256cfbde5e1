package engine

import (
	"errors"
	"fmt"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/validate"
)

// ErrNoSession reports that no session is active and that none may be begun, as for a
// change that expects a version of the hot context.
var ErrNoSession = errors.New("no session is active in this working copy")

// A VersionError reports that the hot context is not at the expected version.
type VersionError struct {
	Session           string
	Expected, Version int
}

func (e *VersionError) Error() string {
	return fmt.Sprintf("the hot context of %s is at version %d, not %d", e.Session, e.Version, e.Expected)
}

// editHot edits a session's hot context. All edits of a transaction together raise the
// version by one.
func (r *WorkingSet) editHot(id string, change func(*session.Hot) error) error {
	name := session.HotContext(id)
	return edit(r.tx, name, func(src []byte) ([]byte, error) {
		h, err := session.ReadHot(src)
		if err != nil {
			return nil, err
		}
		before := h.Version()
		if err := change(h); err != nil {
			return nil, err
		}
		if h.Version() == before {
			return src, nil
		}
		text, err := h.Text()
		if err != nil || !r.raised {
			r.raised = true
			return text, err
		}
		return jsonedit.Set(text, "/version", fmt.Appendf(nil, "%d", before))
	})
}

// tellSize adds a note if this transaction made the hot context too large. The note lists
// items that can be removed.
func (r *WorkingSet) tellSize() error {
	id, err := r.activeSession()
	if err != nil || id == "" || !r.raised {
		return err
	}
	name := session.HotContext(id)
	src, err := r.tx.Read(name)
	if err != nil {
		return err
	}
	size := func(src []byte) (finding validate.Finding, large bool) {
		for _, f := range validate.In(r.tx, name, src) {
			if f.Rule == "hot-context-size" {
				return f, true
			}
		}
		return finding, false
	}
	f, large := size(src)
	if !large {
		return nil
	}
	before, err := r.tree.ReadStored(name)
	if _, was := size(before); err != nil || !was { // it was not too large before
		r.out.Notes = append(r.out.Notes, fmt.Sprintf("%s: %s; %s", name, f.Message, f.Hint))
	}
	return nil
}

// activeSession returns the id of the active session, if it has a hot context, else "".
func (r *WorkingSet) activeSession() (string, error) {
	id, err := session.Active(r.tx)
	if err != nil || id == "" {
		return "", err
	}
	if _, err := r.tx.Read(session.HotContext(id)); isMissing(err) {
		return "", nil
	} else if err != nil {
		return "", err
	}
	return id, nil
}

// inQuaid reports whether a session is active.
func (r *WorkingSet) inQuaid() bool {
	id, err := r.activeSession()
	return err == nil && id != ""
}

// hotVersion returns the id of the active session and the version of its hot context; 0
// if no session is active or the hot context cannot be read.
func hotVersion(r fs.Reader) (id string, version int) {
	id, err := session.Active(r)
	if err != nil || id == "" {
		return "", 0
	}
	src, err := r.Read(session.HotContext(id))
	if err != nil {
		return id, 0
	}
	h, err := session.ReadHot(src)
	if err != nil {
		return id, 0
	}
	return id, h.Version()
}

// checkVersion returns an error if the hot context is not at the version t.IfVersion.
func (t *Tree) checkVersion(r fs.Reader) error {
	want := t.IfVersion
	if want == nil {
		return nil
	}
	id, version := hotVersion(r)
	switch {
	case id == "":
		return ErrNoSession
	case version != *want:
		return &VersionError{Session: id, Expected: *want, Version: version}
	}
	return nil
}
