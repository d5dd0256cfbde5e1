package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/schema"
)

func (p *program) threadCommand() *cli.Command {
	agent := &cli.StringFlag{Name: "agent", Usage: "who does it (`NAME`); git's author by default"}
	return &cli.Command{
		Name:  "thread",
		Usage: "Open, continue and resolve discussions",
		Subcommands: []*cli.Command{
			{
				Name:      "open",
				Usage:     "Open a thread",
				ArgsUsage: "TITLE",
				Description: "A thread has its own messages, apart from those of its channel. The channel of a project is proj-NAME.\n" +
					"\nExample:\n" +
					"  forgemind thread open \"Mesh convergence\" --channel proj-starspec",
				Flags: []cli.Flag{
					&cli.StringFlag{Name: "channel", Usage: "the channel that it branches from (`NAME`)"},
					agent, formatFlag(), dryRunFlag(),
				},
				Action: takes(1, 1, p.openThread),
			},
			{
				Name:      "post",
				Usage:     "Add a message to a thread",
				ArgsUsage: "ID TEXT|-",
				Description: "ID is the id of the thread, its file, or a part of its title that no other thread has. Secrets of a known\n" +
					"form are masked. With \"-\" the text is read from standard input.",
				Flags: []cli.Flag{
					&cli.StringFlag{Name: "agent", Usage: "who says it (`NAME`); git's author by default"},
					optional("kind", "what it is", "what follows from the rest", "message", "decision", "clarification", "question", "tool_output"),
					&cli.StringFlag{Name: "time", Usage: "when it was said (`TIME`, RFC 3339); now by default"},
					formatFlag(), dryRunFlag(),
				},
				Action: takes(2, 2, p.postThread),
			},
			{
				Name:      "resolve",
				Usage:     "Resolve a thread",
				ArgsUsage: "ID",
				Description: "A resolved thread should be condensed next; 'forgemind validate' reminds of it.\n" +
					"\nExample:\n" +
					"  forgemind condense thread-7f3k2q",
				Flags:  []cli.Flag{agent, formatFlag(), dryRunFlag()},
				Action: takes(1, 1, p.resolveThread),
			},
			{
				Name:      "archive",
				Usage:     "Archive a resolved thread, or all idle ones",
				ArgsUsage: "[ID]",
				Description: fmt.Sprintf("--idle archives the threads without activity for %d days: active ones, and resolved ones that were\n"+
					"condensed, but none in which something was decided that is not condensed.\n"+
					"Nothing is removed: 'forgemind thread show ID' shows an archived thread.", condense.IdleDays),
				Flags: []cli.Flag{
					&cli.BoolFlag{Name: "idle", Usage: "archive all idle threads"},
					agent, formatFlag(), dryRunFlag(),
				},
				Action: takes(0, 1, p.archiveThread),
			},
			p.listThreadsCommand(),
			p.showThreadCommand(),
			p.importThreadsCommand(),
		},
	}
}

// threadError says what can be done where a thread or a handoff does not allow
// what was asked for.
func threadError(err error) error {
	var misstep *condense.Misstep
	var settled *condense.Settled
	switch {
	case errors.As(err, &misstep):
		return withHint(&unmetError{err.Error()}, "%s", misstep.Possible())
	case errors.As(err, &settled):
		return withHint(&unmetError{err.Error()}, "'forgemind handoff list' shows how each stands")
	}
	return err
}

func (p *program) openThread(c *cli.Context) error {
	title, err := said(c, "title")
	if err != nil {
		return err
	}
	channel := strings.TrimSpace(c.String("channel"))
	if strings.Trim(channel, "# ") == "" {
		return &usageError{c.Command.HelpName + ": --channel is missing: a thread branches from a channel", usageLine(c.Command)}
	}
	return p.onTree(c, func(tree *engine.Tree) error {
		t, out, err := tree.OpenThread(c.Context, title, channel, c.String("agent"))
		if err != nil {
			return err
		}
		return p.changed(c, out, "opened "+named(t.ID, short(t.Title, 120))+" in #"+inline(t.Channel), t)
	})
}

// A postedMessage is what `thread post` prints.
type postedMessage struct {
	shownMessage
	Thread    string           `json:"thread"`
	Concluded string           `json:"concluded,omitempty"` // why the thread looks concluded since
	Condensed *shownCondensing `json:"condensed,omitempty"` // where the message asked for that
}

func (p *program) postThread(c *cli.Context) error {
	text, err := p.messageText(c, c.Args().Get(1))
	if err != nil {
		return err
	}
	return p.onTree(c, func(tree *engine.Tree) error {
		stop := p.busy("counting tokens")
		posted, out, err := tree.Post(c.Context, c.Args().First(), schema.Message{
			Content: text, Agent: c.String("agent"), Kind: c.String("kind"), Timestamp: c.String("time"),
		})
		stop()
		if err != nil {
			return threadError(err)
		}
		if len(posted.Messages) == 0 { // a new id is never there already
			return errors.New("the message was not added")
		}
		first, id := posted.Messages[0], posted.Thread.ID
		headline := fmt.Sprintf("posted %s to %s: %s", inline(first.ID), inline(id), short(first.Content, 80))
		if n := len(posted.Messages); n > 1 {
			headline += fmt.Sprintf(", in %d parts", n)
		}
		item := postedMessage{shownMessage: showMessage(first), Thread: id, Concluded: posted.Concluded}
		if posted.Condensed != nil {
			shown := showCondensing(*posted.Condensed)
			item.Condensed = &shown
			headline += "\n" + p.condensingText(*posted.Condensed)
		}
		if posted.Concluded != "" {
			headline += fmt.Sprintf("\nit looks concluded: %s\n'forgemind condense %s --dry-run' shows what it came to", inline(posted.Concluded), inline(id))
		}
		return p.changed(c, out, headline, item)
	})
}

func (p *program) resolveThread(c *cli.Context) error {
	return p.onTree(c, func(tree *engine.Tree) error {
		t, out, err := tree.ResolveThread(c.Context, c.Args().First(), c.String("agent"))
		if err != nil {
			return threadError(err)
		}
		headline := fmt.Sprintf("resolved %s\n'forgemind condense %s --edit' drafts what it came to", named(t.ID, short(t.Title, 120)), inline(t.ID))
		return p.changed(c, out, headline, t)
	})
}

func (p *program) archiveThread(c *cli.Context) error {
	if c.Bool("idle") == (c.NArg() == 1) {
		return &usageError{c.Command.HelpName + ": name a thread, or --idle for all that are", usageLine(c.Command)}
	}
	return p.onTree(c, func(tree *engine.Tree) error {
		if !c.Bool("idle") {
			t, out, err := tree.ArchiveThread(c.Context, c.Args().First(), c.String("agent"))
			if err != nil {
				return threadError(err)
			}
			return p.changed(c, out, "archived "+named(t.ID, short(t.Title, 120)), t)
		}
		archived, out, err := tree.ArchiveIdle(c.Context, c.String("agent"))
		if err != nil {
			return err
		}
		shown, err := p.shownThreads(tree, archived)
		if err != nil {
			return err
		}
		return p.changed(c, out, "archived "+count(len(archived), "thread"), threadList{1, shown})
	})
}
