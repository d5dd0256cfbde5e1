package main

import (
	"errors"
	"os/signal"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/internal/lsp"
)

func (p *program) lspCommand() *cli.Command {
	return &cli.Command{
		Name:  "lsp",
		Usage: "Show an editor what validate finds, while you type (standard input/output)",
		Description: "An editor starts the server and speaks the Language Server Protocol with it. The server checks the " +
			"documents below .forgemind/ and .quaid/ with their unsaved text, explains findings, fields, settings and ids, " +
			"completes members, values, ids and paths, and finds what an id names. It writes nothing. 'forgemind init --editor NAME' " +
			"prints the settings of an editor.\n\nExit codes: 0 the editor asked to shut down, or its connection ended, 1 it " +
			"asked to exit without that, 3 a message could not be read.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "stdio", Usage: "accepted for editors that pass it; nothing else is offered", DisableDefaultText: true},
		},
		Action: takes(0, 0, p.lsp),
	}
}

func (p *program) lsp(c *cli.Context) error {
	if isTerminal(p.Stdin) {
		p.note("forgemind: an editor is to start this: it waits for messages of the Language Server Protocol")
	}
	ctx, stop := signal.NotifyContext(c.Context, syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	signal.Ignore(syscall.SIGPIPE) // an editor that has gone ends it
	// Messages are JSON, whose texts have no control characters. p.out would escape the line endings of
	// their headers.
	err := lsp.Serve(ctx, lsp.Options{
		In: p.Stdin, Out: p.Stdout, Log: p.err, Version: moduleVersion(), Now: p.Now,
		Explain: func(name string) (string, bool) {
			s, ok := findSetting(name)
			return s.told(), ok
		},
	})
	if errors.Is(err, lsp.ErrNoShutdown) {
		return &unmetError{err.Error()}
	}
	return err
}
