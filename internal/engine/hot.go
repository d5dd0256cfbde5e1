package engine

import (
	"errors"
	"fmt"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/validate"
)

// ErrNoSession is returned where no session is active and none may be begun, as for
// a change of a given version of the hot context.
var ErrNoSession = errors.New("no session is active in this working copy")

// A Moved is a hot context that is not at the version that was asked for.
type Moved struct {
	Session           string
	Expected, Version int
}

func (e *Moved) Error() string {
	return fmt.Sprintf("the hot context of %s is at version %d, not %d", e.Session, e.Version, e.Expected)
}

// editHot edits a session's hot context. However often that is done in a round,
// the version rises by one.
func (r *round) editHot(id string, change func(*session.Hot) error) error {
	name := session.HotContext(id)
	return edit(r.tx, name, func(src []byte) ([]byte, error) {
		if err := views.Object(src); err != nil {
			return nil, err
		}
		h, err := session.ReadHot(src)
		if err != nil {
			return nil, err
		}
		if stood, err := r.tree.ReadStored(name); err == nil && !r.raised {
			h.SetVersion(max(h.Version(), views.Version(r.tx, name, stood)))
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

// tellSize tells whose change made the hot context too large that it is, and what
// could go.
func (r *round) tellSize() error {
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
		for _, f := range validate.Bytes(name, src, validate.Options{Severity: validate.Configured(r.tx)}) {
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
	if _, was := size(before); err != nil || !was { // telling it once is enough
		r.out.Notes = append(r.out.Notes, fmt.Sprintf("%s: %s; %s", name, f.Message, f.Hint))
	}
	return nil
}

// activeSession is the active session that has a hot context, "" where there is
// none.
func (r *round) activeSession() (string, error) {
	id, err := session.Active(r.tx)
	if err != nil || id == "" {
		return "", err
	}
	if _, err := r.tx.Read(session.HotContext(id)); missing(err) {
		return "", nil
	} else if err != nil {
		return "", err
	}
	return id, nil
}

// inQuaid says whether a session is active.
func (r *round) inQuaid() bool {
	id, err := r.activeSession()
	return err == nil && id != ""
}

// hotVersion is the version of the active session's hot context; 0 where none is
// active, or where it cannot be read.
func hotVersion(tx *fs.Tx) (id string, version int) {
	id, err := session.Active(tx)
	if err != nil || id == "" {
		return "", 0
	}
	src, err := tx.Read(session.HotContext(id))
	if err != nil {
		return id, 0
	}
	return id, views.Version(tx, session.HotContext(id), src)
}

// expect refuses the change where the hot context has moved on.
func (r *round) expect() error {
	want := r.tree.IfVersion
	if want == nil {
		return nil
	}
	id, version := hotVersion(r.tx)
	switch {
	case id == "":
		return ErrNoSession
	case version != *want:
		return &Moved{Session: id, Expected: *want, Version: version}
	}
	return nil
}
