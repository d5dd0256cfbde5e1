package main

import (
	"errors"
	"fmt"
	iofs "io/fs"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/cold"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/tokens"
	"github.com/forgemind/forgemind/schema"
)

func (p *program) listMessagesCommand() *cli.Command {
	return &cli.Command{
		Name:  "list",
		Usage: "List the messages in order of time",
		Description: "Lists the whole session, with the messages in its archive. --all also lists messages in cold storage, " +
			"which 'forgemind recover' searches.\n'forgemind message list --last 20 --search token'",
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "last", Usage: "only the last `N` messages"},
			&cli.BoolFlag{Name: "all", Usage: "also messages in cold storage", DisableDefaultText: true},
			&cli.StringFlag{Name: "kind", Usage: "only messages of this kind (`WORD`), such as decision"},
			optional("counter", "count the tokens again with this counter", "as they were counted", tokens.Names()...),
			&cli.Float64Flag{Name: "min-importance", Usage: "only messages of at least this importance, from 0 to 1 (`RATIO`); one that has none has 0.5", DefaultText: "0"},
			&cli.StringFlag{Name: "search", Usage: "only messages that contain `TEXT`, ignoring case"},
			formatFlag(),
		},
		Action: takes(0, 0, p.listMessages),
	}
}

func (p *program) listMessages(c *cli.Context) error {
	if c.IsSet("last") && c.Int("last") < 1 {
		return &usageError{fmt.Sprintf("%s: --last %d is not a number of messages", c.Command.HelpName, c.Int("last")), usageLine(c.Command)}
	}
	least := c.Float64("min-importance")
	if !(least >= 0 && least <= 1) {
		return &usageError{fmt.Sprintf("%s: --min-importance %v: expected a ratio from 0 to 1", c.Command.HelpName, least), usageLine(c.Command)}
	}
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	messages, alien, err := conversation(tree)
	if err != nil {
		return err
	}
	if messages, err = withLeft(tree, messages, c.Bool("all")); err != nil {
		return err
	}
	search := strings.ToLower(c.String("search"))
	messages = slices.DeleteFunc(messages, func(m schema.Message) bool {
		return importanceOf(m) < least || c.IsSet("kind") && m.Kind != c.String("kind") || search != "" && !strings.Contains(strings.ToLower(m.Content), search)
	})
	if n := c.Int("last"); n > 0 && n < len(messages) {
		messages = messages[len(messages)-n:]
	}
	if err := recount(messages, c.String("counter")); err != nil {
		return err
	}
	if alien > 0 {
		p.note("forgemind: warning: %s of the conversation cannot be read as a message; 'forgemind validate' lists them", count(alien, "line"))
	}
	if wantsJSON(c) {
		list := make([]shownMessage, len(messages))
		for i, m := range messages {
			list[i] = showMessage(m)
		}
		return p.printList("messages", list)
	}
	var lines strings.Builder
	for _, m := range messages {
		writeMessage(&lines, m)
	}
	p.printLines(lines.String())
	return nil
}

// recount counts the tokens of messages with a counter; "" leaves them as they are. A user's
// message costs what the counter takes for an exchange as well.
func recount(messages []schema.Message, name string) error {
	if name == "" {
		return nil
	}
	counter, err := tokens.New(name)
	if err != nil {
		return err
	}
	for i := range messages {
		m := &messages[i]
		n := counter.Count(m.Content)
		if m.Role == "user" && m.ToolName == "" {
			n += counter.Exchange()
		}
		m.Tokens, m.Counter = schema.Int(n), counter.Name()
	}
	return nil
}

// importanceOf returns the importance of a message, 0.5 if it has none.
func importanceOf(m schema.Message) float64 {
	if m.Importance == nil {
		return 0.5
	}
	return *m.Importance
}

// writeMessage writes a message on one line.
func writeMessage(w *strings.Builder, m schema.Message) {
	kind := m.Kind
	if kind == "" {
		kind = m.Role
	}
	fmt.Fprintf(w, "%s  %s  %s", inline(m.ID), inline(m.Timestamp), short(m.Agent, 40))
	if kind != "" && kind != m.Agent {
		fmt.Fprintf(w, " (%s)", short(kind, 40))
	}
	fmt.Fprintf(w, "  %s\n", short(m.Content, 120))
}

// conversation returns the messages of the live conversation sorted by time, with the parts of long
// ones joined, and the number of lines without a message.
func conversation(tree *fs.Tree) (messages []schema.Message, alien int, err error) {
	name, err := session.Conversation(tree)
	if err != nil {
		return nil, 0, err
	}
	src, err := tree.Read(name)
	if errors.Is(err, iofs.ErrNotExist) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	for _, line := range session.Read(src) {
		switch {
		case line.Err == nil:
			messages = append(messages, *line.Message)
		case !errors.Is(line.Err, session.ErrBlank):
			alien++
		}
	}
	session.InOrder(messages)
	return session.Join(messages), alien, nil
}

// withLeft adds the messages that left the live conversation, sorted by time: those in the archive
// of its session and, if compacted is true, in cold storage. A message that came back is listed
// once.
func withLeft(tree *fs.Tree, messages []schema.Message, compacted bool) ([]schema.Message, error) {
	owner, err := session.Owner(tree)
	if err != nil {
		return nil, err
	}
	archive, err := tree.Read(session.ArchiveFile(owner))
	if err != nil && !errors.Is(err, iofs.ErrNotExist) {
		return nil, err
	}
	all := session.Messages(session.Read(archive))
	if compacted {
		chunks, _, err := cold.List(tree)
		if err != nil {
			return nil, err
		}
		for _, chunk := range chunks {
			if m, ok := session.MessageOfChunk(chunk); ok && chunk.SessionID == owner {
				all = append(all, m)
			}
		}
	}
	if len(all) == 0 {
		return messages, nil
	}
	there := map[string]bool{}
	for _, m := range messages {
		there[m.ID] = true
	}
	all = slices.DeleteFunc(session.Join(all), func(m schema.Message) bool { return there[m.ID] })
	all = append(all, messages...)
	session.InOrder(all)
	return all, nil
}
