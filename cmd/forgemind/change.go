package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/artifact"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/validate"
)

// openTree opens the tree a command works on, for changing it.
func (p *program) openTree(c *cli.Context) (*engine.Tree, error) {
	root, err := p.root(c)
	if err != nil {
		return nil, err
	}
	tree, err := p.open(root, c.Bool("dry-run"))
	if err == nil && c.IsSet("if-version") {
		version := c.Int("if-version")
		tree.IfVersion = &version
	}
	return tree, err
}

// author returns who runs the command, see git.Author.
func (p *program) author(root string) (string, error) {
	return git.Author(context.Background(), root, p.Getenv)
}

// edge is where this run's time, randomness and author come from.
func (p *program) edge() engine.Edge {
	return engine.Edge{Now: p.Now, Random: p.Rand, Author: p.author, Summarise: p.retell, Embed: p.embedder}
}

// retell has a summary retold by the summarizer of the user's configuration; ""
// where that names none.
func (p *program) retell(ctx context.Context, text string) (overview, label string, err error) {
	s, err := p.summarizer()
	if hint := hintFor(err); hint != "" {
		err = fmt.Errorf("%w (%s)", err, hint)
	}
	if err != nil || s == nil {
		return "", "", err
	}
	stop := p.busy("asking the summarizer")
	defer stop()
	answer, err := s.Ask(ctx, text)
	return answer.Text, answer.Label, err
}

// change opens the tree, runs do on it and says what came of it. headline is
// printed in text where something changed.
func (p *program) change(c *cli.Context, headline string, do func(context.Context, *engine.Tree) (engine.Outcome, error)) error {
	tree, err := p.openTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	out, err := do(c.Context, tree)
	if err != nil {
		return changeError(err)
	}
	if wantsJSON(c) {
		return p.printJSON(outcomeJSON(out, c.Bool("dry-run")))
	}
	p.outcome(out, headline, c.Bool("dry-run"))
	return nil
}

// onTree opens the tree of a command that changes something and runs do on it.
func (p *program) onTree(c *cli.Context, do func(*engine.Tree) error) error {
	tree, err := p.openTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	return changeError(do(tree))
}

// changed prints what a change did: item for programs, headline and the outcome
// for people.
func (p *program) changed(c *cli.Context, out engine.Outcome, headline string, item any) error {
	if wantsJSON(c) {
		p.warn(out)
		return p.printJSON(item)
	}
	p.outcome(out, headline, c.Bool("dry-run"))
	return nil
}

// warn tells people what a change has to say beside what it did, and which of the
// actions that it fired failed.
func (p *program) warn(out engine.Outcome) {
	p.notes(out)
	for _, a := range out.Failed() {
		p.note("forgemind: warning: %s", p.actedLine(a))
	}
}

// notes is warn for who is shown the effects.
func (p *program) notes(out engine.Outcome) {
	for _, n := range out.Notes {
		p.note("forgemind: warning: %s", inline(n))
	}
}

// changeError says what to do about a refused change.
func changeError(err error) error {
	var refused *validate.Refused
	var unknown *engine.UnknownDecision
	var nowhere *artifact.Unknown
	var absent *state.Unknown
	var missing *session.Unknown
	var several *session.Ambiguous
	var moved *engine.Moved
	switch {
	case errors.As(err, &refused):
		return withHint(err, "nothing was changed; 'forgemind explain %s' tells about the rule", refused.Findings[0].Rule)
	case errors.As(err, &unknown) && unknown.Why != "":
		return err
	case errors.As(err, &unknown):
		var ids []string
		for _, d := range unknown.Known {
			ids = append(ids, d.ID)
		}
		return withHint(err, "%s", didYouMean(unknown.ID, ids, "'forgemind decision list' shows those there are"))
	case errors.As(err, &nowhere):
		return withHint(err, "%s", whereabouts(nowhere))
	case errors.As(err, &absent):
		return withHint(err, "%s", didYouMean(absent.ID, absent.Known, thereAre(absent.Known)))
	case errors.As(err, &missing):
		return withHint(err, "%s", didYouMean(missing.Which, missing.Known, thereAre(missing.Known)))
	case errors.As(err, &several):
		return withHint(err, "name one by its id, or by more of its text: %s", listed(several.Among))
	case errors.As(err, &moved):
		return withHint(err, "somebody changed it; read it again, and go on from --if-version %d", moved.Version)
	case errors.Is(err, condense.ErrUnmerged):
		return withHint(err, "'forgemind validate --fix' joins both sides where that loses nothing; 'forgemind explain conflict-marker' says more")
	case is[*engine.Blocked](err):
		return withHint(err, "--force takes it off the list all the same")
	}
	return err
}

// thereAre tells which ids there are.
func thereAre(ids []string) string {
	if len(ids) == 1 {
		return "there is " + listed(ids)
	}
	return "there are " + listed(ids)
}

// listed is a list of ids for people, of which there may be many.
func listed(ids []string) string {
	const most = 10
	switch {
	case len(ids) == 0:
		return "none"
	case len(ids) > most:
		return short(strings.Join(ids[:most], ", "), 400) + fmt.Sprintf(" and %d more", len(ids)-most)
	}
	return short(strings.Join(ids, ", "), 400)
}

// outcome prints what a change did.
func (p *program) outcome(out engine.Outcome, headline string, dryRun bool) {
	if len(out.Changes) == 0 {
		p.printf("nothing to change\n")
	} else if headline != "" {
		p.printf("%s\n", headline)
	}
	p.effects(out, dryRun)
}

// effects prints warnings, the triggers that changed something when they fired, and
// actions that do not exist. With --verbose, and where nothing was done yet, it prints all
// triggers with their actions, and the documents that were written.
func (p *program) effects(out engine.Outcome, dryRun bool) {
	whole := p.verbose || dryRun
	if whole {
		p.notes(out)
	} else {
		p.warn(out)
	}
	for _, f := range out.Fired {
		if !whole && !slices.ContainsFunc(f.Actions, func(a engine.Acted) bool { return len(a.Wrote) > 0 || !a.Built }) {
			continue
		}
		p.printf("fired %s (%s)\n", inline(f.Trigger), inline(f.Reason))
		for _, a := range f.Actions {
			if whole || !a.Built {
				p.printf("  %s\n", p.actedLine(a))
			}
		}
	}
	const most = 10
	taken := out.Adopted
	if len(taken) > most {
		p.printf("took %d decisions, which stood only in a view, into the Ledger\n", len(taken))
		taken = nil
	}
	for _, id := range taken {
		p.printf("took decision %s, which stood only in a view, into the Ledger\n", id)
	}
	for _, ch := range out.Changes {
		if whole {
			p.printf("%s %s\n", verb(ch, dryRun), p.at(ch.Name))
		}
	}
}

// verb says what a change does to its name.
func verb(ch fs.Change, dryRun bool) string {
	removes := ch.Before != nil && ch.After == nil
	switch {
	case removes && dryRun:
		return "would remove"
	case removes:
		return "removed"
	case dryRun:
		return "would write"
	}
	return "wrote"
}

// actedLine tells of one action on one line.
func (p *program) actedLine(a engine.Acted) string {
	switch {
	case !a.Built:
		return inline(a.Action) + ": " + a.Unbuilt()
	case a.Err != nil:
		return inline(a.Action) + ": failed: " + inline(a.Err.Error())
	case a.Due:
		return inline(a.Action) + ": due; 'forgemind trigger fire --due' does it"
	case len(a.Wrote) == 0:
		return inline(a.Action) + ": nothing to do"
	}
	wrote := make([]string, len(a.Wrote))
	for i, name := range a.Wrote {
		wrote[i] = inline(p.at(name))
	}
	return inline(a.Action) + ": " + strings.Join(wrote, ", ")
}

// An outcomeReport is what a changing command prints with --format json.
type outcomeReport struct {
	Version int           `json:"version"`
	DryRun  bool          `json:"dry_run,omitempty"`
	Changed []string      `json:"changed"`
	Fired   []firedReport `json:"fired"`
	Adopted []string      `json:"adopted,omitempty"`
	Notes   []string      `json:"notes,omitempty"`
}

// A firedReport is one firing in an outcomeReport.
type firedReport struct {
	Trigger string        `json:"trigger"`
	Reason  string        `json:"reason"`
	By      []string      `json:"by,omitempty"` // who caused it, as far as that is known
	Actions []actedReport `json:"actions"`
}

// An actedReport is one action in a firedReport.
type actedReport struct {
	Action string   `json:"action"`
	Built  bool     `json:"built"`
	Wrote  []string `json:"wrote"`
	Error  string   `json:"error,omitempty"`
}

func outcomeJSON(out engine.Outcome, dryRun bool) outcomeReport {
	fired := []firedReport{}
	for _, f := range out.Fired {
		actions := []actedReport{}
		for _, a := range f.Actions {
			failed := ""
			if a.Err != nil {
				failed = a.Err.Error()
			}
			actions = append(actions, actedReport{a.Action, a.Built, orEmpty(a.Wrote), failed})
		}
		fired = append(fired, firedReport{f.Trigger, f.Reason, f.By, actions})
	}
	changed := []string{}
	for _, ch := range out.Changes {
		changed = append(changed, ch.Name)
	}
	slices.Sort(changed)
	return outcomeReport{1, dryRun, changed, fired, out.Adopted, out.Notes}
}

func orEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// number reads an argument that must be a number within bounds.
func number[T int | float64](c *cli.Context, what string, parse func(string) (T, error), least, most T) (T, error) {
	n, err := parse(c.Args().First())
	if err != nil || !(n >= least && n <= most) {
		return 0, &usageError{
			fmt.Sprintf("%s: %q is no %s from %v to %v", c.Command.HelpName, short(c.Args().First(), 40), what, least, most),
			usageLine(c.Command),
		}
	}
	return n, nil
}
