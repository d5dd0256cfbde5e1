package main

import (
	"context"
	"errors"
	"fmt"
	iofs "io/fs"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/artifact"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/schema"
)

func (p *program) loadCommand() *cli.Command {
	return &cli.Command{
		Name:      "load",
		Usage:     "Load an artifact into the window and print it",
		ArgsUsage: "ID|PATH",
		Description: "The content comes from the cache if the file is unchanged, else from disk; standard error tells which.\n" +
			"\nExamples:\n" +
			"  forgemind load IDEA-001\n" +
			"  forgemind load docs/architecture.md",
		Flags:  []cli.Flag{formatFlag(), dryRunFlag()},
		Action: takes(1, 1, p.load),
	}
}

// A loadReport is what load prints with --format json.
type loadReport struct {
	outcomeReport
	Artifact schema.Artifact `json:"artifact"`
	From     string          `json:"from"` // context, cache, disk or program
	Content  string          `json:"content"`
}

func (p *program) load(c *cli.Context) error {
	return p.onTree(c, func(tree *engine.Tree) error {
		loaded, out, err := tree.Load(c.Context, c.Args().First())
		if err != nil {
			return err
		}
		a := loaded.Artifact
		if wantsJSON(c) {
			return p.printJSON(loadReport{
				outcomeJSON(out, c.Bool("dry-run")), a, loaded.From, strings.ToValidUTF8(string(loaded.Content), "\ufffd"),
			})
		}
		p.warn(out)
		p.note("%s from %s: %s, %s", inline(a.ID), loaded.From, inline(p.at(a.Path)), count(int(a.Tokens), "token"))
		return p.verbatim(loaded.Content)
	})
}

func (p *program) unloadCommand() *cli.Command {
	return &cli.Command{
		Name:      "unload",
		Usage:     "Take artifacts out of the window",
		ArgsUsage: "[ID]…",
		Description: "The content is cached first. Artifacts of load layer 1 stay: an agent always needs them.\n" +
			"\nExamples:\n" +
			"  forgemind unload IDEA-001\n" +
			"  forgemind unload --stale",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "stale", Usage: "what was not used for threshold_minutes of config.json, 30 by default"},
			formatFlag(), dryRunFlag(),
		},
		Action: func(c *cli.Context) error {
			switch stale := c.Bool("stale"); {
			case stale && c.NArg() > 0:
				return &usageError{c.Command.HelpName + ": either IDs or --stale", usageLine(c.Command)}
			case stale:
				return p.move(c, unloadedWord, (*engine.Tree).UnloadStale)
			case c.NArg() == 0:
				return &usageError{c.Command.HelpName + ": ID or --stale missing", usageLine(c.Command)}
			}
			return p.move(c, unloadedWord, func(tree *engine.Tree, ctx context.Context) ([]string, engine.Outcome, error) {
				ids := c.Args().Slice()
				out, err := tree.Unload(ctx, ids...)
				return ids, out, err
			})
		},
	}
}

func (p *program) preloadCommand() *cli.Command {
	return &cli.Command{
		Name:  "preload",
		Usage: "Load the artifacts that the layer is likely to need",
		Description: "In layer 0 these are the current idea and the clarifications, in layer 1 the modules and the\n" +
			"architecture, in layer 2 the domain models and their events, and so on.\n" +
			"\nExample:\n" +
			"  forgemind preload --dry-run",
		Flags:  []cli.Flag{formatFlag(), dryRunFlag()},
		Action: takes(0, 0, func(c *cli.Context) error { return p.move(c, loadedWord, (*engine.Tree).Preload) }),
	}
}

// What move did.
const (
	loadedWord   = "loaded"
	unloadedWord = "unloaded"
)

// move loads or unloads several artifacts and says which. done is the word for
// it, and the name of their list in JSON.
func (p *program) move(c *cli.Context, done string, do func(*engine.Tree, context.Context) ([]string, engine.Outcome, error)) error {
	return p.onTree(c, func(tree *engine.Tree) error {
		ids, out, err := do(tree, c.Context)
		if err != nil {
			return err
		}
		if wantsJSON(c) {
			report := movedReport{outcomeReport: outcomeJSON(out, c.Bool("dry-run"))}
			if done == loadedWord {
				report.Loaded = orEmpty(ids)
			} else {
				report.Unloaded = orEmpty(ids)
			}
			return p.printJSON(report)
		}
		headline := ""
		if len(ids) > 0 {
			headline = done + " " + inline(strings.Join(ids, ", "))
		}
		p.outcome(out, headline, c.Bool("dry-run"))
		return nil
	})
}

// A movedReport is what preload and unload print with --format json.
type movedReport struct {
	outcomeReport
	Loaded   []string `json:"loaded,omitzero"`
	Unloaded []string `json:"unloaded,omitzero"`
}

func (p *program) artifactsCommand() *cli.Command {
	return &cli.Command{
		Name:   "artifacts",
		Usage:  "List the artifacts and their tokens",
		Flags:  []cli.Flag{formatFlag()},
		Action: takes(0, 0, p.listArtifacts),
	}
}

func (p *program) listArtifacts(c *cli.Context) error {
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	p.noteUnread(tree, fs.State)
	list, err := artifact.List(tree)
	if errors.Is(err, iofs.ErrNotExist) {
		err = state.ErrNoState
	}
	if err != nil {
		return err
	}
	if wantsJSON(c) {
		return p.printJSON(struct {
			Version   int               `json:"version"`
			Artifacts []schema.Artifact `json:"artifacts"`
		}{1, list})
	}
	table := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	for _, a := range list {
		loaded, used := "not loaded", "never used"
		if a.Loaded {
			loaded = "loaded"
		}
		if a.LastAccessed != "" {
			used = "used " + inline(a.LastAccessed)
		}
		if a.Outdated {
			used += ", outdated"
		}
		if a.Changed() {
			used += ", changed since it was loaded"
		}
		fmt.Fprintf(table, "%s\t%s\t%s\tlayer %d\t%s\t%s\n",
			inline(a.ID), inline(a.Type), loaded, a.LoadLayer, count(int(a.Tokens), "token"), used)
	}
	return table.Flush()
}

// whereabouts is the advice about an artifact that cannot be found.
func whereabouts(nowhere *artifact.Unknown) string {
	hint := "'forgemind artifacts' lists those there are"
	if len(nowhere.Nearest) > 0 {
		hint = fmt.Sprintf("did you mean '%s'?", inline(strings.Join(nowhere.Nearest, "', '")))
	}
	if len(nowhere.Tried) > 0 {
		hint += "\nits file was looked for at " + inline(strings.Join(nowhere.Tried, ", "))
	}
	return hint
}
