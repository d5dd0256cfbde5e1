package main

import (
	"errors"
	"fmt"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/refresh"
)

func (p *program) watchCommand() *cli.Command {
	return &cli.Command{
		Name:  "watch",
		Usage: "Check documents as they change and fire triggers",
		Description: "Runs until it is interrupted. It reacts to changes by editors and git at once; commands of forgemind fire\n" +
			"the same triggers without it. Findings of validate are told when they come, and files that are right again.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "once", Usage: "check the whole tree once and exit"},
			&cli.BoolFlag{Name: "poll", Usage: "check every 2 s, where the file system reports no changes"},
			&cli.BoolFlag{Name: "dry-run", Usage: "with --once: show what would be done, and do nothing"},
			choice("format", "how to print; json is one object a line", "text", "json"),
		},
		Action: takes(0, 0, p.watch),
	}
}

// idleAfter is the time without a change after which a watcher gives the memory that
// it no longer needs back to the system.
const idleAfter = time.Second

func (p *program) watch(c *cli.Context) error {
	if c.Bool("dry-run") && !c.Bool("once") {
		return &usageError{"watch: --dry-run goes with --once", usageLine(c.Command)}
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
	idle := time.AfterFunc(idleAfter, debug.FreeOSMemory)
	defer idle.Stop()
	err = refresh.Watch(ctx, tree, c.Bool("poll"), func(o refresh.Occurrence) {
		tell(o)
		idle.Reset(idleAfter)
	})
	if errors.Is(err, fs.ErrBusy) {
		return withHint(err, "one watcher per tree is enough; commands need none")
	}
	return err
}

// tellJSON prints an occurrence as one line of JSON.
func (p *program) tellJSON(o refresh.Occurrence) {
	line, err := jsonedit.Value(o)
	if err != nil {
		p.note("forgemind: error: %v", err)
		return
	}
	p.printf("%s\n", line)
}

// tellText prints an occurrence for people, on a terminal with what to do about it.
func (p *program) tellText(o refresh.Occurrence) {
	p.printf("%s %s\n", o.Time.Local().Format("15:04:05"), p.occurrenceText(o))
	if o.Hint != "" && isTerminal(p.Stdout) {
		p.printf("%8s hint: %s\n", "", inline(o.Hint))
	}
}

// occurrenceText says an occurrence on one line.
func (p *program) occurrenceText(o refresh.Occurrence) string {
	var text string
	switch o.Event {
	case refresh.Invalid:
		text = fmt.Sprintf("%s:%d:%d: %s: %s [%s]", p.at(o.File), o.Line, o.Column, o.Severity, o.Message, o.Rule)
	case refresh.FiredOn:
		text = fmt.Sprintf("fired %s (%s)", o.Trigger, o.Message)
	case refresh.ActedOn:
		text = strings.TrimSuffix("  "+o.Action+": "+o.Message, ": ")
	case refresh.Wrote:
		if text = "  wrote " + p.at(o.File); o.Message != "" {
			text = "  removed " + p.at(o.File)
		}
	default:
		text = strings.Join(strings.Fields(o.Event+" "+p.at(o.File)+" "+o.Message), " ")
	}
	if len(o.By) > 0 {
		text += " by " + strings.Join(o.By, ", ")
	}
	return inline(text)
}
