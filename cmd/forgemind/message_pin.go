package main

import (
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/internal/engine"
)

// pinMessageCommand returns the command that sets or removes the pin of a message.
func (p *program) pinMessageCommand(name, usage string, pinned bool) *cli.Command {
	return &cli.Command{
		Name: name, Usage: usage, ArgsUsage: "ID",
		Description: "A pinned message stays in the conversation whatever its score.\n'forgemind message " + name + " msg-1a2b3c'",
		Flags:       []cli.Flag{formatFlag(), dryRunFlag()},
		Action: takes(1, 1, func(c *cli.Context) error {
			return p.onTree(c, func(tree *engine.Tree) error {
				m, out, err := tree.PinMessage(c.Context, c.Args().First(), pinned)
				if unknown := new(engine.UnknownMessageError); errors.As(err, &unknown) {
					return withHint(&unmetError{err.Error()}, "'forgemind message list' shows the conversation; 'forgemind recover --chunk-id ID --restore' brings back a message that a compaction removed")
				}
				if err != nil {
					return err
				}
				headline := fmt.Sprintf("%sned %s: %s", name, inline(m.ID), short(m.Content, 80))
				return p.changed(c, out, headline, item{"message", messageItem{shownMessage: showMessage(m), MessageKind: m.Kind}})
			})
		}),
	}
}
