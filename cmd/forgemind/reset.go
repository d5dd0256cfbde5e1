package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
)

func (p *program) resetCommand() *cli.Command {
	return &cli.Command{
		Name:  "reset",
		Usage: "Start with an empty conversation",
		Description: "Moves cold storage, logs and messages to .local/trash/, all of them or none. Decisions, notes, the State,\n" +
			"summaries and sessions stay. On a terminal it asks for the name of the project directory; a script gives\n" +
			"it with --name.\n" +
			"\nExample:\n" +
			"  forgemind reset --dry-run",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "name", Usage: "confirm with the `NAME` of the project directory"},
			&cli.BoolFlag{Name: "force", Usage: "accepted for compatibility; --name is still required"},
			formatFlag(), dryRunFlag(),
		},
		Action: takes(0, 0, p.reset),
	}
}

// A resetReport is what reset prints with --format json.
type resetReport struct {
	Version int      `json:"version"`
	DryRun  bool     `json:"dry_run,omitzero"`
	Moved   []string `json:"moved"`
	Left    []string `json:"left"`  // what stays beside them
	Trash   []string `json:"trash"` // the folders that they went to
	Notes   []string `json:"notes,omitempty"`
}

func (p *program) reset(c *cli.Context) error {
	return p.onTree(c, func(tree *engine.Tree) error {
		name, dryRun := filepath.Base(tree.Root()), c.Bool("dry-run")
		switch {
		case c.IsSet("name") && c.String("name") != name:
			return withHint(&unmetError{fmt.Sprintf("this is not the tree %q; nothing was moved", short(c.String("name"), 80))},
				"a tree has the name of its project directory; --tree says which one is meant")
		case c.IsSet("name") || dryRun:
		case !isTerminal(p.Stdin):
			return &usageError{c.Command.HelpName + ": --name missing; there is no terminal to ask for the name of the tree",
				"--name says that it is meant, with the name of the project directory; 'forgemind reset --dry-run' says what would be moved"}
		default:
			if err := p.confirmReset(c.Context, tree, name); err != nil {
				return err
			}
		}
		done, out, err := tree.Reset(c.Context)
		if err != nil {
			return err
		}
		if wantsJSON(c) {
			return p.printJSON(resetReport{1, dryRun, orEmpty(done.Moved), orEmpty(done.Left), orEmpty(trashOf(done)), out.Notes})
		}
		p.warn(out)
		p.tellReset(done, dryRun)
		return nil
	})
}

// confirmReset says what would be moved and asks whether it is meant.
func (p *program) confirmReset(ctx context.Context, tree *engine.Tree, name string) error {
	would, err := engine.ToReset(tree)
	if err != nil || len(would.Moved) == 0 {
		return err
	}
	p.tellReset(would, true)
	p.out.flush()
	fmt.Fprint(p.err, "the name of the tree, if this is meant: ")
	answer, err := readLines(p.Stdin).next(ctx)
	switch {
	case err == io.EOF || err == nil && answer == "":
		return &unmetError{"nothing was moved"}
	case err != nil:
		return err
	case answer != name:
		return &unmetError{fmt.Sprintf("this is not the tree %q; nothing was moved", short(answer, 80))}
	}
	return nil
}

// tellReset says what was moved, or would be, and where to.
func (p *program) tellReset(done engine.Reset, would bool) {
	verb := "moved"
	if would {
		verb = "would move"
	}
	for _, name := range done.Left {
		p.note("forgemind: warning: %s stays: it is no document of forgemind's, or none that can be read", inline(p.at(name)))
	}
	if len(done.Moved) == 0 {
		p.printf("nothing to move: there is no cold storage, no log and no conversation\n")
		return
	}
	for _, name := range done.Moved {
		p.printf("%s %s\n", verb, inline(p.at(name)))
	}
	var trash []string
	for _, folder := range trashOf(done) {
		trash = append(trash, inline(p.at(folder)))
	}
	p.printf("%s %s to %s, each under the time and its old name\n", verb, count(len(done.Moved), "file"), strings.Join(trash, " and "))
}

// trashOf are the folders that files go to.
func trashOf(done engine.Reset) []string {
	var folders []string
	for _, folder := range []string{fs.Forgemind, fs.Quaid} {
		for _, name := range done.Moved {
			if strings.HasPrefix(name, folder+"/") {
				folders = append(folders, fs.LocalName(folder, "trash"))
				break
			}
		}
	}
	return folders
}
