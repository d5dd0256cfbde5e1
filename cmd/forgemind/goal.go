package main

import (
	"cmp"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

func (p *program) goalCommand() *cli.Command {
	return &cli.Command{
		Name:  "goal",
		Usage: "Add, update and complete goals",
		Subcommands: []*cli.Command{
			{
				Name:      "add",
				Usage:     "Add a goal",
				ArgsUsage: "TEXT",
				Description: "Example:\n" +
					"  forgemind goal add \"Write unit tests\" --parent \"JWT authentication\"",
				Flags: hotFlags(
					&cli.StringFlag{Name: "parent", Usage: "the goal that it is a part of (`ID|TEXT`)"},
					optional("priority", "how urgent it is", session.Medium, session.High, session.Medium, session.Low),
					choice("status", "how it stands", session.Pending, session.InProgress),
				),
				Action: takes(1, 1, p.addGoal),
			},
			{
				Name:      "update",
				Usage:     "Change a goal",
				ArgsUsage: "ID|TEXT",
				Description: "An empty --parent makes it a goal of its own. With --status complete it leaves the list, as with\n" +
					"'forgemind goal complete'.\n" +
					"\nExample:\n" +
					"  forgemind goal update \"unit tests\" --status in-progress",
				Flags: hotFlags(
					optional("status", "how it stands", "as it is", session.Pending, session.InProgress, session.Complete),
					optional("priority", "how urgent it is", "as it is", session.High, session.Medium, session.Low),
					&cli.StringFlag{Name: "text", Usage: "what is to be reached (`TEXT`)"},
					&cli.StringFlag{Name: "parent", Usage: "the goal that it is a part of (`ID|TEXT`)"},
				),
				Action: takes(1, 1, p.updateGoal),
			},
			{
				Name:      "complete",
				Usage:     "Mark a goal as complete",
				ArgsUsage: "ID|TEXT",
				Description: "The goal leaves the list and stays in the metadata of the session.\n" +
					"\nExample:\n" +
					"  forgemind goal complete \"unit tests\"",
				Flags:  hotFlags(),
				Action: takes(1, 1, p.completeGoal),
			},
			{
				Name:   "list",
				Usage:  "List the goals",
				Flags:  []cli.Flag{formatFlag()},
				Action: takes(0, 0, p.listGoals),
			},
		},
	}
}

func (p *program) addGoal(c *cli.Context) error {
	text, err := said(c, "goal")
	if err != nil {
		return err
	}
	return p.onTree(c, func(tree *engine.Tree) error {
		added, out, err := tree.AddGoal(c.Context, schema.Goal{
			Goal: text, Status: c.String("status"), Priority: c.String("priority"),
			ParentGoalID: strings.TrimSpace(c.String("parent")), Agent: c.String("agent"),
		})
		if err != nil {
			return err
		}
		return p.changedGoal(c, out, "added", added)
	})
}

func (p *program) updateGoal(c *cli.Context) error {
	given := func(name string) *string {
		if value := strings.TrimSpace(c.String(name)); c.IsSet(name) {
			return &value
		}
		return nil
	}
	change := session.GoalChange{Goal: given("text"), Status: given("status"), Priority: given("priority"), Parent: given("parent")}
	wrong := ""
	switch others := change.Goal != nil || change.Priority != nil || change.Parent != nil; {
	case change == session.GoalChange{}:
		wrong = "what to change is missing: --status, --priority, --text or --parent"
	case change.Goal != nil && *change.Goal == "":
		wrong = "the goal says nothing"
	case change.Status != nil && *change.Status == session.Complete && others:
		wrong = "--status complete takes the goal off the list: it goes without other changes"
	}
	if wrong != "" {
		return &usageError{c.Command.HelpName + ": " + wrong, usageLine(c.Command)}
	}
	return p.onTree(c, func(tree *engine.Tree) error {
		updated, out, err := tree.UpdateGoal(c.Context, c.Args().First(), change, c.String("agent"))
		if err != nil {
			return err
		}
		did := "updated"
		if updated.Status == session.Complete {
			did = "completed"
		}
		return p.changedGoal(c, out, did, updated)
	})
}

func (p *program) completeGoal(c *cli.Context) error {
	return p.onTree(c, func(tree *engine.Tree) error {
		done, out, err := tree.CompleteGoal(c.Context, c.Args().First(), c.String("agent"))
		if err != nil {
			return err
		}
		return p.changedGoal(c, out, "completed", done)
	})
}

func (p *program) changedGoal(c *cli.Context, out engine.Outcome, did string, g schema.Goal) error {
	headline := did + " " + named(g.ID, g.Goal)
	g.ID = cmp.Or(g.ID, g.Goal)
	return p.changedHot(c, out, headline, g)
}

func (p *program) listGoals(c *cli.Context) error {
	hot, err := p.readHot(c)
	if err != nil {
		return err
	}
	if !wantsJSON(c) {
		for _, line := range goalLines(goalTree(hot.ActiveGoals), 0, p.asciiOnly()) {
			p.printLines(line + "\n")
		}
		return nil
	}
	for i, g := range hot.ActiveGoals {
		hot.ActiveGoals[i].ID = cmp.Or(g.ID, g.Goal)
	}
	return p.printJSON(struct {
		Version int           `json:"version"`
		Goals   []schema.Goal `json:"goals"`
	}{1, hot.ActiveGoals})
}
