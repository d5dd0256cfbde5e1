package sync_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	gosync "sync"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/operation"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/sync"
	"github.com/forgemind/forgemind/schema"
)

// A clone is a working copy that claims things.
type clone struct {
	name string
	dir  string
	tree *engine.Tree
}

func (c *clone) open(t *testing.T) *sync.Remote {
	t.Helper()
	r, err := sync.Open(t.Context(), c.dir+"-state", c.dir)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// newClones returns working copies of one remote that have an action, "ACT-1".
func newClones(t *testing.T, number int) (clones []*clone) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir := t.TempDir()
	remote := filepath.Join(dir, "remote.git")
	if out, err := exec.Command("git", "init", "-q", "--bare", remote).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for i := range number {
		c := &clone{name: fmt.Sprintf("agent%d", i), dir: filepath.Join(dir, fmt.Sprintf("clone%d", i))}
		if err := os.MkdirAll(filepath.Join(c.dir, ".forgemind", "actions"), 0o755); err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]string{fs.Config: `{"format": 2, "views": "local"}`, ".forgemind/actions/ACT-1.json": `{"id": "ACT-1", "action": "Rotate the key"}`} {
			if err := os.WriteFile(filepath.Join(c.dir, filepath.FromSlash(name)), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		var err error
		edge := engine.Edge{Now: time.Now, Random: rand.NewChaCha8([32]byte{byte(i)}), Author: func(string) (string, error) { return "somebody", nil }}
		if c.tree, err = engine.Open(c.dir, edge); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.tree.Close() })
		r, err := sync.Set(t.Context(), c.dir+"-state", c.dir, sync.Settings{URL: remote, Branch: sync.DefaultBranch})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := sync.Run(t.Context(), c.tree, r, sync.Options{}); err != nil {
			t.Fatal(err)
		}
		r.Close()
		clones = append(clones, c)
	}
	return clones
}

// claim claims the action for a time, or gives it back.
func (c *clone) claim(t *testing.T, wish operation.Claiming) (schema.Claim, error) {
	t.Helper()
	r := c.open(t)
	defer r.Close()
	var err error
	if wish.Copy, err = r.CopyID(c.tree.Edge().Random); err != nil {
		return schema.Claim{}, err
	}
	wish.Which = "ACT-1"
	if wish, err = operation.PrepareClaim(t.Context(), c.tree, records.Action, wish); err != nil {
		return schema.Claim{}, err
	}
	var done operation.Claimed
	_, err = sync.Run(t.Context(), c.tree, r, sync.Options{
		Wait: time.Sleep, Jitter: rand.Float64,
		Compose: func() (map[string][]byte, error) {
			var text []byte
			var err error
			if done, text, err = wish.Next(c.tree, time.Now()); err != nil || done.File == "" {
				return nil, err
			}
			return map[string][]byte{done.File: text}, nil
		},
	})
	return done.Claim, err
}

// changes returns the number of changes of the action in the working copy by its own hand.
func (c *clone) changes(t *testing.T, word string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(c.dir, ".forgemind", "actions"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if src, err := os.ReadFile(filepath.Join(c.dir, ".forgemind", "actions", e.Name())); err == nil && strings.Contains(e.Name(), "."+word+"-") && strings.Contains(string(src), c.name+`"`) {
			names = append(names, e.Name())
		}
	}
	return names
}

// TestClaimsRace has clones that claim one action at once, again and again: each number has one
// holder at most, one of those who ask at once gets it, and nothing is recorded for the others.
func TestClaimsRace(t *testing.T) {
	t.Parallel()
	for _, number := range []int{2, 5} {
		t.Run(fmt.Sprint(number), func(t *testing.T) {
			t.Parallel()
			race(t, newClones(t, number), 2)
		})
	}
}

func race(t *testing.T, clones []*clone, rounds int) {
	holders, last, won := map[schema.Int]string{}, schema.Int(0), map[string]int{}
	for round := range rounds {
		var group gosync.WaitGroup
		got, failed := make([]schema.Claim, len(clones)), make([]error, len(clones))
		for i, c := range clones {
			group.Go(func() { got[i], failed[i] = c.claim(t, operation.Claiming{By: c.name, For: time.Hour}) })
		}
		group.Wait()
		winner := -1
		for i, c := range clones {
			var held *operation.HeldError
			switch {
			case failed[i] == nil && winner >= 0:
				t.Fatalf("round %d: %s and %s hold it", round, clones[winner].name, c.name)
			case failed[i] == nil:
				winner = i
				if other, taken := holders[got[i].Fence]; taken || got[i].Fence <= last {
					t.Errorf("round %d: %s holds number %d after %d, as %q did", round, c.name, got[i].Fence, last, other)
				}
				holders[got[i].Fence], last = c.name, got[i].Fence
				won[c.name]++
			case !errors.As(failed[i], &held):
				t.Errorf("round %d: %s: %v", round, c.name, failed[i])
			}
		}
		if winner < 0 {
			t.Fatalf("round %d: nobody holds it", round)
		}
		for _, c := range clones {
			if names := c.changes(t, "claimed"); len(names) != won[c.name] {
				t.Errorf("round %d: %s won %d times and recorded %q", round, c.name, won[c.name], names)
			}
		}
		if _, err := clones[winner].claim(t, operation.Claiming{By: clones[winner].name, Release: true}); err != nil {
			t.Fatal(err)
		}
	}
}

// TestClaimAfterItsEnd has a claim that ran out: another clone takes it with the next number, and
// the former holder, whose clock may be behind, learns of it when it asks.
func TestClaimAfterItsEnd(t *testing.T) {
	t.Parallel()
	clones := newClones(t, 2)
	one, two := clones[0], clones[1]
	if got, err := one.claim(t, operation.Claiming{By: one.name, For: time.Nanosecond}); err != nil || got.Fence != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	if got, err := two.claim(t, operation.Claiming{By: two.name, For: time.Hour}); err != nil || got.Fence != 2 {
		t.Fatalf("%+v, %v", got, err)
	}
	var held *operation.HeldError
	if _, err := one.claim(t, operation.Claiming{By: one.name, For: time.Hour}); !errors.As(err, &held) || held.Claim.By != two.name {
		t.Errorf("the former holder: %v", err)
	}
	if got, err := two.claim(t, operation.Claiming{By: two.name, For: 2 * time.Hour}); err != nil || got.Fence != 2 {
		t.Errorf("held for longer: %+v, %v", got, err)
	}
}
