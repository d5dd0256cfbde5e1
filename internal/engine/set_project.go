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
	if r.unreadable[fs.State] {
		if mended, err := r.mends(news); mended || err != nil {
			return err
		}
	}
	r.sets, r.behind = with(r.sets, news), true
	if r.unreadable[fs.State] {
		return nil // renderBehind tells that it does not show them
	}
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
	if err != nil || !views.Readable(fs.State, mended) {
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

// with returns members of a project with others set.
func with(members, set map[string]any) map[string]any {
	if len(set) == 0 {
		return members
	}
	all := maps.Clone(members)
	if all == nil {
		all = map[string]any{}
	}
	maps.Copy(all, set)
	return all
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
	r.edited, r.sets, r.facts, r.behind = nil, nil, nil, true
	return records.AddProject(r.tx, views.ProjectOf(src))
}

// A projectChange is a change of the project that is not written yet.
type projectChange struct {
	records.Change
	set    map[string]any
	byHand bool
}

// projectChanges returns the changes of the project that this round is to make: what was edited in
// the State before it, and what the round itself sets.
func (r *round) projectChanges() (all []projectChange) {
	edited := maps.Clone(r.edited)
	maps.DeleteFunc(edited, func(name string, _ any) bool { _, set := r.sets[name]; return set })
	if len(edited) > 0 {
		c := records.Change{At: schema.FormatTime(r.at), By: r.editor()}
		if r.seenInHead() { // git may have brought it
			c.By = unknownAuthor
		}
		all = append(all, projectChange{Change: c, set: edited, byHand: true})
	}
	if len(r.sets) > 0 {
		c := records.Change{At: schema.FormatTime(r.at), By: r.actor()}
		if r.event.Command == schema.BacktrackCommand {
			c.Command = schema.BacktrackCommand
		}
		all = append(all, projectChange{Change: c, set: r.sets})
	}
	return all
}

// writeProject stages the changes of the project that this round makes.
func (r *round) writeProject() error {
	for _, c := range r.projectChanges() {
		facts, err := r.readFacts()
		if err != nil {
			return err
		}
		if project := facts.Project(); !project.Derives() { // the State alone says what was reached, and what people wrote there
			c.set = maps.Clone(c.set)
			maps.DeleteFunc(c.set, func(name string, _ any) bool {
				_, held := project.Members[name]
				return records.IsProgress(name) || c.byHand && !held
			})
		}
		r.facts = nil
		if err := records.ChangeProject(r.tx, facts.Project(), c.Change, c.set); err != nil {
			return err
		}
	}
	r.edited, r.sets = nil, nil
	return nil
}

// withProject returns the facts with what this round sets of the project, and in a tree where the
// State alone tells of it what follows from how that changed since git had it.
func (r *round) withProject(facts *views.Facts, src []byte) (_ *views.Facts, err error) {
	if facts.Project().Derives() {
		for _, c := range r.projectChanges() {
			if facts, err = facts.Then(c.Change, c.set, nil); err != nil {
				return nil, err
			}
		}
		return facts, nil
	}
	before, set := r.stood(src, facts.Project())
	if len(set)+len(r.sets) == 0 && !r.movesState(src) {
		return facts, nil
	}
	at := schema.FormatTime(r.at)
	if facts, err = facts.Then(records.Change{At: at}, set, before); err != nil || len(r.sets) == 0 {
		return facts, err
	}
	if before, err = views.Render(fs.State, src, nil, facts); err != nil {
		return nil, err
	}
	return facts.Then(records.Change{At: at, Command: r.event.Command}, r.sets, before)
}

// movesState reports whether this round changes the State, which is src now, or what follows from it.
func (r *round) movesState(src []byte) bool {
	moves := len(r.edited)+len(r.sets) > 0 || r.moved || !bytes.Equal(src, r.seen[fs.State])
	return moves && !r.leftToGit(src)
}

// leftToGit reports whether src is the State as git holds it of a tree where it alone tells of the
// project, and this round sets nothing: it is left so, as what git brought is.
func (r *round) leftToGit(src []byte) bool {
	if len(r.sets) > 0 || !bytes.Equal(src, r.seen[fs.State]) {
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

// stood returns how a State that alone tells of the project stood before whoever edited it last, and
// what was set until this round: by them, and by changes that the State does not show yet. It returns
// nil where the State is left to git.
func (r *round) stood(src []byte, project records.Record) (before []byte, set map[string]any) {
	seen := r.seen[fs.State]
	if before = r.bases[fs.State]; before == nil { // nobody knows what was edited
		before = seen
		if layer, ok := views.ProjectOf(src)[records.Layer]; ok && r.entered {
			set = map[string]any{records.Layer: layer}
		}
	}
	shown := views.ProjectOf(before)
	for _, name := range []string{records.Layer, "clarity"} {
		if value := project.Members[name]; value != nil && !records.Same(value, shown[name]) {
			set = with(set, map[string]any{name: value})
		}
	}
	set = maps.Clone(with(set, r.edited))
	maps.DeleteFunc(set, func(name string, _ any) bool { _, again := r.sets[name]; return again })
	if len(set) == 0 && len(r.sets) == 0 && !r.moved && bytes.Equal(src, seen) || len(set) == len(r.edited) && r.leftToGit(src) {
		return nil, set
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
