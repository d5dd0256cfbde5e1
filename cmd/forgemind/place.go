package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/views"
)

// abs is where a path given by the user is, seen from the working directory.
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

// shown is an absolute path as people see it: relative to the working
// directory where that is possible.
func (p *program) shown(abs string) string {
	dir, err := p.Getwd()
	if err != nil {
		return abs
	}
	rel, err := filepath.Rel(dir, abs)
	if err == nil && strings.HasPrefix(rel, "..") { // from a link, ".." leads elsewhere than its path says
		above, base := filepath.Split(abs)
		rel, err = filepath.Rel(fs.Unlinked(dir), filepath.Join(fs.Unlinked(filepath.Clean(above)), base))
	}
	if err != nil {
		return abs
	}
	return rel
}

// at returns the path, seen from the working directory, of what is called name in the tree
// that the run works on.
func (p *program) at(name string) string {
	if name == "" {
		return ""
	}
	return filepath.ToSlash(p.shown(filepath.Join(p.tree, filepath.FromSlash(name))))
}

// root returns the tree that the run works on, and keeps which it is. It says so where that
// one lies above the worktree or submodule that the working directory is in.
func (p *program) root(c *cli.Context) (string, error) {
	root, err := p.findRoot(c)
	p.tree = root
	if here, unknown := p.abs("."); err == nil && unknown == nil && !c.IsSet("tree") {
		if top := fs.Nested(here); top != "" {
			p.note("forgemind: note: %s has no tree of its own; this is the one in %s", inline(filepath.ToSlash(p.shown(top))), inline(filepath.ToSlash(p.shown(root))))
		}
	}
	return root, err
}

// findRoot returns the tree of --tree, or the nearest one above the working directory.
func (p *program) findRoot(c *cli.Context) (string, error) {
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
		return "", withHint(fmt.Errorf("%s: there is no %s or %s folder in it", p.shown(dir), fs.Forgemind, fs.Quaid),
			"'forgemind init' makes a tree")
	}
	return root, err
}

// treeFlag is the directory that --tree names, tree or not.
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
		views.Attach(tree)
	}
	return tree, err
}

// open opens a tree for writing, or for saying what would be written.
func (p *program) open(root string, dryRun bool) (*engine.Tree, error) {
	tree, err := engine.Open(root, p.edge())
	if err != nil {
		return nil, err
	}
	tree.DryRun = dryRun
	tree.Report = func(i fs.Incident) {
		kept := "its bytes could not be kept"
		if i.Kept != "" {
			kept = "its bytes are kept in " + p.at(i.Kept)
		}
		p.note("forgemind: warning: %s: %s; %s", inline(p.at(i.Name)), inline(strings.TrimSuffix(i.What, ".")), inline(kept))
	}
	return tree, nil
}
