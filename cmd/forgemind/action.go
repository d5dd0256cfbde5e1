package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/operation"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

func (p *program) actionCommand() *cli.Command {
	return &cli.Command{
		Name:  "action",
		Usage: "Add, list, claim and finish actions",
		Subcommands: append([]*cli.Command{
			{
				Name:      "add",
				Usage:     "Add an action",
				ArgsUsage: "TEXT",
				Description: "--blocked-by takes the id of a question or an action, or a text.\n'forgemind action add \"Rotate the " +
					"signing key\" --priority P0 --blocked-by Q-7F3K2Q'",
				Flags: []cli.Flag{
					&cli.StringFlag{Name: "priority", Usage: "priority, such as P0 (`WORD`)"},
					&cli.IntFlag{Name: "layer", Usage: "layer that the action belongs to (`N`, 0 to 5)"},
					&cli.StringSliceFlag{Name: "blocked-by", Usage: "`ID` or description of what blocks the action (may be repeated)"},
					&cli.Float64Flag{Name: "minutes", Usage: "estimated duration in minutes (`N`)"},
					&cli.StringFlag{Name: "assign", Usage: "agent that should do it (`NAME`)"},
					&cli.StringFlag{Name: "due", Usage: "due time (`TIME`, RFC 3339)"},
					&cli.StringFlag{Name: "agent", Usage: "who adds the action (`NAME`)"},
					ifVersionFlag(), formatFlag(), dryRunFlag(),
				},
				Action: takes(1, 1, p.addAction),
			},
			{
				Name:      "done",
				Usage:     "Finish an action",
				ArgsUsage: "ID|TEXT",
				Description: "Actions that it blocked are free afterwards. A blocked action is refused without --force.\n'forgemind " +
					"action done ACT-7F3K2Q'",
				Flags:  hotFlags(&cli.BoolFlag{Name: "force", Usage: "finish the action even if it is blocked", DisableDefaultText: true}),
				Action: takes(1, 1, p.finishAction),
			},
			{
				Name:   "list",
				Usage:  "List pending actions",
				Flags:  []cli.Flag{formatFlag()},
				Action: takes(0, 0, p.listActions),
			},
		}, p.claimCommands(records.Action)...),
	}
}

func (p *program) addAction(c *cli.Context) error {
	a, err := actionOf(c)
	if err != nil {
		return err
	}
	return p.onTree(c, func(tree *engine.Tree) error {
		added, out, err := operation.AddAction(c.Context, tree, a)
		if err != nil {
			return err
		}
		return p.changedHot(c, out, "added "+named(added.ID, added.Action), item{"action", plainActionOf(added)})
	})
}

// actionOf returns the action that a command line describes.
func actionOf(c *cli.Context) (schema.Action, error) {
	a := schema.Action{
		Action:           strings.TrimSpace(c.Args().First()),
		Priority:         c.String("priority"),
		BlockedBy:        c.StringSlice("blocked-by"),
		EstimatedMinutes: c.Float64("minutes"),
		AssignedTo:       c.String("assign"),
		CreatedBy:        c.String("agent"),
		Due:              c.String("due"),
	}
	wrong := func(format string, args ...any) (schema.Action, error) {
		return a, &usageError{c.Command.HelpName + ": " + fmt.Sprintf(format, args...), usageLine(c.Command)}
	}
	if a.Action == "" {
		return wrong("the action is empty")
	}
	if c.IsSet("layer") {
		layer := schema.Int(c.Int("layer"))
		if _, ok := schema.LayerName(int(layer)); !ok {
			return wrong("--layer %d is not a layer from 0 to 5", layer)
		}
		a.Layer = &layer
	}
	if m := a.EstimatedMinutes; !(m >= 0 && m < 1e9) {
		return wrong("--minutes %v is not a duration", m)
	}
	if a.Due != "" {
		if _, err := schema.ParseTime(a.Due); err != nil {
			return wrong("--due %q is not a time by RFC 3339, such as 2026-11-20T12:00:00Z", short(a.Due, 40))
		}
	}
	return a, nil
}

func (p *program) finishAction(c *cli.Context) error {
	which, err := p.actionNamed(c)
	if err != nil {
		return err
	}
	return p.onTree(c, func(tree *engine.Tree) error {
		done, out, err := operation.FinishAction(c.Context, tree, which, c.String("agent"), c.Bool("force"))
		if err != nil {
			return err
		}
		return p.changedHot(c, out, "done "+named(done.ID, done.Action), item{"action", plainActionOf(done)})
	})
}

// actionNamed returns the id of the action with the argument as id or as a unique part of its text.
// It returns the argument if there is none.
func (p *program) actionNamed(c *cli.Context) (string, error) {
	which := c.Args().First()
	all, err := p.pendingActions(c)
	if err != nil {
		return "", err
	}
	i, err := session.Find("action", which, all, actionName)
	if is[*session.AmbiguousError](err) {
		return "", changeError(err)
	}
	if err != nil || all[i].ID == "" {
		return which, nil
	}
	return all[i].ID, nil
}

// pendingActions returns those of the State and of the hot context without duplicates.
func (p *program) pendingActions(c *cli.Context) ([]schema.Action, error) {
	s, hot, err := p.readBoth(c)
	return inEither(s.PendingActions, hot.PendingActions, actionName), err
}

func actionName(a schema.Action) (id, text string) { return a.ID, a.Action }

// A plainAction is an action without its methods, so that it is encoded as an object.
type plainAction schema.Action

func plainActionOf(a schema.Action) plainAction {
	a.ID = cmp.Or(a.ID, a.Action)
	return plainAction(a)
}

func (p *program) listActions(c *cli.Context) error {
	all, err := p.pendingActions(c)
	if err != nil {
		return err
	}
	if !wantsJSON(c) {
		for _, a := range all {
			p.printf("%s  %s%s\n", cmp.Or(inline(a.ID), "-"), inline(a.Action), p.actionNotes(a))
		}
		return nil
	}
	list := []plainAction{}
	for _, a := range all {
		a.Claim = heldClaim(a.Claim, p.Now())
		list = append(list, plainActionOf(a))
	}
	return p.printList("actions", list)
}

// actionNotes returns what a list shows of an action besides its text.
func (p *program) actionNotes(a schema.Action) string {
	var notes []string
	for _, n := range []struct{ word, value string }{
		{"", a.Priority}, {"for ", a.AssignedTo}, {"due ", a.Due}, {"waits for ", strings.Join(a.BlockedBy, ", ")},
		{"", heldNote(a.Claim, p.Now())},
	} {
		if n.value != "" {
			notes = append(notes, n.word+n.value)
		}
	}
	return bracketed(notes)
}
