package main

import (
	"cmp"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/extract"
	"github.com/forgemind/forgemind/internal/operation"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

func (p *program) goalCommand() *cli.Command {
	return &cli.Command{
		Name:  "goal",
		Usage: "Add, list, change and complete goals",
		Subcommands: []*cli.Command{
			{
				Name:        "add",
				Usage:       "Add a goal",
				ArgsUsage:   "TEXT",
				Description: "'forgemind goal add \"Write unit tests\" --parent \"JWT authentication\" --priority high'",
				Flags: hotFlags(
					&cli.StringFlag{Name: "parent", Usage: "parent goal (`ID|TEXT`)"},
					optional("priority", "priority", session.Medium, session.High, session.Medium, session.Low),
					choice("status", "status", session.Pending, session.InProgress),
				),
				Action: takes(1, 1, p.addGoal),
			},
			{
				Name:      "update",
				Usage:     "Change a goal",
				ArgsUsage: "ID|TEXT",
				Description: "The goal is named by its id or a unique part of its text. An empty --parent makes it a goal of its own; " +
					"--status complete does the same as 'forgemind goal done'.\n'forgemind goal update \"unit tests\" " +
					"--status in-progress'",
				Flags: hotFlags(
					optional("status", "status", "as it is", session.Pending, session.InProgress, session.Complete),
					optional("priority", "priority", "as it is", session.High, session.Medium, session.Low),
					&cli.StringFlag{Name: "text", Usage: "new text (`TEXT`)"},
					&cli.StringFlag{Name: "parent", Usage: "parent goal (`ID|TEXT`)"},
				),
				Action: takes(1, 1, p.updateGoal),
			},
			{
				Name:        "done",
				Aliases:     []string{"complete"},
				Usage:       "Complete a goal",
				ArgsUsage:   "ID|TEXT",
				Description: "The goal is named by its id or a unique part of its text.\n'forgemind goal done \"unit tests\"'",
				Flags:       hotFlags(),
				Action:      takes(1, 1, p.completeGoal),
			},
			promoteCommand("goal", p.promoteGoal),
			{
				Name:   "list",
				Usage:  "List the open goals as a tree",
				Flags:  []cli.Flag{detectedFlag("goals"), formatFlag()},
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
		added, out, err := operation.AddGoal(c.Context, tree, schema.Goal{
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
		wrong = "the goal is empty"
	case change.Status != nil && *change.Status == session.Complete && others:
		wrong = "--status complete cannot be combined with other changes"
	}
	if wrong != "" {
		return &usageError{c.Command.HelpName + ": " + wrong, usageLine(c.Command)}
	}
	return p.onTree(c, func(tree *engine.Tree) error {
		updated, out, err := operation.UpdateGoal(c.Context, tree, c.Args().First(), change, c.String("agent"))
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
		done, out, err := operation.CompleteGoal(c.Context, tree, c.Args().First(), c.String("agent"))
		if err != nil {
			return err
		}
		return p.changedGoal(c, out, "completed", done)
	})
}

func (p *program) changedGoal(c *cli.Context, out engine.Outcome, did string, g schema.Goal) error {
	headline := did + " " + named(g.ID, g.Goal)
	g.ID = cmp.Or(g.ID, g.Goal)
	return p.changedHot(c, out, headline, item{"goal", g})
}

func (p *program) listGoals(c *cli.Context) error {
	if c.Bool("detected") {
		return p.listDetected(c, extract.ClassGoal)
	}
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	hot, err := p.hotOf(tree)
	if err != nil {
		return err
	}
	if !wantsJSON(c) {
		for _, line := range goalLines(goalTree(hot.ActiveGoals), 0, p.asciiOnly()) {
			p.printLines(line + "\n")
		}
		return nil
	}
	changes, listed := lastChanges(tree, records.Goal), []listedGoal{}
	for _, g := range hot.ActiveGoals {
		last := changes[g.ID]
		g.ID = cmp.Or(g.ID, g.Goal)
		listed = append(listed, listedGoal{plainGoal(g), last.By, last.At})
	}
	return p.printList("goals", listed)
}

// A listedGoal is a goal with its last change.
type listedGoal struct {
	plainGoal
	UpdatedBy string `json:"updated_by,omitempty"`
	UpdatedAt string `json:"updated_at,omitempty"` // RFC 3339 UTC
}

// lastChanges returns the last change of each record of a kind that was changed, by its id.
func lastChanges(tree *fs.Tree, k records.Kind) map[string]records.Change {
	last := map[string]records.Change{}
	all, _ := records.Current(tree, k) // validate tells what cannot be read
	for _, r := range all {
		if changes := r.InOrder(); len(changes) > 0 {
			last[r.ID] = changes[len(changes)-1]
		}
	}
	return last
}
