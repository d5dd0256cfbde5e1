package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"os/signal"
	"runtime"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/audit"
	"github.com/forgemind/forgemind/internal/dash"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/health"
	"github.com/forgemind/forgemind/internal/query"
	"github.com/forgemind/forgemind/watch"
)

func (p *program) dashboardCommand() *cli.Command {
	return &cli.Command{
		Name:  "dashboard",
		Usage: "Serve the tree as a local web page",
		Description: "The first line printed is the address. The server answers on this machine only, and only requests with\n" +
			"the token in the address: keep it to yourself. The page changes nothing. The same data is JSON below\n" +
			"/api/: health, decisions, condensations, projects, threads, channels, handoffs, sessions, drops,\n" +
			"triggers, audit.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "open", Usage: "open it in the browser"},
			&cli.IntFlag{Name: "port", Usage: "listen on port `N`; one that is free by default"},
		},
		Action: takes(0, 0, p.dashboard),
	}
}

func (p *program) dashboard(c *cli.Context) error {
	const highest = 1<<16 - 1
	if n := c.Int("port"); c.IsSet("port") && (n < 1 || n > highest) {
		return &usageError{fmt.Sprintf("%s: --port %d is no port from 1 to %d", c.Command.HelpName, n, highest), usageLine(c.Command)}
	}
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	watcher, err := watch.Open(tree, watch.Options{})
	if err != nil {
		return err
	}
	defer watcher.Close()
	listeners, err := dash.Listen(c.Int("port"))
	if errors.Is(err, syscall.EADDRINUSE) {
		err = withHint(err, "another program listens there; without --port one is taken that is free")
	}
	if err != nil {
		return err
	}
	token, err := dash.NewToken(p.Rand)
	if err != nil {
		return err
	}
	server := dash.New(dash.Options{Tree: tree, Token: token, Hosts: dash.Hosts(listeners), Now: p.Now, Sources: p.sources()})
	p.printf("%s\n", server.Address())

	ctx, stop := signal.NotifyContext(c.Context, syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	go func() { fail(p.follow(ctx, watcher, server)) }()
	if c.Bool("open") {
		p.browse(ctx, server)
	}
	err = server.Serve(ctx, listeners...)
	if cause := context.Cause(ctx); err == nil && !errors.Is(cause, context.Canceled) {
		err = cause
	}
	return err
}

// follow tells the page what changes, until ctx ends.
func (p *program) follow(ctx context.Context, watcher *watch.Watcher, server *dash.Server) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case batch, ok := <-watcher.Batches():
			switch {
			case !ok:
				return errors.New("the watcher ended by itself")
			case batch.Replaced:
				return withHint(fs.ErrReplaced, "start the dashboard anew")
			}
			server.Changed(batch.Names, batch.All || batch.Gone)
		}
	}
}

// sources are what other commands print, for the page to say the same.
func (p *program) sources() dash.Sources {
	return dash.Sources{
		Report: func(tree *fs.Tree) (health.Report, error) {
			report, err := health.Look(tree, p.Now())
			if err == nil {
				err = addAlerts(&report, tree, byName)
			}
			return report, err
		},
		Session: func(tree *fs.Tree, id string) (any, error) {
			listed, err := theSession(tree, id)
			if err != nil {
				return nil, err
			}
			view, _, err := viewSession(tree, listed) // a file that cannot be read is validate's to tell
			return view, err
		},
		Triggers: func(tree *fs.Tree) (any, error) {
			all, err := engine.Triggers(tree)
			list := []listedTrigger{}
			for _, s := range all {
				list = append(list, listTrigger(s))
			}
			return list, err
		},
		Audit: func(ctx context.Context, tree *fs.Tree) (audit.Report, error) {
			return query.Audit(ctx, tree, audit.Options{Now: p.Now(), Root: tree.Root()})
		},
	}
}

// browse opens the page in the browser, by an address that is good once: a
// command line can be read by others on this machine. Where there is none, it
// says so.
func (p *program) browse(ctx context.Context, server *dash.Server) {
	failed := func(err error) {
		if err != nil && ctx.Err() == nil {
			p.note("forgemind: warning: no browser could be opened (%s): open the address above in one of this machine", inline(err.Error()))
		}
	}
	address, err := server.Ticket(p.Rand)
	if err != nil {
		failed(err)
		return
	}
	command := browser(address)
	if err := command.Start(); err != nil {
		failed(err)
		return
	}
	go func() { failed(command.Wait()) }() // some stay as long as the browser does
}

// browser is the command that opens an address in the user's browser.
func browser(address string) *exec.Cmd {
	switch runtime.GOOS {
	case "windows":
		return exec.Command("rundll32", "url.dll,FileProtocolHandler", address)
	case "darwin":
		return exec.Command("open", address)
	}
	return exec.Command("xdg-open", address)
}
