package main

import (
	"cmp"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/extract"
	"github.com/forgemind/forgemind/internal/operation"
	"github.com/forgemind/forgemind/schema"
)

func (p *program) constraintCommand() *cli.Command {
	return &cli.Command{
		Name:  "constraint",
		Usage: "Add, list and remove rules that the project must keep",
		Subcommands: []*cli.Command{
			{
				Name:      "add",
				Usage:     "Add a constraint",
				ArgsUsage: "TEXT",
				Description: "A constraint is in force in every session until it is removed.\n'forgemind constraint add \"Token TTL " +
					"must be exactly 1 hour\"'",
				Flags:  hotFlags(),
				Action: takes(1, 1, p.addConstraint),
			},
			{
				Name:        "remove",
				Usage:       "Remove a constraint",
				ArgsUsage:   "ID|TEXT",
				Description: "A unique part of its text is enough.\n'forgemind constraint remove \"Token TTL\"'",
				Flags:       hotFlags(),
				Action:      takes(1, 1, p.removeConstraint),
			},
			promoteCommand("constraint", p.promoteConstraint),
			{
				Name:   "list",
				Usage:  "List the constraints",
				Flags:  []cli.Flag{detectedFlag("rules"), formatFlag()},
				Action: takes(0, 0, p.listConstraints),
			},
		},
	}
}

// A plainConstraint is a constraint without its methods, so that it is encoded as an object.
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
		added, out, err := operation.AddConstraint(c.Context, tree, schema.Constraint{Constraint: text, Agent: c.String("agent")})
		if err != nil {
			return err
		}
		return p.changedHot(c, out, "added "+named(added.ID, added.Constraint), item{"constraint", plainConstraintOf(added)})
	})
}

func (p *program) removeConstraint(c *cli.Context) error {
	return p.onTree(c, func(tree *engine.Tree) error {
		gone, out, err := operation.RemoveConstraint(c.Context, tree, c.Args().First(), c.String("agent"))
		if err != nil {
			return err
		}
		return p.changedHot(c, out, "removed "+named(gone.ID, gone.Constraint), item{"constraint", plainConstraintOf(gone)})
	})
}

func (p *program) listConstraints(c *cli.Context) error {
	if c.Bool("detected") {
		return p.listDetected(c, extract.ClassRule)
	}
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
		return p.printList("constraints", list)
	}
	p.printLines(lines.String())
	return nil
}
