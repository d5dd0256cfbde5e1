package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/internal/copies"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/operation"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/sync"
	"github.com/forgemind/forgemind/schema"
)

// The bounds of the time that a claim holds.
const (
	shortestClaim = time.Second
	longestClaim  = 7 * 24 * time.Hour
)

// claimCommands returns the commands that claim a record of a kind and give it back.
func (p *program) claimCommands(k records.Kind) []*cli.Command {
	agent := &cli.StringFlag{Name: "agent", Usage: "who works on it (`NAME`); default: git's author"}
	about := "A claim ends by itself: by the clocks, so that two may hold it where clocks differ. Its number only grows. With\n" +
		"'forgemind sync' it counts once the remote has it, and only one of several that ask at once gets it. Without, it is\n" +
		"local to this working copy.\n"
	return []*cli.Command{
		{
			Name:        "claim",
			Usage:       "Claim " + articled(k.Name) + ", so that nobody else works on it",
			ArgsUsage:   "ID|TEXT",
			Description: about + "'forgemind " + k.Name + " claim ID --for 2h'",
			Flags: []cli.Flag{
				&cli.DurationFlag{Name: "for", Value: time.Hour, Usage: "how long it is held (`TIME`, such as 30m or 2h)"},
				agent, formatFlag(), dryRunFlag(),
			},
			Action: takes(1, 1, func(c *cli.Context) error { return p.claim(c, k, false) }),
		},
		{
			Name:      "release",
			Usage:     "Give back " + articled(k.Name) + " that you claimed",
			ArgsUsage: "ID|TEXT",
			Flags:     []cli.Flag{agent, formatFlag(), dryRunFlag()},
			Action:    takes(1, 1, func(c *cli.Context) error { return p.claim(c, k, true) }),
		},
	}
}

// articled returns the name of a kind with its article.
func articled(name string) string {
	if name == records.Action.Name {
		return "an action"
	}
	return "a " + name
}

// A claimReport is the output of claim and release.
type claimReport struct {
	ID     string `json:"id"` // of the action or the thread
	Of     string `json:"of"` // "action" or "thread"
	DryRun bool   `json:"dry_run,omitzero"`
	Held   bool   `json:"held"`            // whether the claim is in force
	Shared bool   `json:"shared"`          // whether the remote of 'forgemind sync' has it
	Former string `json:"former,omitzero"` // whose claim ended before
	schema.Claim
}

// claim claims a record, or gives it back.
func (p *program) claim(c *cli.Context, k records.Kind, release bool) error {
	if d := c.Duration("for"); !release && (d < shortestClaim || d > longestClaim) {
		return &usageError{fmt.Sprintf("%s: --for %v is not between %v and %v", c.Command.HelpName, d, shortestClaim, longestClaim), usageLine(c.Command)}
	}
	return p.onTree(c, func(tree *engine.Tree) error {
		remote, err := p.remoteOf(c.Context, tree)
		if err != nil {
			return err
		}
		if remote != nil {
			defer remote.Close()
		}
		wish := operation.Claiming{Which: c.Args().First(), By: c.String("agent"), For: c.Duration("for"), Release: release, Local: remote == nil}
		if remote != nil && !c.Bool("dry-run") {
			if wish.Copy, err = remote.CopyID(tree.Edge().Random); err != nil {
				return err
			}
		} else if remote != nil {
			wish.Copy = remote.Copy
		}
		if wish, err = operation.PrepareClaim(c.Context, tree, k, wish); err != nil {
			return threadError(err)
		}
		done, err := p.sendClaim(c, tree, remote, wish)
		if err != nil {
			return claimError(err, k)
		}
		return p.tellClaim(c, k, done, claimReport{
			ID: done.ID, Of: k.Name, DryRun: c.Bool("dry-run"), Held: done.Claim.HeldAt(tree.Edge().Now()), Shared: remote != nil, Claim: done.Claim,
		})
	})
}

// remoteOf returns the remote of 'forgemind sync', nil if none is set.
func (p *program) remoteOf(ctx context.Context, tree *engine.Tree) (*sync.Remote, error) {
	root, err := tree.RealRoot()
	if err != nil {
		return nil, err
	}
	home := copies.Home(p.Getenv)
	if home == "" {
		return nil, nil
	}
	r, err := sync.Open(ctx, home, root)
	if errors.Is(err, sync.ErrNoRemote) {
		return nil, nil
	}
	return r, err
}

// sendClaim makes the change that a wish comes to: here, or first on the remote.
func (p *program) sendClaim(c *cli.Context, tree *engine.Tree, remote *sync.Remote, wish operation.Claiming) (operation.Claimed, error) {
	if remote == nil || c.Bool("dry-run") {
		return operation.ClaimHere(c.Context, tree, wish)
	}
	var done operation.Claimed
	compose := func() (map[string][]byte, error) {
		var text []byte
		var err error
		if done, text, err = wish.Next(tree, tree.Edge().Now()); err != nil || done.File == "" {
			return nil, err
		}
		return map[string][]byte{done.File: text}, nil
	}
	_, err := sync.Run(c.Context, tree, remote, sync.Options{Compose: compose, Jitter: rand.Float64, Wait: p.waits(c.Context)})
	return done, err
}

// waits returns a function that waits until ctx ends or the time is over.
func (p *program) waits(ctx context.Context) func(time.Duration) {
	return func(d time.Duration) {
		select {
		case <-ctx.Done():
		case <-time.After(d):
		}
	}
}

// claimError adds a hint to the error of a claim.
func claimError(err error, k records.Kind) error {
	var held *operation.HeldError
	if errors.As(err, &held) {
		return withHint(&unmetError{err.Error()}, "nothing was recorded; 'forgemind %s list' shows who holds what until when", k.Name)
	}
	return syncError(err)
}

// tellClaim prints what became of a claim.
func (p *program) tellClaim(c *cli.Context, k records.Kind, done operation.Claimed, report claimReport) error {
	took := done.Former.Until != "" && !done.Former.IsOf(done.Claim.By, done.Claim.Copy)
	if took {
		report.Former = done.Former.By
	}
	if wantsJSON(c) {
		return p.printJSON("claim", report)
	}
	verb := map[bool]string{true: "would have "}[report.DryRun]
	switch {
	case done.File == "":
		p.printf("nothing to change: you do not hold %s\n", named(done.ID, done.Title))
		return nil
	case !report.Held:
		p.printf("%sreleased %s\n", verb, named(done.ID, done.Title))
		return nil
	}
	p.printf("%sclaimed %s for %s until %s (claim %d)\n", verb, named(done.ID, done.Title), inline(done.Claim.By), done.Claim.Until, done.Claim.Fence)
	if took {
		p.printf("the claim of %s ended at %s; where clocks differ, both may hold it for as long as they differ\n", inline(done.Former.By), done.Former.Until)
	} else {
		p.printf("it ends by the clocks: where they differ, two may hold it for as long as they differ\n")
	}
	if !report.Shared {
		p.printf("it is local to this working copy: no remote is set for 'forgemind sync', so nobody else was asked\n")
	}
	return nil
}

// heldNote returns what a list says of a claim, "" if it is not in force.
func heldNote(c *schema.Claim, now time.Time) string {
	if !c.HeldAt(now) {
		return ""
	}
	note := fmt.Sprintf("held by %s until %s, claim %d", inline(c.By), inline(c.Until), c.Fence)
	if c.Local {
		note += ", local"
	}
	return note
}

// heldClaim returns a claim if it is in force, and else nil.
func heldClaim(c *schema.Claim, now time.Time) *schema.Claim {
	if c.HeldAt(now) {
		return c
	}
	return nil
}
