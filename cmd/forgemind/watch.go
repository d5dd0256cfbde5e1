package main

import (
	"errors"
	"fmt"
	"os/signal"
	"runtime/debug"
	"strings"
	gosync "sync"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/present"
	"github.com/forgemind/forgemind/internal/refresh"
)

func (p *program) watchCommand() *cli.Command {
	return &cli.Command{
		Name:  "watch",
		Usage: "Check documents as they change, and fire triggers",
		Description: "The watcher is optional: a command that changes a document fires the same triggers, once. The watcher " +
			"reacts to changes by editors and by git. With --sync it sends what changed here a second later, and takes what others sent.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "once", Usage: "make one pass over the whole tree and exit", DisableDefaultText: true},
			&cli.BoolFlag{Name: "poll", Usage: "poll every 2 s, for file systems without notifications", DisableDefaultText: true},
			&cli.BoolFlag{Name: "dry-run", Usage: "with --once: print what would be done, do nothing", DisableDefaultText: true},
			&cli.BoolFlag{Name: "sync", Usage: "also exchange the tree with the remote of 'forgemind sync'", DisableDefaultText: true},
			&cli.DurationFlag{Name: "every", Value: 30 * time.Second, Usage: "with --sync: the longest `TIME` between two exchanges"},
			choice("format", "output format; json prints one object per line", "text", "json"),
		},
		Action: takes(0, 0, p.watch),
	}
}

// idleAfter is the time without a change after which a watcher gives the memory that
// it no longer needs back to the system.
const idleAfter = time.Second

func (p *program) watch(c *cli.Context) error {
	if c.Bool("dry-run") && !c.Bool("once") {
		return &usageError{"watch: --dry-run needs --once", usageLine(c.Command)}
	}
	switch every := c.Duration("every"); {
	case c.Bool("sync") && c.Bool("once"):
		return &usageError{"watch: --sync does not go with --once; 'forgemind sync' exchanges once", usageLine(c.Command)}
	case c.IsSet("every") && !c.Bool("sync"):
		return &usageError{"watch: --every goes with --sync", usageLine(c.Command)}
	case every < time.Second || every > 24*time.Hour:
		return &usageError{fmt.Sprintf("watch: --every %v is not between 1s and 24h", every), usageLine(c.Command)}
	}
	tree, err := p.openTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	tell := p.tellText
	if wantsJSON(c) {
		tell = p.tellJSON
	}
	if c.Bool("once") {
		invalid, err := refresh.Once(c.Context, tree, tell)
		if err == nil && invalid {
			return errFindings
		}
		return err
	}
	ctx, stop := signal.NotifyContext(c.Context, syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	var printing gosync.Mutex
	idle := time.AfterFunc(idleAfter, debug.FreeOSMemory)
	defer idle.Stop()
	changed, end, err := p.syncBehind(ctx, c, func(o refresh.Occurrence) { printing.Lock(); defer printing.Unlock(); tell(o) })
	if err != nil {
		return err
	}
	err = refresh.Watch(ctx, tree, c.Bool("poll"), func(o refresh.Occurrence) {
		printing.Lock()
		defer printing.Unlock()
		tell(o)
		changed(o)
		idle.Reset(idleAfter)
	})
	stop()
	end()
	if errors.Is(err, fs.ErrBusy) {
		return withHint(err, "a tree needs only one watcher; commands work without it")
	}
	return err
}

// tellJSON prints an occurrence as one line of JSON.
func (p *program) tellJSON(o refresh.Occurrence) {
	line, err := present.Line("occurrence", o)
	if err != nil {
		p.note("forgemind: error: %v", err)
		return
	}
	p.printf("%s\n", line)
}

// tellText prints an occurrence for people.
func (p *program) tellText(o refresh.Occurrence) {
	p.printf("%s %s\n", o.Time.Local().Format("15:04:05"), occurrenceText(o))
}

// occurrenceText returns an occurrence on one line.
func occurrenceText(o refresh.Occurrence) string {
	var text string
	switch o.Event {
	case refresh.Invalid:
		text = fmt.Sprintf("%s:%d:%d: %s: %s [%s]", o.File, o.Line, o.Column, o.Severity, o.Message, o.Rule)
	case refresh.FiredOn:
		text = fmt.Sprintf("fired %s (%s)", o.Trigger, o.Message)
	case refresh.ActedOn:
		text = strings.TrimSuffix("  "+o.Action+": "+o.Message, ": ")
	case refresh.Wrote:
		text = "  wrote " + o.File
	default:
		text = strings.Join(strings.Fields(o.Event+" "+o.File+" "+o.Message), " ")
	}
	return inline(text)
}
