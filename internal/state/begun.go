package state

import (
	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

// A Begun is how the project stood when a session began, as far as this copy
// saw it. It is kept with what was last acted on.
type Begun struct {
	Session string  `json:"session,omitempty"`
	Layer   int     `json:"layer"`
	Clarity float64 `json:"clarity"` // percent
}

// ReadBegun reads how the project stood when the session began that this copy
// acted in last. What cannot be read is the zero Begun, of no session.
func ReadBegun(r fs.Reader) Begun {
	var acted struct {
		Begun Begun `json:"begun"`
	}
	src, err := r.Read(fs.LocalName(fs.Forgemind, fs.ActedFile))
	if err != nil || jsonedit.Decode(src, &acted) != nil {
		return Begun{}
	}
	return acted.Begun
}
