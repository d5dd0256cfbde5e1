package engine

import (
	"fmt"
	"slices"

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
// One that the Catalogue does not list is available.
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
		if err != nil {
			return fmt.Errorf("%s: %w", fs.State, err)
		}
		if ok {
			return nil
		}
		return &Unavailable{Command: command, Availability: c.Availability, Why: why}
	}
	return nil
}

// Catalogue is the commands that can be offered: those of config.json, else
// those of the document, and those that the State lists, as the State has them.
func Catalogue(r fs.Reader) ([]schema.Command, error) {
	config, err := readConfig(r)
	if err != nil || config.AvailableCommands != nil {
		return config.AvailableCommands, err
	}
	all := schema.DefaultCommands()
	src, err := r.Read(fs.State)
	if err != nil {
		return all, nil // Available and the commands themselves tell of it
	}
	for _, own := range state.Offered(src) {
		if i := slices.IndexFunc(all, func(c schema.Command) bool { return c.Command == own.Command }); i >= 0 {
			all[i] = own
		} else {
			all = append(all, own)
		}
	}
	return all, nil
}

// catalogue is what available_commands follows. Without one in config.json
// nothing else remembers what the State says in words of its own.
func catalogue(c schema.Config, src []byte) []schema.Command {
	if c.AvailableCommands != nil {
		return c.AvailableCommands
	}
	all := schema.DefaultCommands()
	for _, own := range state.Offered(src) {
		all = slices.DeleteFunc(all, func(c schema.Command) bool {
			return c.Command == own.Command && c.Availability != own.Availability
		})
	}
	return all
}
