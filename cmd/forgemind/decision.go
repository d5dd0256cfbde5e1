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
	"github.com/forgemind/forgemind/internal/extract"
	"github.com/forgemind/forgemind/internal/ledger"
	"github.com/forgemind/forgemind/internal/query"
	"github.com/forgemind/forgemind/schema"
)

func (p *program) decisionCommand() *cli.Command {
	return &cli.Command{
		Name:  "decision",
		Usage: "Record, list and supersede decisions",
		Subcommands: []*cli.Command{
			{
				Name:      "add",
				Usage:     "Record a decision",
				ArgsUsage: "TEXT",
				Flags: append(decisionFlags(),
					&cli.StringSliceFlag{Name: "supersedes", Usage: "`ID|TEXT` of a decision that this one replaces (may be repeated)"}),
				Action: takes(1, 1, func(c *cli.Context) error {
					return p.decide(c, c.Args().First(), c.StringSlice("supersedes"))
				}),
			},
			{
				Name:      "supersede",
				Usage:     "Record a decision that replaces another",
				ArgsUsage: "ID|TEXT NEW",
				Description: "The old decision stays as it is and is marked as superseded wherever it is shown. The new one takes its " +
					"project and channel unless it names others.\n'forgemind decision supersede DEC-7F3K2Q \"Use ES256 for " +
					"tokens\"'",
				Flags: decisionFlags(),
				Action: takes(2, 2, func(c *cli.Context) error {
					return p.decide(c, c.Args().Get(1), []string{c.Args().First()})
				}),
			},
			{
				Name:      "promote",
				Usage:     "Record a decision that was detected in a message",
				ArgsUsage: "MESSAGE",
				Description: "'forgemind decision list --detected' lists them; 'forgemind import git' makes notes of those in commits. The one who said it is the maker of the decision; " +
					"--agent is who records it.\n'forgemind decision promote msg-7f3k2q'",
				Flags: []cli.Flag{
					&cli.StringFlag{Name: "agent", Usage: "who records it (`NAME`); default: git's author"},
					ifVersionFlag(), formatFlag(), dryRunFlag(),
				},
				Action: takes(1, 1, p.promote),
			},
			{
				Name:  "list",
				Usage: "List the decisions in order of time",
				Flags: []cli.Flag{
					&cli.BoolFlag{Name: "current", Usage: "omit superseded decisions", DisableDefaultText: true},
					detectedFlag("decisions"),
					&cli.StringFlag{Name: "for", Usage: "only decisions that name `PATH`, or something above or below it"},
					formatFlag(),
				},
				Action: takes(0, 0, p.listDecisions),
			},
			{
				Name:      "replaces",
				Usage:     "List what a decision or a document may replace",
				ArgsUsage: "[TEXT]",
				Description: "Compares TEXT with the decisions in force by title, whole text and what they say of one another; - reads it " +
					"from standard input. Without TEXT each message is compared with the earlier ones. Nothing is recorded.\n" +
					"'forgemind decision replaces - < docs/adr/0012-sessions.md'",
				Flags:  []cli.Flag{&cli.IntFlag{Name: "limit", Usage: "at most `N` of each", Value: 5}, formatFlag()},
				Action: takes(0, 1, p.listReplaces),
			},
			{
				Name:      "show",
				Usage:     "Show a decision",
				ArgsUsage: "ID|TEXT",
				Flags:     []cli.Flag{formatFlag()},
				Action:    takes(1, 1, p.showDecision),
			},
		},
	}
}

// decisionFlags returns the flags of commands that record a decision.
func decisionFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "rationale", Usage: "reason (`TEXT`)"},
		&cli.StringSliceFlag{Name: "alternative", Usage: "rejected alternative (`TEXT`, may be repeated)"},
		&cli.StringSliceFlag{Name: "impact", Usage: "consequence (`TEXT`, may be repeated)"},
		&cli.StringSliceFlag{Name: "file", Usage: "file that the decision is about (`PATH`, may be repeated)"},
		&cli.StringFlag{Name: "project", Usage: "project (`NAME`) whose CONTEXT.md shows the decision"},
		&cli.StringFlag{Name: "channel", Usage: "channel in which it was decided (`NAME`)"},
		choice("priority", "its weight; a high one of the boss fires boss_major_decision", "normal", engine.High),
		&cli.StringFlag{Name: "maker", Usage: "who decided (`NAME`); default: who records it"},
		&cli.StringFlag{Name: "agent", Usage: "who records it (`NAME`); default: git's author"},
		ifVersionFlag(), formatFlag(), dryRunFlag(),
	}
}

// decide records a decision and prints it.
func (p *program) decide(c *cli.Context, text string, supersedes []string) error {
	if strings.TrimSpace(text) == "" {
		return &usageError{c.Command.HelpName + ": the decision is empty", usageLine(c.Command)}
	}
	return p.onTree(c, func(tree *engine.Tree) error {
		supersedes, err := decisionIDs(tree, supersedes)
		if err != nil {
			return err
		}
		similar := ""
		if len(supersedes) == 0 {
			similar = mayReplace(tree.Tree, text+"\n"+c.String("rationale"))
		}
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
		if similar != "" {
			p.note("forgemind: %s", similar)
		}
		return p.changedHot(c, out, "recorded "+named(recorded.ID, recorded.Decision), item{"decision", recorded})
	})
}

// decisionIDs returns the ids of the decisions in force that names mean.
func decisionIDs(tree *engine.Tree, names []string) (ids []string, err error) {
	if len(names) == 0 {
		return nil, nil
	}
	all, _ := engine.Decisions(tree)
	inForce := schema.Current(all).Current()
	for _, name := range names {
		id, err := idOf("decision", name, inForce, nameOfDecision)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// promote records a detected decision and prints it.
func (p *program) promote(c *cli.Context) error {
	return p.onTree(c, func(tree *engine.Tree) error {
		recorded, out, err := tree.Promote(c.Context, c.Args().First(), c.String("agent"))
		if err != nil {
			return err
		}
		return p.changedHot(c, out, "recorded "+named(recorded.ID, recorded.Decision), item{"decision", recorded})
	})
}

// A listedDecision is a decision with its status.
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
	if c.Bool("detected") {
		if c.Bool("current") || c.IsSet("for") {
			return &usageError{c.Command.HelpName + ": --detected goes without --current and --for", usageLine(c.Command)}
		}
		return p.listDetected(c, extract.ClassDecision)
	}
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
		about = func(d *schema.Decision) bool { return ledger.About(d, at) }
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
		p.note("forgemind: warning: %s cannot be read as a decision: %s", f.Name, inline(f.Err.Error()))
	}
	if wantsJSON(c) {
		return p.printList("decisions", list)
	}
	var lines strings.Builder
	for _, d := range list {
		d.write(&lines)
	}
	p.printf("%s", lines.String())
	return nil
}

// inTree returns a path given by the user, relative to the project directory.
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
	id, err := idOf("decision", c.Args().First(), all, nameOfDecision)
	if err != nil {
		return changeError(err)
	}
	d, err := ledger.Get(tree, id)
	if errors.Is(err, iofs.ErrNotExist) {
		at := slices.IndexFunc(all, func(d schema.Decision) bool { return d.ID == id })
		if at < 0 {
			return changeError(&engine.UnknownDecisionError{ID: id, Known: all})
		}
		d, err = all[at], nil
	}
	if err != nil {
		return err
	}
	by, _ := schema.Current(all).SupersededBy(d.ID)
	shown := listedDecision{&d, by}
	if wantsJSON(c) {
		return p.printJSON("decision", shown)
	}
	detail, err := query.Show(tree, d.ID)
	if err != nil {
		return err
	}
	p.printDetail(detail)
	return nil
}
