package forgemind_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/forgemind/forgemind"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// newTree makes a project directory with one session.
func newTree(t *testing.T) (root string) {
	t.Helper()
	root = t.TempDir()
	documents, err := session.New("conv-1", time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range documents {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, text, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func open(t *testing.T, root string) *forgemind.Tree {
	t.Helper()
	tree, err := forgemind.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tree.Close() })
	return tree
}

// Four programs make 30 updates each, of two steps that belong together: all of
// them are there, each has a version of its own, and none is half done.
func TestUpdatesOfSeveralPrograms(t *testing.T) {
	t.Parallel() // it takes long
	const programs, updates = 4, 30
	root := newTree(t)
	var mu sync.Mutex
	var versions []int
	var wg sync.WaitGroup
	for p := range programs {
		tree := open(t, filepath.Join(root, ".quaid")) // from anywhere below
		wg.Go(func() {
			for n := range updates {
				version, err := tree.Update(t.Context(), fmt.Sprintf("agent-%d", p), func(e *forgemind.Edit) error {
					g, err := e.AddGoal(schema.Goal{Goal: fmt.Sprintf("goal %d-%d", p, n)})
					if err != nil {
						return err
					}
					_, err = e.AddAction(schema.Action{Action: "reach " + g.ID})
					return err
				})
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				versions = append(versions, version)
				mu.Unlock()
			}
		})
	}
	wg.Wait()

	slices.Sort(versions)
	for i, v := range versions {
		if v != i+2 {
			t.Fatalf("the versions are %v", versions)
		}
	}
	text, err := os.ReadFile(filepath.Join(root, session.HotContext("conv-1")))
	var hot schema.HotContext
	if err = errors.Join(err, json.Unmarshal(text, &hot)); err != nil {
		t.Fatal(err)
	}
	if len(hot.ActiveGoals) != programs*updates {
		t.Errorf("%d goals", len(hot.ActiveGoals))
	}
	for i, g := range hot.ActiveGoals {
		a := hot.PendingActions[i]
		if a.Action != "reach "+g.ID || a.CreatedBy != g.Agent {
			t.Errorf("beside goal %+v stands action %+v", g, a)
		}
	}
}

// What was made for a version that is gone is not written, and neither is what
// fails in the middle.
func TestAnUpdateIsWholeOrNothing(t *testing.T) {
	tree := open(t, newTree(t))
	ctx := t.Context()
	add := func(text string) func(*forgemind.Edit) error {
		return func(e *forgemind.Edit) error { _, err := e.AddGoal(schema.Goal{Goal: text}); return err }
	}
	if v, err := tree.UpdateAt(ctx, 1, "anna", add("first")); v != 2 || err != nil {
		t.Fatalf("version %d, %v", v, err)
	}
	var moved *forgemind.Moved
	if _, err := tree.UpdateAt(ctx, 1, "ben", add("second")); !errors.As(err, &moved) || moved.Version != 2 {
		t.Errorf("the error is %v", err)
	}
	broken := errors.New("broken off")
	_, err := tree.Update(ctx, "ben", func(e *forgemind.Edit) error {
		return errors.Join(add("third")(e), broken)
	})
	if !errors.Is(err, broken) {
		t.Errorf("the error is %v", err)
	}
	_, err = tree.Update(ctx, "anna", func(e *forgemind.Edit) error {
		hot, err := e.Context()
		if len(hot.ActiveGoals) != 1 || hot.Version != 2 {
			t.Errorf("there are %+v", hot)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
