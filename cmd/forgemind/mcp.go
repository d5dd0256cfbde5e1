package main

import (
	"fmt"
	"os/signal"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/health"
	"github.com/forgemind/forgemind/internal/mcp"
	"github.com/forgemind/forgemind/internal/present"
)

func (p *program) mcpCommand() *cli.Command {
	return &cli.Command{
		Name:  "mcp",
		Usage: "Serve the tree to an agent over MCP (standard input/output)",
		Description: "An agent starts the server: its settings name the command 'forgemind' with the argument 'mcp', and " +
			"'--tree DIR' if the agent does not start it in the project directory. The server offers tools that read " +
			"the tree; with --allow-writes also tools that record decisions, goals, constraints, questions and notes, " +
			"and that restore sessions. Documents are resources, slash commands are prompts. The server exits at the " +
			"end of its standard input.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "allow-writes", Usage: "also offer tools that change the tree", DisableDefaultText: true},
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
		p.note("forgemind: agents start this command; it waits for messages of the Model Context Protocol, one per line")
	}
	ctx, stop := signal.NotifyContext(c.Context, syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	signal.Ignore(syscall.SIGPIPE) // an agent that exits must not kill the server in the middle of a change
	p.out.lines.width = 0          // each message is one line
	return mcp.Serve(ctx, mcp.Options{
		In: p.Stdin, Out: p.out, Log: p.err,
		Root: func() (string, error) {
			root, err := p.root(c)
			if hint := present.ProblemOf(err).Hint; hint != "" {
				err = fmt.Errorf("%w; %s", err, hint)
			}
			return root, err
		},
		AllowWrites: c.Bool("allow-writes"),
		Version:     moduleVersion(),
		Edge:        p.edge(),
		Report: func(tree *fs.Tree) (health.Report, error) {
			report, err := health.Look(tree, p.Now())
			if err == nil {
				err = addAlerts(&report, tree)
			}
			return report, err
		},
	})
}
