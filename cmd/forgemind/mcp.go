package main

import (
	"fmt"
	"os/signal"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/health"
	"github.com/forgemind/forgemind/internal/hook"
	"github.com/forgemind/forgemind/internal/mcp"
)

func (p *program) mcpCommand() *cli.Command {
	return &cli.Command{
		Name:  "mcp",
		Usage: "Serve the tree by the Model Context Protocol",
		Description: "An agent starts it: its settings name the command \"forgemind\" with the argument \"mcp\". If the agent\n" +
			"neither starts it in the project directory nor names that as a root, add \"--tree DIR\". The tools read the\n" +
			"tree; with --allow-writes they also record decisions, goals, constraints, questions and notes, and\n" +
			"restore sessions. Documents are resources, slash commands are prompts, except for an agent that has\n" +
			"files of them by 'hook install'. The server ends when its standard input does.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "allow-writes", Usage: "also offer the tools that change the tree"},
		},
		Action: takes(0, 0, p.mcp),
	}
}

func (p *program) mcp(c *cli.Context) error {
	if c.IsSet("tree") {
		if _, err := p.treeFlag(c); err != nil {
			return err
		}
	}
	if isTerminal(p.Stdin) {
		p.note("forgemind: an agent is to start this: it waits for messages of the Model Context Protocol, one a line")
	}
	ctx, stop := signal.NotifyContext(c.Context, syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	signal.Ignore(syscall.SIGPIPE) // an agent that has gone ends it, but not in the middle of a change
	return mcp.Serve(ctx, mcp.Options{
		In: p.Stdin, Out: p.out, Log: p.err,
		Root: func() (string, error) {
			root, err := p.findRoot(c)
			if hint := hintFor(err); hint != "" {
				err = fmt.Errorf("%w; %s", err, hint)
			}
			return root, err
		},
		AllowWrites: c.Bool("allow-writes"),
		Version:     moduleVersion(),
		Edge:        p.edge(),
		CommandsOf: func(client, root string) []string {
			w := p.userWorld()
			w.Project = root
			return hook.CommandsOf(w, client)
		},
		Report: func(tree *fs.Tree) (health.Report, error) {
			report, err := health.Look(tree, p.Now())
			if err == nil {
				err = addAlerts(&report, tree, byName)
			}
			return report, err
		},
	})
}
