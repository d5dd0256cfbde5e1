package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/triggers"
)

// An UnavailableError reports a command whose availability condition does not hold now.
type UnavailableError struct {
	Command      string
	Availability string // such as when_clarity_below_90
	Why          string // the State's value that it depends on, for people
}

func (e *UnavailableError) Error() string {
	return fmt.Sprintf("%s is not available now: %s, and %s", e.Command, e.Availability, e.Why)
}

// Available returns nil if a command may be given now, else an *UnavailableError. A command that
// the Catalogue does not list is available.
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
		if isMissing(err) {
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
		return &UnavailableError{Command: command, Availability: c.Availability, Why: why}
	}
	return nil
}

// Catalogue returns the commands that can be offered: those of config.json, or else the
// documented ones, and those that the State lists.
func Catalogue(r fs.Reader) ([]schema.Command, error) {
	config, err := readConfig(r)
	if err != nil || config.AvailableCommands != nil {
		return config.AvailableCommands, err
	}
	all := schema.DefaultCommands()
	src, err := r.Read(fs.State)
	if err != nil {
		return all, nil // Available and the commands themselves report it
	}
	for _, own := range state.CommandsWithPrompts(src) {
		if i := slices.IndexFunc(all, func(c schema.Command) bool { return c.Command == own.Command }); i >= 0 {
			all[i] = own
		} else {
			all = append(all, own)
		}
	}
	return all, nil
}

// commandList returns the list that available_commands is made from. Without a list in
// config.json it is made from the State's own entries, because no other file has their
// descriptions.
func commandList(c schema.Config, src []byte) []schema.Command {
	if c.AvailableCommands != nil {
		return c.AvailableCommands
	}
	all := schema.DefaultCommands()
	for _, own := range state.CommandsWithPrompts(src) {
		all = slices.DeleteFunc(all, func(c schema.Command) bool {
			return c.Command == own.Command && c.Availability != own.Availability
		})
	}
	return all
}

// Hears reports whether the condition of an enabled trigger of config.json names a command.
func Hears(r fs.Reader, command string) bool {
	config, err := readConfig(r)
	return err == nil && slices.ContainsFunc(config.RefreshTriggers, func(t schema.Trigger) bool {
		return t.Enabled && strings.Contains(t.Condition, command)
	})
}

// GiveCommand gives triggers the event of a command that changes nothing by itself.
func (t *Tree) GiveCommand(ctx context.Context, command string) (Outcome, error) {
	return t.do(ctx, func(r *WorkingSet) error {
		r.event.Event = triggers.Event{Command: command}
		return nil
	})
}
