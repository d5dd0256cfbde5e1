package main

import (
	"errors"
	iofs "io/fs"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/ledger"
	"github.com/forgemind/forgemind/internal/refresh"
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
				Flags:     decisionFlags(),
				Action: takes(2, 2, func(c *cli.Context) error {
					return p.decide(c, c.Args().Get(1), []string{c.Args().First()})
				}),
			},
			{
				Name:  "list",
				Usage: "list the decisions in order of time, the superseded ones marked",
				Flags: []cli.Flag{
					&cli.BoolFlag{Name: "current", Usage: "leave out what is superseded", DisableDefaultText: true},
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
		choice("priority", "its weight; a high one of the boss fires boss_major_decision", "normal", refresh.High),
		&cli.StringFlag{Name: "maker", Usage: "who decided (`NAME`); the boss by default"},
		&cli.StringFlag{Name: "agent", Usage: "who records it (`NAME`); the State's role by default"},
		formatFlag(), dryRunFlag(),
	}
}

// decide records a decision and prints it.
func (p *program) decide(c *cli.Context, text string, supersedes []string) error {
	if strings.TrimSpace(text) == "" {
		return &usageError{c.Command.HelpName + ": the decision says nothing", usageLine(c.Command)}
	}
	tree, err := p.openTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	recorded, out, err := tree.Decide(c.Context, schema.Decision{
		Decision:             text,
		Rationale:            c.String("rationale"),
		AlternativesRejected: c.StringSlice("alternative"),
		Impact:               c.StringSlice("impact"),
		Files:                c.StringSlice("file"),
		DecisionMaker:        c.String("maker"),
		RecordedBy:           c.String("agent"),
		Supersedes:           supersedes,
		Origin:               schema.OriginExplicit,
	}, c.String("priority"))
	if err != nil {
		return changeError(err)
	}
	if wantsJSON(c) {
		return p.printJSON(recorded)
	}
	p.outcome(out, "recorded "+recorded.ID+": "+inline(recorded.Decision), c.Bool("dry-run"))
	return nil
}

// A listedDecision is a decision and how it stands.
type listedDecision struct {
	schema.Decision
	SupersededBy string `json:"superseded_by,omitempty"`
}

func (p *program) listDecisions(c *cli.Context) error {
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	all, faults := ledger.All(tree)
	standing := schema.Current(all)
	list := []listedDecision{}
	for _, d := range standing.All() {
		by, superseded := standing.SupersededBy(d.ID)
		if !superseded || !c.Bool("current") {
			list = append(list, listedDecision{d, by})
		}
	}
	for _, f := range faults {
		p.note("forgemind: warning: %s is no decision that can be read: %s", f.Name, inline(f.Err.Error()))
	}
	if wantsJSON(c) {
		return p.printJSON(struct {
			Version   int              `json:"version"`
			Decisions []listedDecision `json:"decisions"`
		}{1, list})
	}
	for _, d := range list {
		mark := ""
		if d.SupersededBy != "" {
			mark = " (superseded by " + d.SupersededBy + ")"
		}
		p.printf("%s  %s  %s%s\n", d.ID, d.Timestamp, inline(d.Decision.Decision), mark)
	}
	return nil
}

func (p *program) showDecision(c *cli.Context) error {
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	all, _ := ledger.All(tree)
	d, err := ledger.Get(tree, c.Args().First())
	if errors.Is(err, iofs.ErrNotExist) {
		return changeError(&refresh.UnknownDecision{ID: c.Args().First(), Known: all})
	}
	if err != nil {
		return err
	}
	by, _ := schema.Current(all).SupersededBy(d.ID)
	shown := listedDecision{d, by}
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
