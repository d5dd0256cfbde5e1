package main

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/schema"
)

func (p *program) migrateCommand() *cli.Command {
	return &cli.Command{
		Name:  "migrate",
		Usage: "Move facts from views into records",
		Description: "A tree of an older forgemind, or of another program, has its goals, questions and actions only in the\n" +
			"State and in hot contexts. This command writes each of them as a file, so that branches merge without\n" +
			"conflicts. The documents stay and show the same. With --views local, git is to ignore them.",
		Flags: []cli.Flag{
			choice("views", "who keeps the documents that are rendered from records, each working copy or git", localViews, schema.TrackedViews),
			dryRunFlag(), formatFlag(),
		},
		Action: takes(0, 0, p.migrate),
	}
}

func (p *program) migrate(c *cli.Context) error {
	tracked := c.String("views") == schema.TrackedViews
	headline := "every fact is a record"
	if tracked {
		headline += ", and git keeps the views"
	}
	err := p.change(c, headline, func(ctx context.Context, tree *engine.Tree) (engine.Outcome, error) {
		return tree.Migrate(ctx, tracked)
	})
	if err != nil || tracked {
		return err
	}
	return p.tellTrackedViews(c)
}

// viewPaths are the places of documents that are rendered from records, as git takes them.
var viewPaths = []string{fs.ActiveSession, fs.SessionIndex,
	fs.State, fs.Sessions,
	":(glob)" + fs.Forgemind + "/threads/*/*.json", ":(glob)" + fs.Quaid + "/threads/*/*.json",
	":(glob)" + fs.Forgemind + "/channels/*/pins.json", ":(glob)" + fs.Quaid + "/channels/*/pins.json",
}

// tellTrackedViews tells which views git still tracks: forgemind does not change the index.
func (p *program) tellTrackedViews(c *cli.Context) error {
	root, err := p.root(c)
	if err != nil {
		return err
	}
	files, tracked := 0, []string{}
	for _, path := range viewPaths {
		names, err := git.Tracked(c.Context, root, path)
		switch {
		case errors.Is(err, git.ErrNoRepository), errors.Is(err, git.ErrNotInstalled):
			return nil
		case err != nil:
			return err
		case len(names) > 0:
			files += len(names)
			tracked = append(tracked, `"`+path+`"`)
		}
	}
	if files > 0 {
		p.note("forgemind: note: git still tracks %s of the views; to leave them to each working copy, run 'git rm -r --cached %s' in %s and commit",
			count(files, "file"), strings.Join(tracked, " "), inline(filepath.ToSlash(p.shown(root))))
	}
	return nil
}
