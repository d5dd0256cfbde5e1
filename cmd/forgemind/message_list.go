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
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

func (p *program) listMessagesCommand() *cli.Command {
	return &cli.Command{
		Name:  "list",
		Usage: "List the messages, oldest first",
		Description: "Lists the whole session, also what left its window. --all adds what was compacted away and is in cold\n" +
			"storage; 'forgemind recover' searches that.\n" +
			"\nExample:\n" +
			"  forgemind message list --last 20 --search token",
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "last", Usage: "only the last `N` of them"},
			&cli.BoolFlag{Name: "all", Usage: "also those that a compaction moved to cold storage"},
			&cli.StringFlag{Name: "kind", Usage: "only those that say they are of this kind (`WORD`), such as decision"},
			&cli.StringFlag{Name: "search", Usage: "only those that contain `TEXT`, in whatever case"},
			formatFlag(),
		},
		Action: takes(0, 0, p.listMessages),
	}
}

func (p *program) listMessages(c *cli.Context) error {
	if c.IsSet("last") && c.Int("last") < 1 {
		return &usageError{fmt.Sprintf("%s: --last %d is no number of messages", c.Command.HelpName, c.Int("last")), usageLine(c.Command)}
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
		return c.IsSet("kind") && m.Kind != c.String("kind") || search != "" && !strings.Contains(strings.ToLower(m.Content), search)
	})
	if n := c.Int("last"); n > 0 && n < len(messages) {
		messages = messages[len(messages)-n:]
	}
	if alien > 0 {
		p.note("forgemind: warning: %s of the conversation hold no message; 'forgemind validate' shows them", count(alien, "line"))
	}
	if wantsJSON(c) {
		list := make([]shownMessage, len(messages))
		for i, m := range messages {
			list[i] = showMessage(m)
		}
		return p.printJSON(struct {
			Version  int            `json:"version"`
			Messages []shownMessage `json:"messages"`
		}{1, list})
	}
	var lines strings.Builder
	for _, m := range messages {
		writeMessage(&lines, m)
	}
	p.printLines(lines.String())
	return nil
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

// conversation reads the messages of the live conversation in order of time,
// long ones put together from their parts, and counts the lines that hold none.
func conversation(tree *fs.Tree) (messages []schema.Message, alien int, err error) {
	name, err := session.LiveName(tree)
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
	lines := session.Read(src)
	for _, line := range lines {
		if line.Err != nil && !errors.Is(line.Err, session.ErrBlank) {
			alien++
		}
	}
	messages = session.Weighed(lines, engine.ConfigOf(tree))
	session.InOrder(messages)
	return session.Join(messages), alien, nil
}

// withLeft adds to the messages of the live conversation those that left it for the
// archive of its session, and where compacted is true for cold storage, in order of
// time. A message that came back is listed once.
func withLeft(tree *fs.Tree, messages []schema.Message, compacted bool) ([]schema.Message, error) {
	owner, err := session.Owner(tree)
	if err != nil {
		return nil, err
	}
	archive, err := tree.Read(session.ArchiveFile(owner))
	if err != nil && !errors.Is(err, iofs.ErrNotExist) {
		return nil, err
	}
	all := session.Weighed(session.Read(archive), engine.ConfigOf(tree))
	if compacted {
		chunks, _, err := cold.List(tree)
		if err != nil {
			return nil, err
		}
		for _, chunk := range chunks {
			if m, ok := session.Left(chunk); ok && chunk.SessionID == owner {
				all = append(all, m)
			}
		}
	}
	if len(all) == 0 {
		return messages, nil
	}
	there := map[string][]schema.Message{}
	for _, m := range messages {
		there[m.ID] = append(there[m.ID], m)
	}
	all = slices.DeleteFunc(session.Join(all), func(m schema.Message) bool {
		return slices.ContainsFunc(there[m.ID], func(other schema.Message) bool { return session.IsSame(m, other) })
	})
	all = append(all, messages...)
	session.InOrder(all)
	return all, nil
}
