package refresh

import (
	"fmt"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/schema"
)

// An Unavailable is a command whose availability does not hold just now.
type Unavailable struct {
	Command      string
	Availability string // such as when_clarity_below_90
	Why          string // the State's value that it depends on, for people
}

func (e *Unavailable) Error() string {
	return fmt.Sprintf("%s is not available now: %s, and %s", e.Command, e.Availability, e.Why)
}

// Available says whether a command may be given now: nil, or an *Unavailable.
// One that the catalogue of config.json does not list is available.
func Available(r fs.Reader, command string) error {
	catalogue, err := Catalogue(r)
	if err != nil {
		return err
	}
	for _, c := range catalogue {
		if c.Command != command {
			continue
		}
		src, err := r.Read(fs.State)
		if missing(err) {
			return state.ErrNoState
		}
		if err != nil {
			return err
		}
		ok, why, err := state.Available(src, c.Availability)
		if err != nil || ok {
			return err
		}
		return &Unavailable{Command: command, Availability: c.Availability, Why: why}
	}
	return nil
}

// Catalogue is the commands that can be offered: those of config.json, else
// those of the document.
func Catalogue(r fs.Reader) ([]schema.Command, error) {
	config, err := readConfig(r)
	if err != nil {
		return nil, err
	}
	return catalogue(config), nil
}

func catalogue(c schema.Config) []schema.Command {
	if c.AvailableCommands == nil {
		return schema.DefaultCommands()
	}
	return c.AvailableCommands
}
