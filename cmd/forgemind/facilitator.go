package main

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/schema"
)

// facilitator is the prefix of the commands below in catalogues and triggers.
const facilitator = "facilitator "

func (p *program) facilitatorCommand() *cli.Command {
	return &cli.Command{
		Name:  "facilitator",
		Usage: "Run a command of the facilitator",
		Description: "A command is available if the catalog in config.json says so, or the State if there is no " +
			"catalog.\n'forgemind facilitator help' lists what is available now.",
		Subcommands: []*cli.Command{
			{
				Name:   "status",
				Usage:  "Show how full the context window is, and alerts",
				Flags:  []cli.Flag{formatFlag()},
				Action: p.heard("status", takes(0, 0, p.facilitatorStatus)),
			},
			p.clarifyCommand(),
			{
				Name:        "update",
				Usage:       "Update a document",
				Subcommands: []*cli.Command{p.updateIdeaCommand()},
			},
			{
				Name:  "backtrack",
				Usage: "Go back to the previous layer, from its newest snapshot",
				Description: "Restores the lower clarity of that time and marks the progress of later layers as invalidated. No " +
					"decision is lost.\n'forgemind facilitator backtrack --dry-run'",
				Flags:  []cli.Flag{formatFlag(), dryRunFlag()},
				Action: takes(0, 0, p.backtrack),
			},
			{
				Name:  "start",
				Usage: "Start a session",
				Subcommands: []*cli.Command{{
					Name:   "session",
					Usage:  "Start a session; an active one that was used is ended first",
					Flags:  []cli.Flag{formatFlag(), dryRunFlag()},
					Action: p.heard("start session", takes(0, 0, p.startSession)),
				}},
			},
			{
				Name:  "end",
				Usage: "End the session",
				Subcommands: []*cli.Command{{
					Name:  "session",
					Usage: "End the session with a summary and a snapshot, and start the next",
					Flags: []cli.Flag{
						formatFlag(), dryRunFlag(),
					},
					Action: takes(0, 0, p.endSession),
				}},
			},
			{
				Name:   "help",
				Usage:  "List the facilitator's commands, and which are available",
				Flags:  []cli.Flag{formatFlag()},
				Action: takes(0, 0, p.facilitatorHelp),
			},
		},
	}
}

// available returns an error if a facilitator's command is not available now.
func available(r fs.Reader, command string) error {
	return engine.Available(r, facilitator+command)
}

// heard returns action with what triggers of config.json do on a facilitator's command, if one of
// their conditions names it. Most commands change nothing that other triggers fire on.
func (p *program) heard(command string, action cli.ActionFunc) cli.ActionFunc {
	return func(c *cli.Context) error {
		if err := action(c); err != nil {
			return err
		}
		reader, err := p.readTree(c)
		if err != nil {
			return err
		}
		hears := engine.Hears(reader, facilitator+command)
		if reader.Close(); !hears {
			return nil
		}
		return p.onTree(c, func(tree *engine.Tree) error {
			out, err := tree.GiveCommand(c.Context, facilitator+command)
			if p.notes(out); err == nil && !wantsJSON(c) {
				p.effects(out, c.Bool("dry-run"))
			}
			return err
		})
	}
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

// A backtrackReport is the JSON output of backtrack.
type backtrackReport struct {
	outcomeReport
	From     int    `json:"from"`
	To       int    `json:"to"`
	Snapshot string `json:"snapshot,omitempty"` // snapshot from which the State was restored
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
			return p.printJSON("backtrack", backtrackReport{outcomeJSON(out, c.Bool("dry-run")), went.From, went.To, went.Snapshot})
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

// A sessionReport is the JSON output of start session and end session.
type sessionReport struct {
	outcomeReport
	ID           string `json:"id"`                     // of the session that continues
	Conversation string `json:"conversation,omitempty"` // the empty one that continues what was archived
	Archived     string `json:"archived,omitempty"`     // id of the conversation that was archived
	Fragment     string `json:"fragment,omitempty"`
}

// turnSession ends one session, begins the next, and prints which.
func (p *program) turnSession(c *cli.Context, command string, do func(*engine.Tree, context.Context) (engine.Turn, engine.Outcome, error)) error {
	return p.onTree(c, func(tree *engine.Tree) error {
		if err := available(tree, command); err != nil {
			return err
		}
		next, out, err := do(tree, c.Context)
		if err != nil {
			return err
		}
		ended := next.Archived
		if wantsJSON(c) {
			return p.printJSON("session_turn", sessionReport{outcomeJSON(out, c.Bool("dry-run")), next.Session, ended.Next, ended.Session, ended.Fragment})
		}
		headline := "session " + inline(next.Session) + " begins"
		if ended.Session != "" {
			headline += fmt.Sprintf("; conversation %s is archived, %s continues it", inline(ended.Session), inline(ended.Next))
		}
		p.outcome(out, headline, c.Bool("dry-run"))
		return nil
	})
}
