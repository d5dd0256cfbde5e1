package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

func (p *program) messageCommand() *cli.Command {
	return &cli.Command{
		Name:  "message",
		Usage: "Add, import and list messages",
		Subcommands: []*cli.Command{
			{
				Name:      "add",
				Usage:     "Add a message",
				ArgsUsage: "TEXT|-",
				Description: "Secrets of a known form are masked. With \"-\" the text is read from standard input.\n" +
					"\nExamples:\n" +
					"  forgemind message add \"Let us use RS256\" --agent Boss --priority high\n" +
					"  go test ./... | forgemind message add - --tool go",
				Flags: []cli.Flag{
					&cli.StringFlag{Name: "agent", Usage: "who said it (`NAME`)"},
					optional("role", "in what role", "what follows from the rest", "user", "assistant", "tool", "system"),
					optional("kind", "what it is", "what follows from the rest",
						"message", "decision", "clarification", "question", "layer_change", "tool_output", "summary"),
					&cli.StringFlag{Name: "priority", Usage: "how urgent it is (`WORD`); high makes a major decision of the boss's decision"},
					&cli.StringFlag{Name: "session", Usage: "the session it belongs to (`ID`)"},
					&cli.StringFlag{Name: "tool", Usage: "the tool that gave it (`NAME`)"},
					&cli.StringFlag{Name: "time", Usage: "when it was said (`TIME`, RFC 3339); now by default"},
					formatFlag(), dryRunFlag(),
				},
				Action: takes(1, 1, p.addMessage),
			},
			p.importMessagesCommand(),
			p.listMessagesCommand(),
		},
	}
}

// optional is a flag like choice that may be left out; then otherwise holds.
func optional(name, usage, otherwise string, choices ...string) cli.Flag {
	f := choice(name, usage, choices...).(*choiceFlag)
	f.Value, f.DefaultText = "", otherwise
	return f
}

// A shownMessage is a message as JSON for programs: with an `id`, as every item
// has one.
type shownMessage struct {
	ID string `json:"id"`
	plainMessage
}

// plainMessage is a message without the ways it is read in.
type plainMessage schema.Message

func showMessage(m schema.Message) shownMessage { return shownMessage{m.ID, plainMessage(m)} }

// messageText is what a message says: text, or standard input for "-". When it was
// said, --time, is looked at here as well: both come before any work.
func (p *program) messageText(c *cli.Context, text string) (string, error) {
	if text == "-" {
		src, err := p.readAll()
		if err != nil {
			return "", err
		}
		text = strings.TrimSuffix(strings.TrimSuffix(string(src), "\n"), "\r")
	}
	if strings.TrimSpace(text) == "" {
		return "", &usageError{c.Command.HelpName + ": the message says nothing", usageLine(c.Command)}
	}
	if at := c.String("time"); at != "" {
		if _, err := schema.ParseTime(at); err != nil || !schema.IsRFC3339(at) {
			return "", &usageError{
				fmt.Sprintf("%s: --time %q is no time by RFC 3339, such as 2026-11-20T12:00:00Z", c.Command.HelpName, short(at, 40)),
				usageLine(c.Command),
			}
		}
	}
	return text, nil
}

func (p *program) addMessage(c *cli.Context) error {
	text, err := p.messageText(c, c.Args().First())
	if err != nil {
		return err
	}
	return p.onTree(c, func(tree *engine.Tree) error {
		stop := p.busy("counting tokens")
		said, out, err := tree.Say(c.Context, []schema.Message{{
			Content:   text,
			Agent:     c.String("agent"),
			Role:      c.String("role"),
			Kind:      c.String("kind"),
			Priority:  c.String("priority"),
			Session:   c.String("session"),
			ToolName:  c.String("tool"),
			Timestamp: c.String("time"),
		}})
		stop()
		if err != nil {
			return err
		}
		if len(said) == 0 { // a new id is never there already
			return errors.New("the message was not added")
		}
		first := said[0]
		headline := fmt.Sprintf("added %s: %s (%s)", inline(first.ID), short(first.Content, 80), count(messageTokens(said), "token"))
		if len(said) > 1 {
			headline += fmt.Sprintf(", in %d parts", len(said))
		}
		return p.changed(c, out, headline, showMessage(first))
	})
}

func messageTokens(messages []schema.Message) int {
	n := 0
	for _, m := range messages {
		n += int(m.Tokens)
	}
	return n
}

// readAll reads standard input as it is.
func (p *program) readAll() ([]byte, error) {
	return readLimited("standard input", p.Stdin, 0)
}

// readLimited reads all that r gives, size bytes as far as that is known. Longer than
// the JSON reader can take is an error.
func readLimited(what string, r io.Reader, size int64) ([]byte, error) {
	tooLong := fmt.Errorf("%s: more than %d bytes", what, jsonedit.MaxSize)
	if size > jsonedit.MaxSize {
		return nil, tooLong
	}
	var src bytes.Buffer
	src.Grow(int(size) + bytes.MinRead)
	if _, err := src.ReadFrom(io.LimitReader(r, jsonedit.MaxSize+1)); err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	if src.Len() > jsonedit.MaxSize {
		return nil, tooLong
	}
	return src.Bytes(), nil
}
