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

// Load loads an artifact by its id or its path. An *artifact.Unknown is one
// that cannot be found.
func (t *Tree) Load(ctx context.Context, id string) (artifact.Loaded, Outcome, error) {
	var loaded artifact.Loaded
	var unusable *artifact.Unusable
	out, err := t.do(ctx, func(r *round) error {
		return r.onWindow(func(e artifact.Edge) (err error) {
			if loaded, err = artifact.Load(r.tx, id, e); errors.As(err, &unusable) {
				return nil // that its file cannot be used is worth writing down
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
	return t.do(ctx, func(r *round) error { return r.unload(ids) })
}

// UnloadStale unloads what nobody used lately and returns its ids.
func (t *Tree) UnloadStale(ctx context.Context) ([]string, Outcome, error) {
	var stale []string
	out, err := t.do(ctx, func(r *round) (err error) {
		stale, err = artifact.Stale(r.tx, r.loader())
		if missing(err) {
			return state.ErrNoState
		}
		if err != nil {
			return err
		}
		return r.unload(stale)
	})
	return stale, out, err
}

// Preload loads what work in the current layer is likely to need and returns
// the ids of what was not loaded before.
func (t *Tree) Preload(ctx context.Context) ([]string, Outcome, error) {
	var fresh []string
	out, err := t.do(ctx, func(r *round) error {
		fresh = nil
		now, err := r.present()
		if err != nil {
			return err
		}
		return r.onWindow(func(e artifact.Edge) error {
			likely, err := artifact.Foresee(r.tx, now.Layer, e)
			if err != nil {
				return err
			}
			if n := len(likely.LeftOut); n > 0 {
				r.out.Notes = append(r.out.Notes, fmt.Sprintf("left out, for want of room in the window: %s", strings.Join(likely.LeftOut[:min(n, 10)], ", ")))
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

// View is what an agent is given at a load layer, 1 to 3. It changes nothing.
func View(ctx context.Context, tree *fs.Tree, layer int, now time.Time) (artifact.View, error) {
	config, err := readConfig(tree)
	if err != nil {
		return artifact.View{}, err
	}
	// A view is made at every start of an agent, and its parts are small: it is
	// not worth the time that loading the exact counter takes.
	counter, err := tokens.New("chars4")
	if err != nil {
		return artifact.View{}, err
	}
	if _, err := tree.Read(fs.State); missing(err) {
		return artifact.View{}, state.ErrNoState
	}
	standing := StandingOf(tree)
	sources := artifact.Sources{Decisions: standing.All(), Standing: standing, Versions: func(ctx context.Context, path string) ([]string, error) {
		return git.Log(ctx, tree.Root(), path, 20)
	}}
	return artifact.Look(ctx, tree, layer, sources, artifact.Edge{
		Now: now.UTC(), Count: counter.Count, Counter: counter.Name(), Loader: config.Loader,
	})
}

// loader is what the loader needs from outside in this round.
func (r *round) loader() artifact.Edge {
	_, thresholds := r.config.Compaction.Resolve()
	return artifact.Edge{
		Now: r.at, Count: r.tree.counter.Count, Counter: r.tree.counter.Name(),
		Loader: r.config.Loader, Light: thresholds.Light,
	}
}

// unload takes artifacts out of the window.
func (r *round) unload(ids []string) error {
	return r.onWindow(func(e artifact.Edge) error {
		for _, id := range ids {
			if err := artifact.Unload(r.tx, id, e); err != nil {
				return err
			}
		}
		return nil
	})
}

// onWindow runs a change of what is loaded and brings the window's figures in
// line with it.
func (r *round) onWindow(change func(artifact.Edge) error) error {
	if _, err := r.tx.Read(fs.State); missing(err) {
		return state.ErrNoState
	}
	if err := change(r.loader()); err != nil {
		return err
	}
	return r.editState(state.MendWindow)
}

// unloadFormerLayer unloads what belongs to the layer that was left.
func unloadFormerLayer(r *round, f *firing) error {
	now := r.values()
	if now == nil || r.arrived || f.Previous.Layer == now.Layer {
		return nil
	}
	return r.onWindow(func(e artifact.Edge) error { return artifact.UnloadLayer(r.tx, f.Previous.Layer, e) })
}

// loadTemplate loads the template of the current layer.
func loadTemplate(r *round, _ *firing) error {
	now := r.values()
	if now == nil || r.arrived {
		return nil
	}
	return r.onWindow(func(e artifact.Edge) error { return artifact.LoadTemplate(r.tx, now.Layer, e) })
}

// dropOutdated drops cached artifacts whose files have changed, and flags
// those that name decisions which hold no more.
func dropOutdated(r *round, _ *firing) error {
	if _, err := r.tx.Read(fs.State); missing(err) {
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
