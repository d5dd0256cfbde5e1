package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/artifact"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/internal/tokens"
)

// Load loads an artifact by its id or its path. The error is an *artifact.UnknownError
// if there is no such artifact.
func (t *Tree) Load(ctx context.Context, id string) (artifact.Loaded, Outcome, error) {
	var loaded artifact.Loaded
	var unusable *artifact.UnusableError
	out, err := t.do(ctx, func(r *WorkingSet) error {
		return r.byCommand(func(e artifact.Edge) (err error) {
			if loaded, err = artifact.Load(r.tx, id, e); errors.As(err, &unusable) {
				return nil // the finding about its file is worth publishing
			}
			return err
		})
	})
	if err == nil && unusable != nil {
		err = unusable
	}
	return loaded, out, err
}

// Unload takes artifacts out of the window.
func (t *Tree) Unload(ctx context.Context, ids ...string) (Outcome, error) {
	return t.do(ctx, func(r *WorkingSet) error { return r.unload(ids) })
}

// UnloadStale unloads the artifacts that were not used lately and returns their ids.
func (t *Tree) UnloadStale(ctx context.Context) ([]string, Outcome, error) {
	var stale []string
	out, err := t.do(ctx, func(r *WorkingSet) (err error) {
		stale, err = artifact.Stale(r.tx, r.loader())
		if isMissing(err) {
			return state.ErrNoState
		}
		if err != nil {
			return err
		}
		return r.unload(stale)
	})
	return stale, out, err
}

// Preload loads the artifacts that work in the current layer probably needs and returns
// the ids of those that were not loaded before.
func (t *Tree) Preload(ctx context.Context) ([]string, Outcome, error) {
	var fresh []string
	out, err := t.do(ctx, func(r *WorkingSet) error {
		fresh = nil
		now, err := r.stateValues()
		if err != nil {
			return err
		}
		return r.byCommand(func(e artifact.Edge) error {
			likely, err := artifact.Predict(r.tx, now.Layer, e)
			if err != nil {
				return err
			}
			if n := len(likely.LeftOut); n > 0 {
				r.out.Notes = append(r.out.Notes, fmt.Sprintf("left out, because the window has no room: %s", strings.Join(likely.LeftOut[:min(n, 10)], ", ")))
			}
			for _, err := range likely.Unfit[:min(len(likely.Unfit), 10)] {
				r.out.Notes = append(r.out.Notes, "left out: "+err.Error())
			}
			for _, id := range likely.IDs {
				loaded, err := artifact.Load(r.tx, id, e)
				if err != nil {
					r.out.Notes = append(r.out.Notes, err.Error())
				} else if loaded.From != artifact.FromContext {
					fresh = append(fresh, id)
				}
			}
			return nil
		})
	})
	return fresh, out, err
}

// View returns the text that an agent gets at a load layer from 1 to 3. It changes
// nothing. s holds the records and decisions in force.
func View(ctx context.Context, tree *fs.Tree, layer int, s artifact.Sources, now time.Time) (artifact.View, error) {
	config, err := readConfig(tree)
	if err != nil {
		return artifact.View{}, err
	}
	counter, err := tokens.New(tokens.Default)
	if err != nil {
		return artifact.View{}, err
	}
	if _, err := tree.Read(fs.State); isMissing(err) {
		return artifact.View{}, state.ErrNoState
	}
	s.Versions = func(ctx context.Context, path string) ([]string, error) { return git.Log(ctx, tree.Root(), path, 20) }
	return artifact.Look(ctx, tree, layer, s, artifact.Edge{
		Now: now.UTC(), Count: counter.Count, Counter: counter.Name(), Loader: config.Loader,
	})
}

// loader returns the loader's settings and clock for this transaction.
func (r *WorkingSet) loader() artifact.Edge {
	_, thresholds := r.config.Compaction.Resolve()
	return artifact.Edge{
		Now: r.at, Count: r.tree.counter.Count, Counter: r.tree.counter.Name(),
		Loader: r.config.Loader, Light: thresholds.Light,
	}
}

// recountArtifacts counts the loaded artifacts again whose files somebody changed, and tells it. An
// agent may have the former text of them.
func (r *WorkingSet) recountArtifacts() error {
	if _, err := r.tx.Read(fs.State); err != nil {
		return nil // others tell of a State that cannot be read
	}
	changed, err := artifact.Recount(r.tx, r.loader())
	if err != nil || len(changed) == 0 {
		return nil // as well: validate tells what is wrong with the list
	}
	for _, c := range changed {
		r.addNote(fmt.Sprintf("artifact %s changed on disk since it was loaded: %d tokens, formerly %d; 'forgemind artifact load %s' prints it", c.ID, c.After, c.Before, c.ID))
	}
	return r.editState(state.MendWindow)
}

// unload takes artifacts out of the window.
func (r *WorkingSet) unload(ids []string) error {
	return r.byCommand(func(e artifact.Edge) error {
		for _, id := range ids {
			if err := artifact.Unload(r.tx, id, e); err != nil {
				return err
			}
		}
		return nil
	})
}

// onWindow runs a change of the loaded artifacts and updates the window's figures.
func (r *WorkingSet) onWindow(change func(artifact.Edge) error) error {
	if _, err := r.tx.Read(fs.State); isMissing(err) {
		return state.ErrNoState
	}
	if err := change(r.loader()); err != nil {
		return err
	}
	return r.editState(state.MendWindow)
}

// byCommand calls onWindow and then offers the commands that depend on loaded artifacts.
func (r *WorkingSet) byCommand(change func(artifact.Edge) error) error {
	if err := r.onWindow(change); err != nil {
		return err
	}
	return offerCommands(r, cause{})
}

// unloadFormerLayer unloads the artifacts of the layer that was left.
func unloadFormerLayer(r *WorkingSet, f cause) error {
	now := r.values()
	if now == nil || f.arrived || f.Previous.Layer == now.Layer {
		return nil
	}
	return r.onWindow(func(e artifact.Edge) error { return artifact.UnloadLayer(r.tx, f.Previous.Layer, e) })
}

// loadTemplate loads the template of the current layer.
func loadTemplate(r *WorkingSet, f cause) error {
	now := r.values()
	if now == nil || f.arrived {
		return nil
	}
	return r.onWindow(func(e artifact.Edge) error { return artifact.LoadTemplate(r.tx, now.Layer, e) })
}

// dropOutdated drops cached artifacts whose files have changed, and flags those that
// name decisions no longer in force.
func dropOutdated(r *WorkingSet, _ cause) error {
	if _, err := r.tx.Read(fs.State); isMissing(err) {
		return nil
	}
	standing := StandingOf(r.tx)
	var superseded []string
	for _, d := range standing.All() {
		if _, ok := standing.SupersededBy(d.ID); ok {
			superseded = append(superseded, d.ID)
		}
	}
	slices.Sort(superseded)
	return r.onWindow(func(e artifact.Edge) error {
		if err := artifact.DropStaleCache(r.tx, e); err != nil {
			return err
		}
		return artifact.FlagOutdated(r.tx, superseded, e)
	})
}
