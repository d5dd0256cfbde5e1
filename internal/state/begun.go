package state

import (
	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

// A SessionStart holds the state of the project at the beginning of a session, as this working copy saw
// it. It is stored with the documents last acted on.
type SessionStart struct {
	Session string  `json:"session,omitempty"`
	Layer   int     `json:"layer"`
	Clarity float64 `json:"clarity"` // percent
}

// ReadBegun returns the state of the project at the beginning of the session in which this working
// copy acted last. It returns the zero Begun if that cannot be read.
func ReadBegun(r fs.Reader) SessionStart {
	var acted struct {
		Begun SessionStart `json:"begun"`
	}
	src, err := r.Read(fs.LocalName(fs.Forgemind, fs.ActedFile))
	if err != nil || jsonedit.Decode(src, &acted) != nil {
		return SessionStart{}
	}
	return acted.Begun
}
