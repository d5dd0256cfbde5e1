package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

func (p *program) actionCommand() *cli.Command {
	return &cli.Command{
		Name:  "action",
		Usage: "Add and finish actions",
		Subcommands: []*cli.Command{
			{
				Name:      "add",
				Usage:     "Add an action",
				ArgsUsage: "TEXT",
				Description: "--blocked-by takes the id of a question or an action, or a text.\n" +
					"\nExample:\n" +
					"  forgemind action add \"Migrate the users\" --blocked-by Q-7F3K2Q",
				Flags: []cli.Flag{
					&cli.StringFlag{Name: "priority", Usage: "how urgent it is (`WORD`), such as P0"},
					&cli.IntFlag{Name: "layer", Usage: "the layer it belongs to, `N` from 0 to 5"},
					&cli.StringSliceFlag{Name: "blocked-by", Usage: "the `ID` of what it waits for, or a text"},
					&cli.Float64Flag{Name: "minutes", Usage: "how many minutes it will take (`N`)"},
					&cli.StringFlag{Name: "assign", Usage: "the agent that is to do it (`NAME`)"},
					&cli.StringFlag{Name: "due", Usage: "when it is to be done (`TIME`, RFC 3339)"},
					&cli.StringFlag{Name: "agent", Usage: "who adds it (`NAME`)"},
					ifVersionFlag(), formatFlag(), dryRunFlag(),
				},
				Action: takes(1, 1, p.addAction),
			},
			{
				Name:      "done",
				Usage:     "Mark an action as done",
				ArgsUsage: "ID|TEXT",
				Description: "Actions that waited for it no longer wait. An action that waits for something itself needs --force.\n" +
					"\nExample:\n" +
					"  forgemind action done ACT-7F3K2Q",
				Flags:  hotFlags(&cli.BoolFlag{Name: "force", Usage: "even if it still waits for something"}),
				Action: takes(1, 1, p.finishAction),
			},
			{
				Name:   "list",
				Usage:  "List the pending actions",
				Flags:  []cli.Flag{formatFlag()},
				Action: takes(0, 0, p.listActions),
			},
		},
	}
}

func (p *program) addAction(c *cli.Context) error {
	a, err := actionOf(c)
	if err != nil {
		return err
	}
	return p.onTree(c, func(tree *engine.Tree) error {
		added, out, err := tree.AddAction(c.Context, a)
		if err != nil {
			return err
		}
		return p.changedHot(c, out, "added "+named(added.ID, added.Action), plainActionOf(added))
	})
}

// actionOf is the action that a command line describes.
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
		return wrong("the action says nothing")
	}
	if c.IsSet("layer") {
		layer := schema.Int(c.Int("layer"))
		if _, ok := schema.LayerName(int(layer)); !ok {
			return wrong("--layer %d is no layer from 0 to 5", layer)
		}
		a.Layer = &layer
	}
	if m := a.EstimatedMinutes; !(m >= 0 && m < 1e9) {
		return wrong("--minutes %v is no time that something takes", m)
	}
	if a.Due != "" {
		if _, err := schema.ParseTime(a.Due); err != nil || !schema.IsRFC3339(a.Due) {
			return wrong("--due %q is no time by RFC 3339, such as 2026-11-20T12:00:00Z", short(a.Due, 40))
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
		done, out, err := tree.FinishAction(c.Context, which, c.String("agent"), c.Bool("force"))
		if err != nil {
			return err
		}
		return p.changedHot(c, out, "done "+named(done.ID, done.Action), plainActionOf(done))
	})
}

// actionNamed is the id of the action that the argument names by its id or by
// unique text; the argument where there is none.
func (p *program) actionNamed(c *cli.Context) (string, error) {
	which := c.Args().First()
	all, err := p.pendingActions(c)
	if err != nil {
		return "", err
	}
	i, err := session.Find("action", which, all, actionName)
	if is[*session.Ambiguous](err) {
		return "", changeError(err)
	}
	if err != nil || all[i].ID == "" {
		return which, nil
	}
	return all[i].ID, nil
}

// pendingActions are those of the State and of the hot context, each once.
func (p *program) pendingActions(c *cli.Context) ([]schema.Action, error) {
	s, hot, err := p.readBoth(c)
	return session.Actions(s.PendingActions, hot.PendingActions), err
}

func actionName(a schema.Action) (id, text string) { return a.ID, a.Action }

// plainAction is an action without its methods, so that it is an object.
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
			p.printf("%s  %s%s\n", cmp.Or(inline(a.ID), "-"), inline(a.Action), actionNotes(a))
		}
		return nil
	}
	list := []plainAction{}
	for _, a := range all {
		list = append(list, plainActionOf(a))
	}
	return p.printJSON(struct {
		Version int           `json:"version"`
		Actions []plainAction `json:"actions"`
	}{1, list})
}

// actionNotes is what a list says of an action beside its text.
func actionNotes(a schema.Action) string {
	var notes []string
	for _, n := range []struct{ word, value string }{
		{"", a.Priority}, {"for ", a.AssignedTo}, {"due ", a.Due}, {"waits for ", strings.Join(a.BlockedBy, ", ")},
	} {
		if n.value != "" {
			notes = append(notes, n.word+n.value)
		}
	}
	return bracketed(notes)
}
