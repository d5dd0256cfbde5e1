package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/validate"
)

// SetProject sets members of the project, as [records.Project] names them. The error is
// state.ErrNoState in a tree that has no State.
func (t *Tree) SetProject(ctx context.Context, set map[string]any) (Outcome, error) {
	return t.do(ctx, func(r *round) error {
		if _, err := r.tx.Read(fs.State); missing(err) {
			return state.ErrNoState
		}
		return r.setProject(set)
	})
}

// setProject sets members of the project, nil removes one. The State shows them from now on, and at
// its end the round makes one change of the project of all.
func (r *round) setProject(set map[string]any) error {
	shown, news := records.Members{}, map[string]any{}
	if !r.unreadable[fs.State] {
		shown = r.shownProject()
	}
	for name, v := range set {
		value, err := jsonedit.Value(v)
		if err != nil {
			return fmt.Errorf("project: %s: %w", name, err)
		}
		if !records.Project.Admits(name, value) {
			return fmt.Errorf("project: %s cannot be %s", name, value)
		}
		if !records.Same(value, shown[name]) {
			news[name] = json.RawMessage(value)
		}
	}
	r.moves = r.moves || len(news) > 0
	if r.unreadable[fs.State] {
		if mended, err := r.mends(news); mended || err != nil {
			return err
		}
		r.edit(news)
		return nil // renderBehind tells that the State does not show them
	}
	r.edit(news)
	_, err := r.show()
	return err
}

// mends sets members of the project in a State that is against its schema, if that is all that is
// wrong with it, and reports whether it did.
func (r *round) mends(set map[string]any) (bool, error) {
	src, err := r.maybe(fs.State)
	if err != nil || src == nil {
		return false, err
	}
	mended, err := views.SetProject(src, set)
	if err != nil || validate.Unreadable(fs.State, mended) {
		return false, nil // whatever else is wrong with it
	}
	return true, r.readBack(func(tx *fs.Tx) error { tx.Write(fs.State, mended); return nil })
}

// shownProject returns what the State shows of the project, or if that cannot be read what the
// records say.
func (r *round) shownProject() records.Members {
	if src, err := r.tx.Read(fs.State); err == nil && !r.unreadable[fs.State] {
		return views.ProjectOf(src)
	}
	facts, err := r.readFacts()
	if err != nil {
		return nil
	}
	return facts.Project().Members
}

// edit notes members of the project that this round sets.
func (r *round) edit(set map[string]any) {
	if len(set) == 0 {
		return
	}
	project := maps.Clone(r.sets)
	if project == nil {
		project = map[string]any{}
	}
	maps.Copy(project, set)
	r.sets, r.behind = project, true
}

// addProject stages the record of the project where facts stand in records alone and there is none.
func (r *round) addProject() error {
	if !r.config.Records() || r.rendersOnly() || r.unreadable[fs.State] {
		return nil
	}
	facts, err := r.readFacts()
	if err != nil || facts.Project().Exists() {
		return err
	}
	src, err := r.maybe(fs.State)
	if err != nil || src == nil {
		return err
	}
	r.sets, r.facts, r.behind = nil, nil, true
	return records.AddProject(r.tx, views.ProjectOf(src))
}

// writeProject stages the change of the project that this round makes.
func (r *round) writeProject() error {
	facts, err := r.readFacts()
	if err != nil {
		return err
	}
	set := maps.Clone(r.sets)
	if !facts.Project().Derives() { // the State alone says what was reached
		maps.DeleteFunc(set, func(name string, _ any) bool { return records.IsProgress(name) })
	}
	if len(set) == 0 {
		return nil
	}
	c := r.projectChange()
	c.By = r.actor()
	r.sets, r.facts = nil, nil
	return records.ChangeProject(r.tx, facts.Project(), c, set)
}

// projectChange returns the change of the project that this round makes, but for what it sets.
func (r *round) projectChange() records.Change {
	c := records.Change{At: schema.FormatTime(r.at)}
	if r.event.Command == schema.BacktrackCommand {
		c.Command = schema.BacktrackCommand
	}
	return c
}

// withProject returns the facts with what this round sets of the project, and in a tree where the
// State alone tells of it what follows from how that changed since git had it.
func (r *round) withProject(facts *views.Facts, src []byte) (*views.Facts, error) {
	if facts.Project().Derives() {
		if len(r.sets) == 0 {
			return facts, nil
		}
		return facts.Then(r.projectChange(), r.sets, nil)
	}
	if len(r.sets) == 0 && !r.movesState(src) {
		return facts, nil
	}
	before, set := r.stood(src)
	return facts.Then(r.projectChange(), set, before)
}

// movesState reports whether this round changes the State, which is src now, or what follows from it.
func (r *round) movesState(src []byte) bool {
	return !r.leftToGit(src) && (len(r.sets) > 0 || r.moved || !bytes.Equal(src, r.seen[fs.State]))
}

// leftToGit reports whether src is the State as git holds it of a tree where it alone tells of the
// project, and this round sets nothing: it is left so, as what git brought is.
func (r *round) leftToGit(src []byte) bool {
	if r.moves || !bytes.Equal(src, r.seen[fs.State]) {
		return false
	}
	facts, err := r.readFacts()
	return err == nil && !facts.Project().Derives() && r.seenInHead()
}

// seenInHead reports whether git holds the State as this round found it.
func (r *round) seenInHead() bool {
	if r.held == nil {
		held := r.inHead(fs.State, r.seen[fs.State])
		r.held = &held
	}
	return *r.held
}

// stood returns how a State that alone tells of the project stood before this round and whoever
// edited it last, and what they set. It returns nil where the State is left to git.
func (r *round) stood(src []byte) (before []byte, set map[string]any) {
	if r.leftToGit(src) {
		return nil, r.sets
	}
	seen := r.seen[fs.State]
	if before = r.bases[fs.State]; before == nil || r.seenInHead() { // nobody knows what was edited, or git brought it
		before = seen
	}
	set = r.sets
	if layer, ok := views.ProjectOf(src)[records.Layer]; ok && r.entered {
		if set = maps.Clone(set); set == nil {
			set = map[string]any{}
		}
		set[records.Layer] = layer
	}
	return before, set
}

// finishState returns a State with what follows from its project and from what is loaded: the clarity
// of the layer's artifact, and which commands are available.
func (r *round) finishState(src []byte) ([]byte, error) {
	text, err := state.TrackArtifact(src)
	if err != nil {
		return nil, err
	}
	return state.Offer(text, catalogue(r.config, text))
}
