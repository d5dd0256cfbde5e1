package main

import (
	"errors"
	"fmt"
	"slices"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/schema"
)

// An offeredCommand is a command of the catalogue with its availability.
type offeredCommand struct {
	ID string `json:"id"` // the command
	schema.Command
	Available bool   `json:"available"`
	Why       string `json:"why,omitempty"` // why it is not available
}

func (p *program) facilitatorHelp(c *cli.Context) error {
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	catalogue, err := engine.Catalogue(tree)
	if err != nil {
		return err
	}
	var list []offeredCommand
	for _, command := range append(slices.Clone(catalogue), p.unlisted(catalogue)...) {
		o, err := offer(tree, command)
		if err != nil {
			return err
		}
		list = append(list, o)
	}
	if wantsJSON(c) {
		return p.printList("commands", list)
	}
	table := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	for _, o := range list {
		now := "available"
		if !o.Available {
			now = "not now: " + inline(o.Why)
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", inline(o.Command.Command), inline(o.Description), inline(o.Availability), now)
	}
	return table.Flush()
}

// offer returns a command with its availability.
func offer(r fs.Reader, command schema.Command) (offeredCommand, error) {
	o := offeredCommand{ID: command.Command, Command: command, Available: true}
	err := engine.Available(r, command.Command)
	var not *engine.UnavailableError
	if errors.As(err, &not) {
		o.Available, o.Why, err = false, not.Why, nil
	}
	return o, err
}

// unlisted returns the facilitator's commands that a catalogue does not list. They are always
// available.
func (p *program) unlisted(catalogue []schema.Command) []schema.Command {
	var all []schema.Command
	var walk func(path string, commands []*cli.Command)
	walk = func(path string, commands []*cli.Command) {
		for _, c := range commands {
			switch listed := func(l schema.Command) bool { return l.Command == path+c.Name }; {
			case len(c.Subcommands) > 0:
				walk(path+c.Name+" ", c.Subcommands)
			case !slices.ContainsFunc(catalogue, listed):
				all = append(all, schema.Command{Command: path + c.Name, Description: c.Usage, Availability: "always"})
			}
		}
	}
	walk(facilitator, p.facilitatorCommand().Subcommands)
	return all
}
