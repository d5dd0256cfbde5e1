package main

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/schema"
)

// facilitator is what the commands below are called in catalogues and triggers.
const facilitator = "facilitator "

func (p *program) facilitatorCommand() *cli.Command {
	return &cli.Command{
		Name:  "facilitator",
		Usage: "Run the facilitator's commands",
		Description: "A command runs only when it is available, as the catalog in config.json says, or the State if there is\n" +
			"none. 'forgemind facilitator help' lists what is available now.",
		Subcommands: []*cli.Command{
			{
				Name:   "status",
				Usage:  "Show context window, session and alerts",
				Flags:  []cli.Flag{formatFlag()},
				Action: takes(0, 0, p.facilitatorStatus),
			},
			p.clarifyCommand(),
			{
				Name:        "update",
				Usage:       "Update a document",
				Subcommands: []*cli.Command{p.updateIdeaCommand()},
			},
			{
				Name:  "backtrack",
				Usage: "Go back to the previous layer",
				Description: "The clarity of that layer is restored, and the progress of later layers is marked as invalidated. No\n" +
					"decision is lost. With --dry-run it says what would change.",
				Flags:  []cli.Flag{formatFlag(), dryRunFlag()},
				Action: takes(0, 0, p.backtrack),
			},
			{
				Name:  "start",
				Usage: "Start a session",
				Subcommands: []*cli.Command{{
					Name:   "session",
					Usage:  "Start a session, and end the one before it",
					Flags:  []cli.Flag{formatFlag(), dryRunFlag()},
					Action: takes(0, 0, p.startSession),
				}},
			},
			{
				Name:  "end",
				Usage: "End the session",
				Subcommands: []*cli.Command{{
					Name:  "session",
					Usage: "End the session with a summary, and start the next one",
					Flags: []cli.Flag{
						formatFlag(), dryRunFlag(),
					},
					Action: takes(0, 0, p.endSession),
				}},
			},
			{
				Name:   "help",
				Usage:  "List the commands that are available now",
				Flags:  []cli.Flag{formatFlag()},
				Action: takes(0, 0, p.facilitatorHelp),
			},
		},
	}
}

// available refuses a facilitator's command that may not be given now.
func available(r fs.Reader, command string) error {
	return engine.Available(r, facilitator+command)
}

func (p *program) facilitatorStatus(c *cli.Context) error {
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	err = available(tree, "status")
	if tree.Close(); err != nil {
		return err
	}
	return p.status(c)
}

// A backtrackReport is what backtrack prints with --format json.
type backtrackReport struct {
	outcomeReport
	From     int    `json:"from"`
	To       int    `json:"to"`
	Snapshot string `json:"snapshot,omitempty"` // what the State was restored from
}

func (p *program) backtrack(c *cli.Context) error {
	return p.onTree(c, func(tree *engine.Tree) error {
		if err := available(tree, "backtrack"); err != nil {
			return err
		}
		went, out, err := tree.Backtrack(c.Context)
		if err != nil {
			return err
		}
		if wantsJSON(c) {
			return p.printJSON(backtrackReport{outcomeJSON(out, c.Bool("dry-run")), went.From, went.To, went.Snapshot})
		}
		from, _ := schema.LayerName(went.From)
		to, _ := schema.LayerName(went.To)
		headline := fmt.Sprintf("back from layer %d %s to layer %d %s", went.From, from, went.To, to)
		if went.Snapshot != "" {
			headline += ", as in " + inline(went.Snapshot)
		}
		p.outcome(out, headline, c.Bool("dry-run"))
		return nil
	})
}

func (p *program) startSession(c *cli.Context) error {
	return p.turnSession(c, "start session", (*engine.Tree).StartSession)
}

func (p *program) endSession(c *cli.Context) error {
	return p.turnSession(c, "end session", (*engine.Tree).EndSession)
}

// A sessionReport is what start session and end session print with --format
// json.
type sessionReport struct {
	outcomeReport
	ID string `json:"id"` // of the session that goes on
}

// turnSession ends one session, begins the next, and says which.
func (p *program) turnSession(c *cli.Context, command string, do func(*engine.Tree, context.Context) (string, engine.Outcome, error)) error {
	return p.onTree(c, func(tree *engine.Tree) error {
		if err := available(tree, command); err != nil {
			return err
		}
		id, out, err := do(tree, c.Context)
		if err != nil {
			return err
		}
		if wantsJSON(c) {
			return p.printJSON(sessionReport{outcomeJSON(out, c.Bool("dry-run")), id})
		}
		p.outcome(out, "session "+inline(id)+" begins", c.Bool("dry-run"))
		return nil
	})
}
