package main

import (
	"errors"
	"path"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/internal/engine"
)

func (p *program) pinCommand() *cli.Command {
	return &cli.Command{
		Name: "pin", Usage: "Pin a condensation in its channel", ArgsUsage: "CONDENSATION",
		Description: "CONDENSATION is the name of a file of condensations/. A channel shows 50 pins at most, the newest.\n" +
			"'forgemind pin 2026-02-15-token-signing.md'",
		Flags: pinFlags("channel to pin it in (`NAME`); default: its own"),
		Action: takes(1, 1, func(c *cli.Context) error {
			return p.onCondensation(c, func(tree *engine.Tree, name string) error {
				channel, out, err := tree.PinCondensation(c.Context, name, c.String("channel"), c.String("agent"))
				if errors.Is(err, engine.ErrNoChannel) {
					return withHint(&unmetError{err.Error()}, "--channel NAME says where to pin it")
				}
				if err != nil {
					return err
				}
				return p.changedPins(c, out, "pinned", pinReport{ID: path.Base(name), Channels: []string{channel}})
			})
		}),
	}
}

func (p *program) unpinCommand() *cli.Command {
	return &cli.Command{
		Name: "unpin", Usage: "Unpin a condensation", ArgsUsage: "CONDENSATION",
		Description: "The condensation stays.\n'forgemind unpin 2026-02-15-token-signing.md'",
		Flags:       pinFlags("channel to unpin it in (`NAME`); default: all"),
		Action: takes(1, 1, func(c *cli.Context) error {
			return p.onCondensation(c, func(tree *engine.Tree, name string) error {
				gone, out, err := tree.UnpinCondensation(c.Context, name, c.String("channel"), c.String("agent"))
				if err != nil {
					return err
				}
				channels := []string{}
				for _, pin := range gone {
					channels = append(channels, pin.Channel)
				}
				return p.changedPins(c, out, "unpinned", pinReport{ID: path.Base(name), Channels: channels})
			})
		}),
	}
}

func pinFlags(channel string) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "channel", Usage: channel},
		&cli.StringFlag{Name: "agent", Usage: "who does it (`NAME`); default: git's author"},
		formatFlag(), dryRunFlag(),
	}
}

// onCondensation calls do with the condensation that the argument names.
func (p *program) onCondensation(c *cli.Context, do func(tree *engine.Tree, name string) error) error {
	return p.onTree(c, func(tree *engine.Tree) error {
		name, err := p.condensationNamed(c, tree, c.Args().First())
		if err != nil {
			return err
		}
		return do(tree, name)
	})
}

// condensationNamed returns the name of the condensation's file that given denotes.
func (p *program) condensationNamed(c *cli.Context, tree *engine.Tree, given string) (string, error) {
	name, ok := engine.FindCondensation(tree, given)
	if at, err := p.inTree(c, given, tree.Root()); !ok && err == nil {
		name, ok = engine.FindCondensation(tree, at)
	}
	if !ok {
		return "", withHint(&unmetError{"no such condensation: " + short(given, 200)}, "condensations are the files of condensations/ in the tree")
	}
	return name, nil
}

// A pinReport is the output of pin and unpin with --format json.
type pinReport struct {
	ID       string   `json:"id"`       // name of the condensation's file
	Channels []string `json:"channels"` // where it was pinned, or unpinned
	outcomeReport
}

// changedPins prints which pins of a condensation were changed. The argument what is a verb.
func (p *program) changedPins(c *cli.Context, out engine.Outcome, what string, report pinReport) error {
	headline := inline(report.ID) + " is not pinned there"
	if len(report.Channels) > 0 {
		headline = what + " " + inline(report.ID) + " in #" + inline(strings.Join(report.Channels, ", #"))
	}
	report.outcomeReport = outcomeJSON(out, c.Bool("dry-run"))
	return p.changed(c, out, headline, item{"pin", report})
}
