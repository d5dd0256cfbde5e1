package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/copies"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/internal/operation"
	"github.com/forgemind/forgemind/internal/sync"
	"github.com/forgemind/forgemind/schema"
)

func (p *program) syncCommand() *cli.Command {
	return &cli.Command{
		Name:  "sync",
		Usage: "Exchange the tree with other machines",
		Description: "Takes what other machines wrote and sends what this one wrote, through a branch of the git remote\n" +
			"that 'sync init' sets. It is for those who do not commit the tree with the code. Your repository, its\n" +
			"index and its branches are not touched. Conversations and views stay on this machine.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "no-push", Usage: "receive changes and send none", DisableDefaultText: true},
			&cli.BoolFlag{Name: "patch", Usage: "with --no-push, print what would be sent as a patch", DisableDefaultText: true},
			dryRunFlag(), formatFlag(),
		},
		Action: takes(0, 0, p.sync),
		Subcommands: []*cli.Command{
			{
				Name:      "init",
				Usage:     "Set the remote, and sync",
				ArgsUsage: "git [REMOTE]",
				Description: "REMOTE is the name of a remote of this repository (origin if none is given), a URL or a path. In a\n" +
					"clone without a tree this takes the tree of the remote.",
				Flags:  []cli.Flag{&cli.StringFlag{Name: "branch", Value: sync.DefaultBranch, Usage: "the `BRANCH` that holds the tree"}, formatFlag()},
				Action: takes(1, 2, p.syncInit),
			},
			{
				Name:        "status",
				Usage:       "Compare the tree with its remote",
				Description: "Compares with the last contact and does not connect to the remote.",
				Flags:       []cli.Flag{formatFlag()},
				Action:      takes(0, 0, p.syncStatus),
			},
			{
				Name:        "who",
				Usage:       "List who sent something, the last one first",
				Description: "Reads the history that was fetched last and does not connect to the remote.",
				Flags:       []cli.Flag{formatFlag()},
				Action:      takes(0, 0, p.syncWho),
			},
		},
	}
}

func (p *program) sync(c *cli.Context) error {
	if c.Bool("patch") && !c.Bool("no-push") {
		return &usageError{"sync: --patch needs --no-push", usageLine(c.Command)}
	}
	return p.onRemote(c, func(tree *engine.Tree, r *sync.Remote) error { return p.runSync(c, tree, r) })
}

// runSync syncs and prints what was exchanged.
func (p *program) runSync(c *cli.Context, tree *engine.Tree, r *sync.Remote) error {
	report, err := sync.Run(c.Context, tree, r, sync.Options{
		NoPush: c.Bool("no-push"), Patch: c.Bool("patch"), DryRun: c.Bool("dry-run"), Jitter: rand.Float64,
		Wait: p.waits(c.Context),
	})
	if err != nil {
		return syncError(err)
	}
	switch {
	case wantsJSON(c):
		return p.printJSON("sync", report)
	case c.Bool("patch"):
		p.verbatim([]byte(report.Patch))
		return nil
	}
	p.tellSync(report)
	return nil
}

// syncError adds a hint to the error of a push that the remote refuses.
func syncError(err error) error {
	var refused *git.RejectedError
	if errors.As(err, &refused) {
		return withHint(err, "what arrived is here; 'forgemind sync --no-push --patch' prints what was to be sent, for somebody who may push")
	}
	return err
}

// tellSync prints what was exchanged, for people.
func (p *program) tellSync(report sync.Report) {
	verb := ""
	if report.DryRun {
		verb = "would have "
	}
	sent := "sent " + count(len(report.Published), "file")
	if n := len(report.Unsent); n > 0 {
		sent = "would send " + count(n, "file")
	}
	p.printf("%staken %s, %s: %s, branch %s\n", verb, count(len(report.Taken), "file"), sent, inline(report.URL), inline(report.Branch))
	for _, side := range []struct {
		mark  string
		names []string
	}{{"<", report.Taken}, {">", report.Published}, {">", report.Unsent}, {"=", report.Merged}} {
		for i, name := range side.names {
			if i == mostListed {
				p.printf("%s … and %d more\n", side.mark, len(side.names)-i)
				break
			}
			p.printf("%s %s\n", side.mark, inline(name))
		}
	}
	p.warnSync(report)
}

// warnSync prints what a person should know about a sync.
func (p *program) warnSync(report sync.Report) {
	if report.Rewritten {
		p.note("forgemind: warning: the branch was emptied or rewritten since the last sync; its missing files were sent again")
	}
	for _, where := range report.Conflicts {
		p.note("forgemind: warning: %s was edited on both sides; the local values were kept, and the file of the remote is in the attic", inline(where))
	}
	for _, r := range report.Rejected {
		p.note("forgemind: warning: %s was not taken: %s; its content is in the attic", inline(r.File), inline(r.Why))
	}
	for _, r := range report.Held {
		p.note("forgemind: warning: %s was not sent: %s", inline(r.File), inline(r.Why))
	}
}

// mostListed is the largest number of names that a sync prints for each side.
const mostListed = 20

// openRemote opens the remote of a tree.
func (p *program) openRemote(ctx context.Context, tree *engine.Tree) (*sync.Remote, error) {
	root, err := tree.RealRoot()
	if err != nil {
		return nil, err
	}
	r, err := sync.Open(ctx, copies.Home(p.Getenv), root)
	if errors.Is(err, sync.ErrNoRemote) {
		return nil, withHint(&unmetError{err.Error()}, "'forgemind sync init git' uses origin; 'forgemind sync init git URL' another one")
	}
	return r, err
}

// onRemote opens the tree and its remote and calls do.
func (p *program) onRemote(c *cli.Context, do func(*engine.Tree, *sync.Remote) error) error {
	return p.onTree(c, func(tree *engine.Tree) error {
		r, err := p.openRemote(c.Context, tree)
		if err != nil {
			return err
		}
		defer r.Close()
		return do(tree, r)
	})
}

func (p *program) syncInit(c *cli.Context) error {
	if kind := c.Args().First(); kind != "git" {
		return &usageError{fmt.Sprintf("sync init: %q is not a kind of remote; expected git", short(kind, 40)), usageLine(c.Command)}
	}
	dir, err := p.syncRoot(c)
	if err != nil {
		return err
	}
	url, err := p.remoteURL(c, dir)
	if err != nil {
		return err
	}
	tree, err := p.open(dir, false)
	if err != nil {
		return err
	}
	defer tree.Close()
	root, err := tree.RealRoot()
	if err != nil {
		return err
	}
	r, err := sync.Set(c.Context, copies.Home(p.Getenv), root, sync.Settings{URL: url, Branch: c.String("branch")})
	if err != nil {
		return err
	}
	defer r.Close()
	joined, err := p.joinTree(c.Context, tree, r)
	if err == nil {
		err = p.runSync(c, tree, r)
	}
	if err == nil && joined != nil {
		_, err = p.makeTree(c.Context, tree, *joined)
	}
	return changeError(err)
}

// syncRoot returns the directory of the tree, or the working directory if there is none.
func (p *program) syncRoot(c *cli.Context) (string, error) {
	if c.IsSet("tree") {
		return p.treeFlag(c)
	}
	dir, err := p.abs(".")
	if err != nil {
		return "", err
	}
	root, err := fs.Find(dir)
	switch {
	case fs.IsUnread(err):
		return "", err
	case err != nil:
		return dir, nil
	}
	return root, nil
}

// remoteURL returns the URL of the remote that the arguments name.
func (p *program) remoteURL(c *cli.Context, dir string) (string, error) {
	which := c.Args().Get(1)
	if which == "" {
		which = "origin"
	}
	if !strings.ContainsAny(which, "/\\:") {
		url, err := git.RemoteURL(c.Context, dir, which)
		if err != nil {
			return "", withHint(&unmetError{fmt.Sprintf("no remote %q", short(which, 60))}, "name a URL or a path: forgemind sync init git URL")
		}
		return url, sync.CheckURL(url)
	}
	if err := sync.CheckURL(which); err != nil {
		return "", &usageError{"sync init: " + err.Error(), usageLine(c.Command)}
	}
	if !strings.Contains(which, ":") && !filepath.IsAbs(which) { // neither a URL nor host:path
		return p.abs(which)
	}
	return which, nil
}

// joinTree creates the folders of the remote's tree if there is no tree here. It returns the
// options for the rest of a new tree, or nil if there was a tree.
func (p *program) joinTree(ctx context.Context, tree *engine.Tree, r *sync.Remote) (*operation.InitOptions, error) {
	if root, err := fs.Find(tree.Root()); err == nil && root == tree.Root() || fs.IsUnread(err) {
		return nil, err
	}
	folders, err := r.Join(ctx, tree)
	layout := "both"
	switch {
	case err != nil:
		return nil, err
	case len(folders) == 0:
		return nil, withHint(&unmetError{"no tree here and none on the remote"}, "'forgemind init' makes one")
	case len(folders) == 1:
		layout = strings.TrimPrefix(folders[0], ".")
	}
	return &operation.InitOptions{Layout: layout}, nil
}

func (p *program) syncStatus(c *cli.Context) error {
	return p.onRemote(c, func(tree *engine.Tree, r *sync.Remote) error {
		s, err := sync.Look(c.Context, tree, r)
		if err != nil {
			return err
		}
		if wantsJSON(c) {
			return p.printJSON("sync_status", s)
		}
		contact := "never"
		if at, err := schema.ParseTime(s.LastContact); err == nil {
			contact = at.Format(time.RFC3339)
		}
		p.printf("%s, branch %s, last contact %s\n%d ahead, %d behind, %d quarantined\n", inline(s.URL), inline(s.Branch), contact, len(s.Ahead), len(s.Behind), len(s.Quarantine))
		for _, name := range s.Ahead {
			p.printf("> %s\n", inline(name))
		}
		for _, name := range s.Behind {
			p.printf("< %s\n", inline(name))
		}
		for _, q := range s.Quarantine {
			p.printf("! %s: %s\n", inline(q.File), inline(q.Why))
		}
		return nil
	})
}

// A syncAuthor is somebody who sent files.
type syncAuthor struct {
	ID      string `json:"id"` // the name
	Commits int    `json:"commits"`
	Last    string `json:"last"` // UTC
}

func (p *program) syncWho(c *cli.Context) error {
	return p.onRemote(c, func(_ *engine.Tree, r *sync.Remote) error {
		authors, err := r.Authors(c.Context)
		if err != nil {
			return err
		}
		list := []syncAuthor{}
		for _, a := range authors {
			list = append(list, syncAuthor{a.Name, a.Commits, schema.FormatTime(a.Last)})
		}
		if wantsJSON(c) {
			return p.printList("authors", list)
		}
		for _, a := range list {
			p.printf("%s  %s  %s\n", a.Last, inline(a.ID), count(a.Commits, "sync"))
		}
		return nil
	})
}
