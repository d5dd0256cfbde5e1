package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/engine"
)

// adoptCondensation gives a condensation that somebody wrote the effects of condense.
func (p *program) adoptCondensation(c *cli.Context) error {
	for _, other := range []string{"from", "channel", "topic", "edit", "decision", "rationale", "action"} {
		if c.IsSet(other) || c.NArg() > 0 {
			return &usageError{c.Command.HelpName + ": --adopt takes a file of condensations/ and nothing else", usageLine(c.Command)}
		}
	}
	return p.onTree(c, func(tree *engine.Tree) error {
		name, err := p.condensationNamed(c, tree, c.String("adopt"))
		if err != nil {
			return err
		}
		done, out, err := tree.AdoptCondensation(c.Context, name, c.String("agent"))
		if err != nil {
			return err
		}
		headline := "adopted " + inline(done.File)
		if done.Already {
			headline = inline(done.File) + " is adopted"
		}
		if done.DecisionID != "" {
			headline += ", decision " + inline(done.DecisionID)
		}
		if wantsJSON(c) || len(out.Changes) > 0 {
			return p.changed(c, out, headline, item{"condensation", condenseReport{showCondensing(done), outcomeJSON(out, c.Bool("dry-run"))}})
		}
		p.warn(out)
		p.printf("%s\n", headline)
		return nil
	})
}

// filledIn returns the draft, or edited if it is set, with the values of flags.
func filledIn(c *cli.Context, tree *engine.Tree, d engine.Discussion, edited *condense.Condensation) (*condense.Condensation, error) {
	if !c.IsSet("decision") && !c.IsSet("rationale") && !c.IsSet("action") {
		return edited, nil
	}
	if edited == nil {
		draft, err := engine.DraftCondensation(tree, d)
		if err != nil {
			return nil, err
		}
		edited = &draft
	}
	found := func(label string) {
		edited.Missing = slices.DeleteFunc(edited.Missing, func(missing string) bool { return missing == label })
	}
	if c.IsSet("decision") {
		edited.Decision = strings.TrimSpace(c.String("decision"))
		found("Decision")
	}
	if c.IsSet("rationale") {
		edited.Rationale = strings.TrimSpace(c.String("rationale"))
		found("Rationale")
	}
	if c.IsSet("action") {
		edited.ActionItems = c.StringSlice("action")
		found("Action items")
	}
	return edited, nil
}
