package main

import (
	"context"
	"errors"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/schema"
)

func (p *program) triggerCommand() *cli.Command {
	return &cli.Command{
		Name:      "trigger",
		Usage:     "Fire a trigger",
		ArgsUsage: "[fire] NAME | fire --due",
		Description: "The trigger fires whatever its condition says. 'forgemind triggers' lists the names.\n" +
			"\nA decision that git brought fires triggers, too, but writes no file that git tracks:\n" +
			"where it comes from somebody may write the same. --due writes what nobody wrote yet;\n" +
			"'forgemind status' lists it.\n" +
			"\nExample:\n" +
			"  forgemind trigger session_end --dry-run",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "due", Usage: "do what is due for decisions of others"},
			formatFlag(), dryRunFlag(),
		},
		Action: takes(0, 2, p.fireTrigger),
	}
}

func (p *program) fireTrigger(c *cli.Context) error {
	args := c.Args().Slice()
	due := c.Bool("due")
	if len(args) > 0 && args[0] == "fire" && (due || len(args) == 2) {
		args = args[1:]
	}
	if due && len(args) > 0 || !due && len(args) != 1 {
		return &usageError{"name one trigger, or give --due", "'forgemind triggers' lists them"}
	}
	p.verbose = true // who fires one wants to see what its actions did
	err := p.change(c, "", func(ctx context.Context, tree *engine.Tree) (engine.Outcome, error) {
		if due {
			return tree.FireDue(ctx)
		}
		return tree.Trigger(ctx, args[0])
	})
	var unknown *engine.UnknownTrigger
	if errors.As(err, &unknown) {
		return &usageError{err.Error(), didYouMean(args[0], unknown.Known, "'forgemind triggers' lists them")}
	}
	return err
}

func (p *program) triggersCommand() *cli.Command {
	return &cli.Command{
		Name:   "triggers",
		Usage:  "List the triggers",
		Flags:  []cli.Flag{formatFlag()},
		Action: takes(0, 0, p.listTriggers),
	}
}

// A listedTrigger is a trigger as `triggers --format json` prints it.
type listedTrigger struct {
	ID        string   `json:"id"`
	Name      string   `json:"name"`
	Enabled   bool     `json:"enabled"`
	Condition string   `json:"condition"`
	Actions   []string `json:"actions"`
	Built     []string `json:"built"`     // those of Actions that this version can carry out
	NotBuilt  []string `json:"not_built"` // those it cannot
	State     string   `json:"state"`     // armed, waiting, off, disabled, faulty
	Why       string   `json:"why,omitempty"`
	LastFired *string  `json:"last_fired"` // RFC 3339 UTC; null: not in this working copy
}

func (p *program) listTriggers(c *cli.Context) error {
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	all, err := engine.Triggers(tree)
	if err != nil {
		return err
	}
	list := []listedTrigger{}
	for _, s := range all {
		list = append(list, listTrigger(s))
	}
	if wantsJSON(c) {
		return p.printJSON(struct {
			Version  int             `json:"version"`
			Triggers []listedTrigger `json:"triggers"`
		}{1, list})
	}
	for _, t := range list {
		p.printTrigger(t)
	}
	return nil
}

func listTrigger(s engine.Standing) listedTrigger {
	t := listedTrigger{
		ID: s.Name, Name: s.Name, Enabled: s.Enabled, Condition: s.Condition,
		Actions: orEmpty(s.Actions), Built: []string{}, NotBuilt: []string{}, State: "armed",
	}
	for _, a := range s.Actions {
		if engine.Built(a) {
			t.Built = append(t.Built, a)
		} else {
			t.NotBuilt = append(t.NotBuilt, a)
		}
	}
	switch {
	case s.Fault != nil:
		t.State, t.Why = "faulty", s.Fault.Error()
	case !s.Enabled:
		t.State = "disabled"
	case s.Off != nil:
		t.State, t.Why = "off", s.Off.Why
	case s.Waits != "":
		t.State, t.Why = "waiting", s.Waits
	}
	if !s.LastFired.IsZero() {
		at := schema.FormatTime(s.LastFired)
		t.LastFired = &at
	}
	return t
}

func (p *program) printTrigger(t listedTrigger) {
	p.printf("%s (%s)\n", inline(t.Name), t.State)
	if t.Why != "" {
		p.printf("  why: %s\n", inline(t.Why))
	}
	p.printf("  when: %s\n", inline(t.Condition))
	if len(t.Actions) > 0 {
		p.printf("  does: %s\n", inline(strings.Join(t.Actions, ", ")))
	}
	if len(t.NotBuilt) > 0 {
		p.printf("  there is no such action: %s\n", inline(strings.Join(t.NotBuilt, ", ")))
	}
	last := "not in this working copy"
	if t.LastFired != nil {
		last = *t.LastFired
	}
	p.printf("  last fired: %s\n", last)
}
