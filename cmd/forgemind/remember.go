package main

import (
	"cmp"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/operation"
	"github.com/forgemind/forgemind/schema"
)

func (p *program) rememberCommand() *cli.Command {
	return &cli.Command{
		Name:      "remember",
		Usage:     "Add a note for every prompt of the session",
		ArgsUsage: "TEXT",
		Description: "For what should outlive the session, see 'forgemind memory add'.\n'forgemind note add \"The staging keys " +
			"are rotated on Mondays\"'",
		Flags:  hotFlags(),
		Action: takes(1, 1, p.rememberNote),
	}
}

func (p *program) forgetCommand() *cli.Command {
	return &cli.Command{
		Name:        "forget",
		Usage:       "Remove a note",
		ArgsUsage:   "ID|TEXT",
		Description: "A unique part of its text is enough.\n'forgemind note remove \"staging keys\"'",
		Flags:       hotFlags(),
		Action:      takes(1, 1, p.forgetNote),
	}
}

// A plainNote is a note without its methods, so that it is encoded as an object.
type plainNote schema.Note

func plainNoteOf(n schema.Note) plainNote {
	n.ID = cmp.Or(n.ID, n.Note)
	return plainNote(n)
}

func (p *program) rememberNote(c *cli.Context) error {
	text, err := said(c, "note")
	if err != nil {
		return err
	}
	return p.onTree(c, func(tree *engine.Tree) error {
		added, out, err := operation.AddNote(c.Context, tree, schema.Note{Note: text, Agent: c.String("agent")})
		if err != nil {
			return err
		}
		return p.changedHot(c, out, "remembered "+named(added.ID, added.Note), item{"note", plainNoteOf(added)})
	})
}

func (p *program) forgetNote(c *cli.Context) error {
	return p.onTree(c, func(tree *engine.Tree) error {
		gone, out, err := operation.RemoveNote(c.Context, tree, c.Args().First(), c.String("agent"))
		if err != nil {
			return err
		}
		return p.changedHot(c, out, "forgot "+named(gone.ID, gone.Note), item{"note", plainNoteOf(gone)})
	})
}
