package main

import (
	"errors"
	"fmt"
	iofs "io/fs"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/query"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

func (p *program) decisionCommand() *cli.Command {
	return &cli.Command{
		Name:  "decision",
		Usage: "Record and supersede decisions",
		Subcommands: []*cli.Command{
			{
				Name:      "add",
				Usage:     "Record a decision",
				ArgsUsage: "TEXT",
				Description: "A decision is recorded once and never changed; 'forgemind decision supersede' replaces it.\n" +
					"\nExample:\n" +
					"  forgemind decision add \"Sign tokens with RS256\" --file internal/jwt.go \\\n" +
					"    --rationale \"Services verify without the secret\" --alternative HS256",
				Flags: append(decisionFlags(),
					&cli.StringSliceFlag{Name: "supersedes", Usage: "a decision that this one replaces (`ID|TEXT`)"}),
				Action: takes(1, 1, func(c *cli.Context) error {
					return p.decide(c, c.Args().First(), c.StringSlice("supersedes"))
				}),
			},
			{
				Name:      "supersede",
				Usage:     "Replace a decision by a new one",
				ArgsUsage: "DECISION TEXT",
				Description: "DECISION is an id, a part of it, or words of its text. It is kept and marked as superseded wherever it is\n" +
					"shown. The new one belongs to the same project and channel unless it names others.\n" +
					"\nExample:\n" +
					"  forgemind decision supersede \"HS256\" \"Sign tokens with RS256\"",
				Flags: decisionFlags(),
				Action: takes(2, 2, func(c *cli.Context) error {
					return p.decide(c, c.Args().Get(1), []string{c.Args().First()})
				}),
			},
			{
				Name:      "promote",
				Usage:     "Record a decision that was detected or proposed",
				ArgsUsage: "MESSAGE|DECISION",
				Description: "One that was detected in a message is attributed to the author of the message; 'forgemind sessions show'\n" +
					"lists those. One that is proposed is named by its id or by words of its text; 'forgemind decision list'\n" +
					"marks those. The new decision supersedes the proposal and what the proposal supersedes.\n" +
					"\nExamples:\n" +
					"  forgemind decision promote msg-7f3k2q\n" +
					"  forgemind decision promote DEC-7F3K2Q",
				Flags: []cli.Flag{
					&cli.StringFlag{Name: "agent", Usage: "who records it (`NAME`); git's author by default"},
					ifVersionFlag(), formatFlag(), dryRunFlag(),
				},
				Action: takes(1, 1, p.promote),
			},
			{
				Name:  "list",
				Usage: "List the decisions, oldest first",
				Flags: []cli.Flag{
					&cli.BoolFlag{Name: "current", Usage: "only those that are in force"},
					&cli.StringFlag{Name: "for", Usage: "only those about the file or directory `PATH`: they name it, or something above or below it"},
					formatFlag(),
				},
				Action: takes(0, 0, p.listDecisions),
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

// decisionFlags are the flags of commands that record a decision.
func decisionFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "rationale", Usage: "why (`TEXT`)"},
		&cli.StringSliceFlag{Name: "alternative", Usage: "what was rejected (`TEXT`)"},
		&cli.StringSliceFlag{Name: "impact", Usage: "what follows from it (`TEXT`)"},
		&cli.StringSliceFlag{Name: "file", Usage: "a file it is about (`PATH`)"},
		&cli.StringFlag{Name: "project", Usage: "the project it is of (`NAME`); its CONTEXT.md shows the decision"},
		&cli.StringFlag{Name: "channel", Usage: "the channel it was taken in (`NAME`)"},
		choice("priority", "its weight; high fires the trigger boss_major_decision for a decision of the boss", "normal", schema.HighPriority),
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
		var replaced []string
		for i, which := range supersedes {
			old, err := decisionNamed(tree, which)
			if err != nil {
				return err
			}
			supersedes[i] = old.ID
			replaced = append(replaced, named(old.ID, old.Decision))
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
			Priority:             schema.Word(c.String("priority")),
		})
		if err != nil {
			return err
		}
		headline := "recorded " + named(recorded.ID, recorded.Decision)
		if len(replaced) > 0 {
			headline += ", in place of " + strings.Join(replaced, ", ")
		}
		return p.changedHot(c, out, headline, recorded)
	})
}

// promote records a decision that was detected or proposed, and prints it.
func (p *program) promote(c *cli.Context) error {
	return p.onTree(c, func(tree *engine.Tree) error {
		which := c.Args().First()
		promote := tree.Promote
		d, err := decisionNamed(tree, which)
		switch {
		case err == nil:
			promote, which = tree.Accept, d.ID
		case errors.As(err, new(*session.Ambiguous)):
			return err
		}
		recorded, out, err := promote(c.Context, which, c.String("agent"))
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
	if d.IsProposed() {
		to.WriteString(" (proposed)")
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
	known, faults := engine.AllDecisions(tree)
	standing := schema.Current(known)
	all := standing.WithProposals()
	list := make([]listedDecision, 0, len(all))
	for i := range all {
		by, superseded := standing.SupersededBy(all[i].ID)
		if about(&all[i]) && !(c.Bool("current") && (superseded || all[i].IsProposed())) {
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
	d, err := decisionNamed(tree, c.Args().First())
	if err != nil {
		return changeError(err)
	}
	all, _ := engine.AllDecisions(tree)
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

// decisionNamed returns the decision that which names by its id or by unique text. The
// error is an *engine.UnknownDecision or a *session.Ambiguous, or why its file cannot be
// read.
func decisionNamed(r fs.Reader, which string) (schema.Decision, error) {
	var d schema.Decision
	if schema.ValidID(which) && len(which) <= 100 {
		if d, err := records.GetDecision(r, which); !errors.Is(err, iofs.ErrNotExist) {
			return d, err
		}
	}
	all, _ := engine.AllDecisions(r)
	standing := schema.Current(all)
	i, err := session.Find("decision", which, all, func(d schema.Decision) (id, text string) {
		if standing.Accepted(d.ID) != d.ID { // its words are the other's
			return d.ID, ""
		}
		return d.ID, d.Decision
	})
	var unknown *session.Unknown
	if errors.As(err, &unknown) {
		return d, &engine.UnknownDecision{ID: which, Known: all}
	}
	if err != nil {
		return d, err
	}
	return all[i], nil
}
