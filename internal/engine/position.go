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
	"github.com/forgemind/forgemind/triggers"
)

// enterLayer makes a checkpoint where the layer is another than the one last
// acted on, unless the transition came with its effects.
func (r *round) enterLayer(before *triggers.Values) (bool, error) {
	now := r.values()
	if now == nil {
		return false, nil
	}
	last, known := r.memory.Layer, r.memory.Known
	if !known && before != nil {
		last, known = before.Layer, true
	}
	r.memory.Layer, r.memory.Known = now.Layer, true
	if !known || last == now.Layer {
		return false, nil
	}
	src, err := r.tx.Read(fs.State)
	if err != nil {
		return false, err
	}
	if r.arrived = r.enteredElsewhere() || state.Entered(r.tx, src); r.arrived {
		return false, nil
	}
	if err := r.keepFormer(now.Layer); err != nil {
		return false, err
	}
	if err := r.checkpoint(); err != nil {
		return false, err
	}
	r.entered = true
	return true, nil
}

// keepFormer keeps the State as it was when its layer was left, for whoever
// goes back to it: as it stands on disk or, where somebody wrote the transition there, as it
// was rendered before.
func (r *round) keepFormer(layer int) error {
	stored, err := r.tree.ReadStored(fs.State)
	if err != nil && !missing(err) && !unfit(err) {
		return err
	}
	for _, src := range [][]byte{stored, r.bases[fs.State]} {
		var former schema.State
		if jsonedit.Decode(src, &former) != nil || former.Project == nil || int(former.Project.CurrentLayer) == layer {
			continue
		}
		if src, err = state.NameLayer(src); err != nil {
			return err
		}
		return r.keep(src, state.LeftReason(int(former.Project.CurrentLayer)))
	}
	return nil
}

// inHead reports whether git holds a file as src.
func (r *round) inHead(name string, src []byte) bool {
	held, err := r.committed([]string{name})
	return err == nil && src != nil && bytes.Equal(held[name], src)
}

// enteredElsewhere reports whether the project came into its layer with the effects of that: by a
// change that git holds, or whose snapshot is there. A project that no change moved began in its
// layer.
func (r *round) enteredElsewhere() bool {
	facts, err := r.readFacts()
	if _, sets := r.sets[records.Layer]; sets || err != nil {
		return false
	}
	project := facts.Project()
	change, moved := project.SetBy(records.Layer)
	if !moved {
		return project.Derives()
	}
	if src, err := r.tx.Read(change.Name); err == nil && r.inHead(change.Name, src) {
		return true
	}
	layer, ok := project.Members.Number(records.Layer)
	at, err := schema.ParseTime(change.At)
	return ok && err == nil && state.EnteredSince(r.tx, int(layer), at)
}

// setProject sets members of the project, nil removes one. The State shows them from now on, and at
// its end the round makes one change of the project of all.
func (r *round) setProject(set map[string]any) error {
	shown := r.shownProject()
	news := map[string]any{}
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
	r.edit(news)
	_, err := r.show()
	return err
}

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
	if !r.movesState(src) {
		return facts, nil
	}
	before, set := r.stood(src)
	return facts.Then(r.projectChange(), set, before)
}

// movesState reports whether this round changes the State, which is src now, or what follows from it.
func (r *round) movesState(src []byte) bool {
	return len(r.sets) > 0 || r.moved || !bytes.Equal(src, r.seen[fs.State])
}

// stood returns how a State that alone tells of the project stood before this round and whoever
// edited it last, and what they set. It returns nil where the State is as git holds it: it is
// left so, as what git brought is.
func (r *round) stood(src []byte) (before []byte, set map[string]any) {
	seen := r.seen[fs.State]
	if !r.moves && bytes.Equal(src, seen) && r.inHead(fs.State, seen) {
		return nil, r.sets
	}
	if before = r.bases[fs.State]; before == nil { // nobody knows what was edited
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

// finishState returns a State with what follows from its project and from what is loaded: the clarity of
// the layer's artifact, and which commands are available.
func (r *round) finishState(src []byte) ([]byte, error) {
	text, err := state.TrackArtifact(src)
	if err != nil {
		return nil, err
	}
	return state.Offer(text, catalogue(r.config, text))
}
