package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

func (p *program) handoffCommand() *cli.Command {
	return &cli.Command{
		Name:  "handoff",
		Usage: "Pass a result to another agent",
		Subcommands: []*cli.Command{
			{
				Name:      "add",
				Usage:     "Hand over the result of a task",
				ArgsUsage: "TASK",
				Description: "A handoff is a file that stays until it is archived.\n" +
					"\nExample:\n" +
					"  forgemind handoff add \"Mesh study\" --to manager --summary \"It converges\"",
				Flags: []cli.Flag{
					&cli.StringFlag{Name: "from", Usage: "who hands over (`NAME`); git's author by default"},
					&cli.StringFlag{Name: "to", Usage: "who takes over (`NAME`)"},
					&cli.StringFlag{Name: "summary", Usage: "what came of it, in a few sentences (`TEXT`)"},
					&cli.StringSliceFlag{Name: "file", Usage: "a file concerned (`PATH`)"},
					&cli.StringFlag{Name: "results", Usage: "what came of it (`JSON` of any kind); '-' reads standard input"},
					formatFlag(), dryRunFlag(),
				},
				Action: takes(1, 1, p.addHandoff),
			},
			{
				Name:  "list",
				Usage: "List the handoffs, oldest first",
				Flags: []cli.Flag{
					&cli.StringFlag{Name: "to", Usage: "only those for `NAME`"},
					&cli.StringFlag{Name: "status", Usage: "only those that stand so (`WORD`), such as open or archived"},
					formatFlag(),
				},
				Action: takes(0, 0, p.listHandoffs),
			},
			{
				Name:        "archive",
				Usage:       "Archive a handoff",
				ArgsUsage:   "ID",
				Description: "ID is the id of the handoff, or a part of its task that no other handoff has. The file stays.",
				Flags: []cli.Flag{
					&cli.StringFlag{Name: "agent", Usage: "who does it (`NAME`); git's author by default"},
					formatFlag(), dryRunFlag(),
				},
				Action: takes(1, 1, p.archiveHandoff),
			},
		},
	}
}

func (p *program) addHandoff(c *cli.Context) error {
	task, err := said(c, "task")
	if err != nil {
		return err
	}
	results := []byte(c.String("results"))
	if string(results) == "-" {
		if results, err = p.readAll(); err != nil {
			return err
		}
	}
	if c.IsSet("results") {
		if _, err := jsonedit.Parse(results); err != nil {
			return &usageError{fmt.Sprintf("%s: --results is no JSON: %v", c.Command.HelpName, err), `words stand in double quotes: --results '"done"'`}
		}
	}
	return p.onTree(c, func(tree *engine.Tree) error {
		h := schema.Handoff{Task: task, From: c.String("from"), To: c.String("to"), Summary: c.String("summary"), Results: results}
		for _, given := range c.StringSlice("file") {
			path, err := p.inTree(c, given, tree.Root())
			if err != nil {
				return err
			}
			h.Files = append(h.Files, path)
		}
		made, out, err := tree.HandOff(c.Context, h)
		if err != nil {
			return err
		}
		return p.changed(c, out, "handed over "+named(made.ID, short(made.Task, 120)), made)
	})
}

func (p *program) listHandoffs(c *cli.Context) error {
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	all, faults := condense.Handoffs(tree)
	p.warnOf(faults)
	all = slices.DeleteFunc(all, func(h condense.Handoff) bool {
		return c.IsSet("to") && !strings.EqualFold(h.To, c.String("to")) || c.IsSet("status") && h.Status != c.String("status")
	})
	if wantsJSON(c) {
		return p.printJSON(struct {
			Version  int                `json:"version"`
			Handoffs []condense.Handoff `json:"handoffs"`
		}{1, append([]condense.Handoff{}, all...)})
	}
	var lines strings.Builder
	for _, h := range all {
		var notes []string
		for _, n := range []struct{ word, value string }{{"from ", h.From}, {"to ", h.To}, {"", h.Summary}} {
			if n.value != "" {
				notes = append(notes, n.word+short(n.value, 120))
			}
		}
		fmt.Fprintf(&lines, "%s  %-8s  %s%s\n", inline(h.ID), short(h.Status, 20), short(h.Task, 120), bracketed(notes))
	}
	p.printLines(lines.String())
	return nil
}

func (p *program) archiveHandoff(c *cli.Context) error {
	return p.onTree(c, func(tree *engine.Tree) error {
		h, out, err := tree.ArchiveHandoff(c.Context, c.Args().First(), c.String("agent"))
		if err != nil {
			return threadError(err)
		}
		return p.changed(c, out, "archived "+named(h.ID, short(h.Task, 120)), h)
	})
}
