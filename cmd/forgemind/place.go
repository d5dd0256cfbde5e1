package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/present"
	"github.com/forgemind/forgemind/internal/views"
)

// abs returns the absolute path of a path given by the user.
func (p *program) abs(path string) (string, error) {
	if filepath.IsAbs(path) {
		return filepath.Clean(path), nil
	}
	dir, err := p.Getwd()
	if err != nil {
		return "", fmt.Errorf("working directory: %w", err)
	}
	return filepath.Join(dir, path), nil
}

// shown returns an absolute path for people, relative to the working directory if possible.
func (p *program) shown(abs string) string {
	dir, err := p.Getwd()
	if err != nil {
		return abs
	}
	rel, err := filepath.Rel(dir, abs)
	if err != nil {
		return abs
	}
	return rel
}

// root returns the root of the command's tree: that of --tree, or the nearest one above the working
// directory.
func (p *program) root(c *cli.Context) (string, error) {
	if !c.IsSet("tree") {
		dir, err := p.abs(".")
		if err != nil {
			return "", err
		}
		return fs.Find(dir)
	}
	dir, err := p.treeFlag(c)
	if err != nil {
		return "", err
	}
	root, err := fs.Find(dir)
	inFolder := filepath.Dir(dir) == root && (filepath.Base(dir) == fs.Forgemind || filepath.Base(dir) == fs.Quaid)
	if errors.Is(err, fs.ErrNoTree) || err == nil && root != dir && !inFolder {
		return "", withHint(&problemError{fmt.Sprintf("%s: no %s or %s folder in it", p.shown(dir), fs.Forgemind, fs.Quaid), present.Problem{Kind: present.NotFound}},
			"'forgemind init' makes a tree")
	}
	return root, err
}

// treeFlag returns the directory in --tree, whether or not it is a tree.
func (p *program) treeFlag(c *cli.Context) (string, error) {
	if c.String("tree") == "" {
		return "", &usageError{"--tree: a directory is missing", ""}
	}
	return p.abs(c.String("tree"))
}

// readTree opens the tree of a command that changes nothing. The caller closes it.
func (p *program) readTree(c *cli.Context) (*fs.Tree, error) {
	root, err := p.root(c)
	if err != nil {
		return nil, err
	}
	tree, err := fs.Open(root)
	if err == nil {
		views.AttachBriefly(tree)
		tree.DryRun, tree.Date = p.derivesNothing, p.Now
	}
	return tree, err
}

// open opens a tree for writing, or for a dry run.
func (p *program) open(root string, dryRun bool) (*engine.Tree, error) {
	tree, err := engine.Open(root, p.edge())
	if err != nil {
		return nil, err
	}
	tree.DryRun = dryRun
	tree.Report = func(i fs.Incident) {
		kept := "its content could not be kept"
		if i.Kept != "" {
			kept = "its content is kept in " + i.Kept
		}
		p.note("forgemind: warning: %s: %s; %s", inline(i.Name), inline(strings.TrimSuffix(i.What, ".")), inline(kept))
	}
	return tree, nil
}
