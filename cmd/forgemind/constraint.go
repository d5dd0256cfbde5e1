package main

import (
	"cmp"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/schema"
)

func (p *program) constraintCommand() *cli.Command {
	return &cli.Command{
		Name:  "constraint",
		Usage: "Add and remove project rules",
		Subcommands: []*cli.Command{
			{
				Name:      "add",
				Usage:     "Add a constraint",
				ArgsUsage: "TEXT",
				Description: "A constraint holds in every session until it is removed.\n" +
					"\nExample:\n" +
					"  forgemind constraint add \"Token TTL must be exactly 1 hour\"",
				Flags:  hotFlags(),
				Action: takes(1, 1, p.addConstraint),
			},
			{
				Name:      "remove",
				Usage:     "Remove a constraint",
				ArgsUsage: "ID|TEXT",
				Description: "Example:\n" +
					"  forgemind constraint remove \"Token TTL\"",
				Flags:  hotFlags(),
				Action: takes(1, 1, p.removeConstraint),
			},
			{
				Name:   "list",
				Usage:  "List the constraints",
				Flags:  []cli.Flag{formatFlag()},
				Action: takes(0, 0, p.listConstraints),
			},
		},
	}
}

// plainConstraint is a constraint without its methods, so that it is an object.
type plainConstraint schema.Constraint

func plainConstraintOf(c schema.Constraint) plainConstraint {
	c.ID = cmp.Or(c.ID, c.Constraint)
	return plainConstraint(c)
}

func (p *program) addConstraint(c *cli.Context) error {
	text, err := said(c, "constraint")
	if err != nil {
		return err
	}
	return p.onTree(c, func(tree *engine.Tree) error {
		added, out, err := tree.AddConstraint(c.Context, schema.Constraint{Constraint: text, Agent: c.String("agent")})
		if err != nil {
			return err
		}
		return p.changedHot(c, out, "added "+named(added.ID, added.Constraint), plainConstraintOf(added))
	})
}

func (p *program) removeConstraint(c *cli.Context) error {
	return p.onTree(c, func(tree *engine.Tree) error {
		gone, out, err := tree.RemoveConstraint(c.Context, c.Args().First(), c.String("agent"))
		if err != nil {
			return err
		}
		return p.changedHot(c, out, "removed "+named(gone.ID, gone.Constraint), plainConstraintOf(gone))
	})
}

func (p *program) listConstraints(c *cli.Context) error {
	hot, err := p.readHot(c)
	if err != nil {
		return err
	}
	list := []plainConstraint{}
	var lines strings.Builder
	for _, rule := range hot.ImportantConstraints {
		list = append(list, plainConstraintOf(rule))
		lines.WriteString(itemLine(rule.ID, rule.Constraint, rule.Agent))
	}
	if wantsJSON(c) {
		return p.printJSON(struct {
			Version     int               `json:"version"`
			Constraints []plainConstraint `json:"constraints"`
		}{1, list})
	}
	p.printLines(lines.String())
	return nil
}
