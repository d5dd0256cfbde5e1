package refresh

import (
	"errors"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/schema"
)

// both changes the State and the hot context of the active session, or the one
// that there is; state.ErrNoState where the tree has a place for neither.
func (r *round) both(inState func([]byte) ([]byte, error), inHot func(*session.Hot) error) error {
	err := edit(r.tx, fs.State, inState)
	if err != nil && !missing(err) {
		return err
	}
	stateless := err != nil
	id, err := r.activeSession()
	switch {
	case err != nil:
		return err
	case id == "" && !stateless:
		return nil
	case id == "" && !r.hasQuaid():
		return state.ErrNoState
	case id == "":
		if id, err = r.needSession(); err != nil {
			return err
		}
	}
	return r.editHot(id, inHot)
}

// either is both for what may stand in only one of them: what is unknown to both
// is an error.
func (r *round) either(inState func([]byte) ([]byte, error), inHot func(*session.Hot) error) error {
	var unknown error
	found := 0
	note := func(err error) error {
		var inState *state.Unknown
		var inHot *session.Unknown
		switch {
		case errors.As(err, &inState), errors.As(err, &inHot):
			if unknown == nil {
				unknown = err
			}
			return nil
		case err == nil:
			found++
		}
		return err
	}
	err := r.both(
		func(src []byte) ([]byte, error) {
			out, err := inState(src)
			if err != nil {
				return src, note(err)
			}
			found++
			return out, nil
		},
		func(h *session.Hot) error { return note(inHot(h)) })
	if err == nil && found == 0 {
		return unknown
	}
	return err
}

// shown is the hot context of the active session; empty where there is none that
// can be read.
func (r *round) shown() schema.HotContext {
	id, err := r.activeSession()
	if err != nil || id == "" {
		return schema.HotContext{}
	}
	hot, _, err := r.knownOf(id)
	if err != nil {
		return schema.HotContext{}
	}
	return hot
}

// refers holds that ids are those of questions and actions. Where there is a
// State it is the judge of that, for it may hold more of them.
func (r *round) refers(h *session.Hot, ids []string) error {
	if _, err := r.tx.Read(fs.State); !missing(err) {
		return err
	}
	return h.Refer(ids)
}

// newID is a new id that stands neither in the State nor in the hot context.
func (r *round) newID(prefix string) (string, error) {
	s, _ := r.readState()
	taken := map[string]bool{}
	for _, q := range s.OpenQuestions {
		taken[q.ID] = true
	}
	for _, a := range s.PendingActions {
		taken[a.ID] = true
	}
	shown := func(string) bool { return false }
	if id, err := r.activeSession(); err == nil && id != "" {
		if src, err := r.tx.Read(session.HotContext(id)); err == nil {
			if h, err := session.ReadHot(src); err == nil {
				shown = h.Taken
			}
		}
	}
	return schema.NewID(prefix, r.tree.edge.Random, func(id string) bool { return taken[id] || shown(id) })
}

// fill gives what is empty a value.
func fill(field *string, value string) {
	if *field == "" {
		*field = value
	}
}
