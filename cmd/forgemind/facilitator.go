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
		Usage: "what an agent that leads the work does: clarify, backtrack, begin and end sessions",
		Description: "Each command obeys its availability in the catalogue of config.json, or in the State where there is none;\n" +
			"'forgemind facilitator help' lists what is available now.",
		Subcommands: []*cli.Command{
			{
				Name:   "status",
				Usage:  "how the context window, the session and the triggers are, with alerts",
				Flags:  []cli.Flag{formatFlag()},
				Action: takes(0, 0, p.facilitatorStatus),
			},
			p.clarifyCommand(),
			{
				Name:        "update",
				Usage:       "bring a document up to date",
				Subcommands: []*cli.Command{p.updateIdeaCommand()},
			},
			{
				Name:  "backtrack",
				Usage: "go back to the previous layer, as its newest snapshot has it",
				Description: "Clarity that was lower there is lower again, the progress of later layers is marked invalidated, and no\n" +
					"decision is lost: 'forgemind facilitator backtrack --dry-run' says what would change.",
				Flags:  []cli.Flag{formatFlag(), dryRunFlag()},
				Action: takes(0, 0, p.backtrack),
			},
			{
				Name:  "start",
				Usage: "begin a session",
				Subcommands: []*cli.Command{{
					Name:   "session",
					Usage:  "begin a session; one in which something happened is ended first",
					Flags:  []cli.Flag{formatFlag(), dryRunFlag()},
					Action: takes(0, 0, p.startSession),
				}},
			},
			{
				Name:  "end",
				Usage: "end the session",
				Subcommands: []*cli.Command{{
					Name:  "session",
					Usage: "end the session with a summary and a snapshot, and begin the next one",
					Flags: []cli.Flag{
						formatFlag(), dryRunFlag(),
					},
					Action: takes(0, 0, p.endSession),
				}},
			},
			{
				Name:   "help",
				Usage:  "list the commands of the catalogue, and which are available now",
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
