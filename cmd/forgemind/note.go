package main

import (
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/internal/query"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

func (p *program) noteCommand() *cli.Command {
	return &cli.Command{
		Name:  "note",
		Usage: "Write down what to remember",
		Subcommands: []*cli.Command{
			{
				Name:      "add",
				Usage:     "Add a note",
				ArgsUsage: "TEXT",
				Description: "Every prompt of the session gets the note. With --type it becomes an entry of an agent's notes, in the " +
					"section for that type; a boss_decision becomes a decision.\n'forgemind note add \"The staging keys are " +
					"rotated on Mondays\"'\n'forgemind note add --type lesson_learned \"Clocks differ between machines\"'",
				Flags: hotFlags(entryTypeFlag(), &cli.StringFlag{Name: "rationale", Usage: "why, with --type (`TEXT`)"}),
				Action: takes(1, 1, func(c *cli.Context) error {
					if c.String("type") != "" {
						return p.addMemory(c)
					}
					if c.IsSet("rationale") {
						return &usageError{c.Command.HelpName + ": --rationale needs --type", usageLine(c.Command)}
					}
					return p.rememberNote(c)
				}),
			},
			{
				Name:   "list",
				Usage:  "List the notes",
				Flags:  []cli.Flag{formatFlag()},
				Action: takes(0, 0, p.listAllNotes),
			},
			{
				Name:        "remove",
				Usage:       "Remove a note",
				ArgsUsage:   "ID|TEXT",
				Description: "A unique part of its text is enough.\n'forgemind note remove \"staging keys\"'",
				Flags:       hotFlags(),
				Action:      takes(1, 1, p.removeNote),
			},
		},
	}
}

// removeNote removes a note of the session, or an entry of an agent's notes.
func (p *program) removeNote(c *cli.Context) error {
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	notes, err := query.Notes(tree)
	if err != nil {
		return err
	}
	i, err := session.Find("note", c.Args().First(), notes, func(n schema.NoteRecord) (id, text string) { return n.ID, n.Note })
	if err != nil {
		return changeError(err)
	}
	if notes[i].Section != "" {
		return p.reviseMemory(c)
	}
	return p.forgetNote(c)
}

// listAllNotes lists the notes of the session and the entries of agents' notes.
func (p *program) listAllNotes(c *cli.Context) error {
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	notes, err := query.Notes(tree)
	if err != nil {
		return err
	}
	if wantsJSON(c) {
		return p.printList("notes", append([]schema.NoteRecord{}, notes...))
	}
	var lines strings.Builder
	for _, n := range notes {
		lines.WriteString(itemLine(n.ID, n.Note, n.Type, n.Agent))
	}
	p.printLines(lines.String())
	return nil
}
