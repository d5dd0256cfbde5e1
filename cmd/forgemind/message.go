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
	"github.com/forgemind/forgemind/internal/present"
	"github.com/forgemind/forgemind/schema"
)

func (p *program) messageCommand() *cli.Command {
	return &cli.Command{
		Name:  "message",
		Usage: "Add, import and list messages of the conversation",
		Subcommands: []*cli.Command{
			{
				Name:      "add",
				Usage:     "Add a message",
				ArgsUsage: "TEXT|-",
				Description: "Known kinds of secrets are masked. With '-' the text is read from standard input.\n'forgemind message " +
					"add \"Decision: we use RS256 for tokens\" --agent Boss --priority high'\n'go test ./... | forgemind " +
					"message add - --tool go'",
				Flags: []cli.Flag{
					&cli.StringFlag{Name: "agent", Usage: "who said it (`NAME`)"},
					optional("role", "in what role", "what follows from the rest", "user", "assistant", "tool", "system"),
					optional("kind", "kind of the message", "derived from the message",
						"message", "decision", "clarification", "question", "layer_change", "tool_output", "summary"),
					&cli.StringFlag{Name: "priority", Usage: "priority (`WORD`); high makes a boss's decision a major one"},
					&cli.Float64Flag{Name: "importance", Usage: "how important it is, `RATIO` from 0 to 1; relevance compaction keeps 0.7 and above", DefaultText: "what follows from the text"},
					&cli.StringFlag{Name: "session", Usage: "session of the message (`ID`)"},
					&cli.StringFlag{Name: "tool", Usage: "tool whose output it is (`NAME`)"},
					&cli.StringFlag{Name: "time", Usage: "when it was said (`TIME`, RFC 3339); default: now"},
					formatFlag(), dryRunFlag(),
				},
				Action: takes(1, 1, p.addMessage),
			},
			p.importMessagesCommand(),
			p.listMessagesCommand(),
			p.pinMessageCommand("pin", "Keep a message in every compaction", true),
			p.pinMessageCommand("unpin", "Remove the pin of a message", false),
		},
	}
}

// optional returns a flag like choice that may be omitted; then otherwise is used.
func optional(name, usage, otherwise string, choices ...string) cli.Flag {
	f := choice(name, usage, choices...).(*choiceFlag)
	f.Value, f.DefaultText = "", otherwise
	return f
}

// A shownMessage is a message in JSON output, with an `id` like every item.
type shownMessage struct {
	ID string `json:"id"`
	plainMessage
}

// A messageItem is a message as JSON output. The kind of the message is in message_kind,
// because kind is that of the output.
type messageItem struct {
	shownMessage
	Kind        present.Hidden `json:"kind,omitzero"`
	MessageKind string         `json:"message_kind,omitzero"`
}

// plainMessage is a message without its methods for decoding.
type plainMessage schema.Message

func showMessage(m schema.Message) shownMessage { return shownMessage{m.ID, plainMessage(m)} }

// messageText returns the text of a message: text, or standard input for "-". It also checks
// --time, so that both are checked before any work.
func (p *program) messageText(c *cli.Context, text string) (string, error) {
	if text == "-" {
		src, err := p.readAll()
		if err != nil {
			return "", err
		}
		text = strings.TrimSuffix(strings.TrimSuffix(string(src), "\n"), "\r")
	}
	if strings.TrimSpace(text) == "" {
		return "", &usageError{c.Command.HelpName + ": the message is empty", usageLine(c.Command)}
	}
	if ratio := c.Float64("importance"); !(ratio >= 0 && ratio <= 1) {
		return "", &usageError{fmt.Sprintf("%s: --importance %v is not a ratio from 0 to 1", c.Command.HelpName, ratio), usageLine(c.Command)}
	}
	if at := c.String("time"); at != "" {
		if _, err := schema.ParseTime(at); err != nil {
			return "", &usageError{
				fmt.Sprintf("%s: --time %q is not a time by RFC 3339, such as 2026-11-20T12:00:00Z", c.Command.HelpName, short(at, 40)),
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
			Importance: importance(c),
			Content:    text,
			Agent:      c.String("agent"),
			Role:       c.String("role"),
			Kind:       c.String("kind"),
			Priority:   c.String("priority"),
			Session:    c.String("session"),
			ToolName:   c.String("tool"),
			Timestamp:  c.String("time"),
		}})
		stop()
		if err != nil {
			return err
		}
		if len(said) == 0 { // a new id cannot exist already
			return errors.New("the message was not added")
		}
		first := said[0]
		headline := fmt.Sprintf("added %s: %s (%s)", inline(first.ID), short(first.Content, 80), count(messageTokens(said), "token"))
		if len(said) > 1 {
			headline += fmt.Sprintf(", in %d parts", len(said))
		}
		return p.changed(c, out, headline, item{"message", messageItem{shownMessage: showMessage(first), MessageKind: first.Kind}})
	})
}

// importance returns the value of --importance, or nil if it is not given.
func importance(c *cli.Context) *float64 {
	if !c.IsSet("importance") {
		return nil
	}
	return new(c.Float64("importance"))
}

func messageTokens(messages []schema.Message) int {
	n := 0
	for _, m := range messages {
		n += int(m.Tokens)
	}
	return n
}

// readAll returns standard input unchanged.
func (p *program) readAll() ([]byte, error) {
	return readLimited("standard input", p.Stdin, 0)
}

// readLimited reads all of r; size is its size if known. It is an error if r is longer than the
// JSON reader accepts.
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
