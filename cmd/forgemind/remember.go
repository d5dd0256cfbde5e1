package main

import (
	"cmp"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/schema"
)

func (p *program) rememberCommand() *cli.Command {
	return &cli.Command{
		Name:      "remember",
		Usage:     "Add a note",
		ArgsUsage: "TEXT",
		Description: "A note belongs to the active session and to every prompt of it. 'forgemind sessions show' lists the\n" +
			"notes. For what later sessions need, use 'forgemind memory add'.\n" +
			"\nExample:\n" +
			"  forgemind remember \"The staging keys are rotated on Mondays\"",
		Flags:  hotFlags(),
		Action: takes(1, 1, p.rememberNote),
	}
}

func (p *program) forgetCommand() *cli.Command {
	return &cli.Command{
		Name:      "forget",
		Usage:     "Remove a note",
		ArgsUsage: "ID|TEXT",
		Description: "Example:\n" +
			"  forgemind forget \"staging keys\"",
		Flags:  hotFlags(),
		Action: takes(1, 1, p.forgetNote),
	}
}

// plainNote is a note without its methods, so that it is an object.
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
		added, out, err := tree.AddNote(c.Context, schema.Note{Note: text, Agent: c.String("agent")})
		if err != nil {
			return err
		}
		return p.changedHot(c, out, "remembered "+named(added.ID, added.Note), plainNoteOf(added))
	})
}

func (p *program) forgetNote(c *cli.Context) error {
	return p.onTree(c, func(tree *engine.Tree) error {
		gone, out, err := tree.RemoveNote(c.Context, c.Args().First(), c.String("agent"))
		if err != nil {
			return err
		}
		return p.changedHot(c, out, "forgot "+named(gone.ID, gone.Note), plainNoteOf(gone))
	})
}
