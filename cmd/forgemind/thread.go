package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/schema"
)

func (p *program) threadCommand() *cli.Command {
	agent := &cli.StringFlag{Name: "agent", Usage: "who acts (`NAME`); default: git's author"}
	return &cli.Command{
		Name:  "thread",
		Usage: "Open, list, claim, resolve and import discussions",
		Subcommands: append([]*cli.Command{
			{
				Name:      "open",
				Usage:     "Open a thread in a channel",
				ArgsUsage: "TITLE",
				Description: "A thread has its own messages, separate from the channel's. The channel of a project is " +
					"proj-NAME.\n'forgemind thread open \"Token signing\" --channel proj-api --agent Manager'",
				Flags: []cli.Flag{
					&cli.StringFlag{Name: "channel", Usage: "channel of the thread (`NAME`)"},
					agent, formatFlag(), dryRunFlag(),
				},
				Action: takes(1, 1, p.openThread),
			},
			{
				Name:      "post",
				Usage:     "Post a message to a thread",
				ArgsUsage: "ID TEXT|-",
				Description: "ID is the thread's id, its file name, or a unique part of its title. Known kinds of secrets are masked. " +
					"With '-' the text is read from standard input.",
				Flags: []cli.Flag{
					&cli.StringFlag{Name: "agent", Usage: "who posts (`NAME`); default: git's author"},
					optional("kind", "kind of the message", "derived from the message", "message", "decision", "clarification", "question", "tool_output"),
					&cli.StringFlag{Name: "time", Usage: "when it was said (`TIME`, RFC 3339); default: now"},
					formatFlag(), dryRunFlag(),
				},
				Action: takes(2, 2, p.postThread),
			},
			{
				Name:        "resolve",
				Usage:       "Resolve a thread",
				ArgsUsage:   "ID",
				Description: "A resolved thread is to be condensed; until then 'forgemind validate' reports it.",
				Flags:       []cli.Flag{agent, formatFlag(), dryRunFlag()},
				Action:      takes(1, 1, p.resolveThread),
			},
			{
				Name:      "archive",
				Usage:     "Archive a resolved thread, or all idle ones",
				ArgsUsage: "[ID]",
				Description: fmt.Sprintf("--idle archives threads in which nothing happened for %d days: active ones that state no decision, and\n"+
					"resolved ones that were condensed. Nothing is removed; 'forgemind thread show ID' shows it as before.", condense.IdleDays),
				Flags: []cli.Flag{
					&cli.BoolFlag{Name: "idle", Usage: "archive all idle threads", DisableDefaultText: true},
					agent, formatFlag(), dryRunFlag(),
				},
				Action: takes(0, 1, p.archiveThread),
			},
			p.listThreadsCommand(),
			p.showThreadCommand(),
			p.importThreadsCommand(),
		}, p.claimCommands(records.Thread)...),
	}
}

// threadError adds a hint to an error about the state of a thread or a handoff.
func threadError(err error) error {
	var misstep *condense.StepError
	var settled *condense.SettledError
	switch {
	case errors.As(err, &misstep):
		return withHint(&unmetError{err.Error()}, "%s", misstep.Possible())
	case errors.As(err, &settled):
		return withHint(&unmetError{err.Error()}, "'forgemind handoff list' shows their status")
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
		return &usageError{c.Command.HelpName + ": --channel missing: a thread belongs to a channel", usageLine(c.Command)}
	}
	return p.onTree(c, func(tree *engine.Tree) error {
		t, out, err := tree.OpenThread(c.Context, title, channel, c.String("agent"))
		if err != nil {
			return err
		}
		return p.changed(c, out, "opened "+named(t.ID, short(t.Title, 120))+" in #"+inline(t.Channel), item{"thread", t})
	})
}

// A postedMessage is the output of `thread post`.
type postedMessage struct {
	messageItem
	Thread    string           `json:"thread"`
	Concluded string           `json:"concluded,omitempty"` // why the thread now seems to be concluded
	Condensed *shownCondensing `json:"condensed,omitempty"` // set if the message asked for it
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
		if len(posted.Messages) == 0 { // a new id cannot exist already
			return errors.New("the message was not added")
		}
		first, id := posted.Messages[0], posted.Thread.ID
		headline := fmt.Sprintf("posted %s to %s: %s", inline(first.ID), inline(id), short(first.Content, 80))
		if n := len(posted.Messages); n > 1 {
			headline += fmt.Sprintf(", in %d parts", n)
		}
		posting := postedMessage{messageItem: messageItem{shownMessage: showMessage(first), MessageKind: first.Kind}, Thread: id, Concluded: posted.Concluded}
		if posted.Condensed != nil {
			shown := showCondensing(*posted.Condensed)
			posting.Condensed = &shown
			headline += "\n" + condensingText(*posted.Condensed)
		}
		if posted.Concluded != "" {
			headline += fmt.Sprintf("\nit looks concluded: %s\n'forgemind condense %s --dry-run' shows its result", inline(posted.Concluded), inline(id))
		}
		return p.changed(c, out, headline, item{"posted_message", posting})
	})
}

func (p *program) resolveThread(c *cli.Context) error {
	return p.onTree(c, func(tree *engine.Tree) error {
		t, out, err := tree.ResolveThread(c.Context, c.Args().First(), c.String("agent"))
		if err != nil {
			return threadError(err)
		}
		headline := fmt.Sprintf("resolved %s\n'forgemind condense %s --edit' drafts the condensation", named(t.ID, short(t.Title, 120)), inline(t.ID))
		return p.changed(c, out, headline, item{"thread", t})
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
			return p.changed(c, out, "archived "+named(t.ID, short(t.Title, 120)), item{"thread", t})
		}
		archived, out, err := tree.ArchiveIdle(c.Context, c.String("agent"))
		if err != nil {
			return err
		}
		shown, err := p.shownThreads(tree, archived)
		if err != nil {
			return err
		}
		return p.changed(c, out, "archived "+count(len(archived), "thread"), item{"threads", map[string]any{"threads": shown}})
	})
}
