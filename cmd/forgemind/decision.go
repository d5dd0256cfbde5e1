package main

import (
	"errors"
	"fmt"
	iofs "io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/ledger"
	"github.com/forgemind/forgemind/internal/query"
	"github.com/forgemind/forgemind/schema"
)

func (p *program) decisionCommand() *cli.Command {
	return &cli.Command{
		Name:  "decision",
		Usage: "the Ledger: decisions, recorded once and never changed",
		Subcommands: []*cli.Command{
			{
				Name:      "add",
				Usage:     "record a decision",
				ArgsUsage: "TEXT",
				Flags: append(decisionFlags(),
					&cli.StringSliceFlag{Name: "supersedes", Usage: "the `ID` of a decision that this one replaces (may be repeated)"}),
				Action: takes(1, 1, func(c *cli.Context) error {
					return p.decide(c, c.Args().First(), c.StringSlice("supersedes"))
				}),
			},
			{
				Name:      "supersede",
				Usage:     "record a decision that replaces the decision ID",
				ArgsUsage: "ID TEXT",
				Description: "The decision ID stays as it is, and is marked as superseded wherever it is shown. The new one is of the same\n" +
					"project and channel, if it names no other: 'forgemind decision supersede DEC-7F3K2Q \"Use lime\"'.",
				Flags: decisionFlags(),
				Action: takes(2, 2, func(c *cli.Context) error {
					return p.decide(c, c.Args().Get(1), []string{c.Args().First()})
				}),
			},
			{
				Name:      "promote",
				Usage:     "record a decision that was only detected in the message MESSAGE of the session",
				ArgsUsage: "MESSAGE",
				Description: "'forgemind sessions show' lists what was detected. Whoever said it has decided it; --agent is who records it:\n" +
					"'forgemind decision promote msg-7f3k2q'.",
				Flags: []cli.Flag{
					&cli.StringFlag{Name: "agent", Usage: "who records it (`NAME`); git's author by default"},
					ifVersionFlag(), formatFlag(), dryRunFlag(),
				},
				Action: takes(1, 1, p.promote),
			},
			{
				Name:  "list",
				Usage: "list the decisions in order of time, the superseded ones marked",
				Flags: []cli.Flag{
					&cli.BoolFlag{Name: "current", Usage: "leave out what is superseded", DisableDefaultText: true},
					&cli.StringFlag{Name: "for", Usage: "only those about the file or directory `PATH`: they name it, or something above or below it"},
					formatFlag(),
				},
				Action: takes(0, 0, p.listDecisions),
			},
			{
				Name:      "show",
				Usage:     "show one decision",
				ArgsUsage: "ID",
				Flags:     []cli.Flag{formatFlag()},
				Action:    takes(1, 1, p.showDecision),
			},
		},
	}
}

// decisionFlags are the flags of commands that record a decision.
func decisionFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "rationale", Usage: "why (`TEXT`)"},
		&cli.StringSliceFlag{Name: "alternative", Usage: "what was rejected (`TEXT`, may be repeated)"},
		&cli.StringSliceFlag{Name: "impact", Usage: "what follows from it (`TEXT`, may be repeated)"},
		&cli.StringSliceFlag{Name: "file", Usage: "a file it is about (`PATH`, may be repeated)"},
		&cli.StringFlag{Name: "project", Usage: "the project it is of (`NAME`); its CONTEXT.md shows the decision"},
		&cli.StringFlag{Name: "channel", Usage: "the channel it was taken in (`NAME`)"},
		choice("priority", "its weight; a high one of the boss fires boss_major_decision", "normal", engine.High),
		&cli.StringFlag{Name: "maker", Usage: "who decided (`NAME`); who records it by default"},
		&cli.StringFlag{Name: "agent", Usage: "who records it (`NAME`); git's author by default"},
		ifVersionFlag(), formatFlag(), dryRunFlag(),
	}
}

// decide records a decision and prints it.
func (p *program) decide(c *cli.Context, text string, supersedes []string) error {
	if strings.TrimSpace(text) == "" {
		return &usageError{c.Command.HelpName + ": the decision says nothing", usageLine(c.Command)}
	}
	return p.onTree(c, func(tree *engine.Tree) error {
		recorded, out, err := tree.Decide(c.Context, schema.Decision{
			Decision:             text,
			Rationale:            c.String("rationale"),
			AlternativesRejected: c.StringSlice("alternative"),
			Impact:               c.StringSlice("impact"),
			Files:                c.StringSlice("file"),
			Project:              c.String("project"),
			Channel:              c.String("channel"),
			DecisionMaker:        c.String("maker"),
			RecordedBy:           c.String("agent"),
			Supersedes:           supersedes,
			Origin:               schema.OriginExplicit,
		}, c.String("priority"))
		if err != nil {
			return err
		}
		return p.changedHot(c, out, "recorded "+named(recorded.ID, recorded.Decision), recorded)
	})
}

// promote records a decision that was detected, and prints it.
func (p *program) promote(c *cli.Context) error {
	return p.onTree(c, func(tree *engine.Tree) error {
		recorded, out, err := tree.Promote(c.Context, c.Args().First(), c.String("agent"))
		if err != nil {
			return err
		}
		return p.changedHot(c, out, "recorded "+named(recorded.ID, recorded.Decision), recorded)
	})
}

// A listedDecision is a decision and how it stands.
type listedDecision struct {
	*schema.Decision
	SupersededBy string `json:"superseded_by,omitempty"`
}

// write writes d as a line for people.
func (d *listedDecision) write(to *strings.Builder) {
	for _, text := range []string{d.ID, "  ", d.Timestamp, "  ", d.Decision.Decision} {
		if strings.ContainsAny(text, "\n\t\r") {
			text = inline(text)
		}
		to.WriteString(text)
	}
	switch d.Origin {
	case "", schema.OriginExplicit:
	case schema.OriginDetected:
		to.WriteString(" (detected, confidence " + strconv.FormatFloat(d.Confidence, 'g', 2, 64) + ")")
	default:
		to.WriteString(" (" + inline(d.Origin) + ")")
	}
	if d.SupersededBy != "" {
		to.WriteString(" (superseded by " + d.SupersededBy + ")")
	}
	to.WriteByte('\n')
}

func (p *program) listDecisions(c *cli.Context) error {
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	about := func(*schema.Decision) bool { return true }
	if c.IsSet("for") {
		at, err := p.inTree(c, c.String("for"), tree.Root())
		if err != nil {
			return err
		}
		if _, isFolder := standing(tree, at, c.String("for")); isFolder {
			at += "/"
		}
		about = query.Naming(tree, at)
	}
	known, faults := engine.Decisions(tree)
	standing := schema.Current(known)
	all := standing.All()
	list := make([]listedDecision, 0, len(all))
	for i := range all {
		by, superseded := standing.SupersededBy(all[i].ID)
		if about(&all[i]) && !(superseded && c.Bool("current")) {
			list = append(list, listedDecision{&all[i], by})
		}
	}
	for _, f := range faults {
		p.note("forgemind: warning: %s is no decision that can be read: %s", inline(p.at(f.Name)), inline(f.Err.Error()))
	}
	if wantsJSON(c) {
		return p.printJSON(struct {
			Version   int              `json:"version"`
			Decisions []listedDecision `json:"decisions"`
		}{1, list})
	}
	var lines strings.Builder
	for _, d := range list {
		d.write(&lines)
	}
	p.printf("%s", lines.String())
	return nil
}

// inTree is a path given by the user, relative to the project directory.
func (p *program) inTree(c *cli.Context, given, root string) (string, error) {
	abs, err := p.abs(given)
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(root, abs)
	if err != nil || !filepath.IsLocal(rel) {
		return "", &usageError{
			fmt.Sprintf("%s: %q is outside the project directory", c.Command.HelpName, short(given, 80)),
			usageLine(c.Command),
		}
	}
	return filepath.ToSlash(rel), nil
}

func (p *program) showDecision(c *cli.Context) error {
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	all, _ := engine.Decisions(tree)
	id := c.Args().First()
	d, err := ledger.Get(tree, id)
	if errors.Is(err, iofs.ErrNotExist) {
		at := slices.IndexFunc(all, func(d schema.Decision) bool { return d.ID == id })
		if at < 0 {
			return changeError(&engine.UnknownDecision{ID: id, Known: all})
		}
		d, err = all[at], nil
	}
	if err != nil {
		return err
	}
	by, _ := schema.Current(all).SupersededBy(d.ID)
	shown := listedDecision{&d, by}
	if wantsJSON(c) {
		return p.printJSON(shown)
	}
	text, err := jsonedit.Marshal(shown)
	if err != nil {
		return err
	}
	p.printf("%s", text)
	return nil
}
