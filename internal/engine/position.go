package engine

import (
	"bytes"
	"encoding/json"
	"maps"
	"strconv"

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
	if r.arrived = r.pulled || state.Entered(r.tx, src); r.arrived {
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
	for _, src := range [][]byte{stored, r.bases[fs.State], r.rendered[fs.State]} {
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

// enteredElsewhere reports whether a project came into its layer with the effects of that: by a
// change that git holds, or whose snapshot is there. A project that no change moved began in its
// layer.
func (r *round) enteredElsewhere(project records.Record) bool {
	change, moved := project.SetBy(records.Layer)
	if !moved {
		return true
	}
	if src, err := r.tx.Read(change.Name); err == nil && r.inHead(change.Name, src) {
		return true
	}
	layer, err := strconv.ParseFloat(string(project.Members[records.Layer]), 64)
	at, wrong := schema.ParseTime(change.At)
	return err == nil && wrong == nil && state.EnteredSince(r.tx, int(layer), at)
}

// writeProject makes a change of the project of what was edited in the State.
func (r *round) writeProject(edited []views.Document, facts *views.Facts) error {
	for _, d := range edited {
		if d.Name != fs.State {
			continue
		}
		e := views.CompareProject(d, facts)
		set := map[string]any{}
		maps.Copy(set, e.Set)
		for name, value := range e.Progress {
			if _, said := r.edited[name]; said && facts.Project().Derives() {
				set[name] = value
			}
		}
		if e.New == nil && len(set) == 0 {
			return nil
		}
		r.facts, r.edited = nil, nil
		if e.New != nil {
			return records.AddProject(r.tx, e.New)
		}
		return r.changeProject(facts, d.After, set)
	}
	return nil
}

// changeProject makes a change of the project of what was edited in the State, which is state now.
// A status that follows from the rest of it is left out.
func (r *round) changeProject(facts *views.Facts, state []byte, set map[string]any) error {
	project := facts.Project()
	status, given := set["status"]
	delete(set, "status")
	c := r.projectChange()
	then, err := project.Then(c, set) // without a status
	if err != nil {
		return err
	}
	follows := facts.Status(then.Members, state)
	if !project.Derives() && !project.Members.HasStatus() { // the State alone has one
		follows = json.RawMessage(strconv.Quote(schema.InProgress))
	}
	if value, ok := status.(json.RawMessage); given && !(ok && records.Same(value, follows)) {
		set["status"] = status
	}
	c.By = r.actor()
	return records.ChangeProject(r.tx, project, c, set)
}

// projectChange returns the change of the project that this round makes, but for what it sets.
func (r *round) projectChange() records.Change {
	c := records.Change{At: schema.FormatTime(r.at)}
	if r.event.Command == schema.BacktrackCommand {
		c.Command = schema.BacktrackCommand
	}
	return c
}

// showPosition brings the State up to what follows from how it changed: from the layer and the
// clarity what was reached in each layer, and a status; from them and from what is loaded the
// clarity of the layer's artifact, and which commands are available. It reports whether the State
// was behind.
func (r *round) showPosition() (bool, error) {
	src, err := r.maybe(fs.State)
	if err != nil || src == nil || r.unreadable[fs.State] {
		return false, err
	}
	facts, err := r.readFacts()
	if err != nil {
		return false, err
	}
	if bytes.Equal(src, r.shownPosition) || bytes.Equal(src, r.seen[fs.State]) && len(r.edited) == 0 && !r.moved {
		return false, nil
	}
	before, edited := r.rendered[fs.State], r.edited
	if !facts.Project().Derives() {
		if before, edited = r.stood(src); before == nil {
			return false, nil
		}
	}
	text, err := views.Follow(views.Document{Name: fs.State, Before: before, After: src}, facts, r.projectChange(), edited)
	if err == nil {
		text, err = state.TrackArtifact(text)
	}
	if err == nil {
		text, err = state.Offer(text, catalogue(r.config, text))
	}
	if err != nil {
		return false, err
	}
	if r.shownPosition = text; bytes.Equal(text, src) {
		return false, nil
	}
	r.tx.Write(fs.State, text)
	return true, nil
}

// stood returns how a State that alone tells of the project stood before this round and whoever
// edited it last, and what was edited. It returns nil where the State is as git holds it: it is
// left so, as what git brought is.
func (r *round) stood(src []byte) (before []byte, edited map[string]any) {
	seen := r.seen[fs.State]
	if bytes.Equal(src, seen) && r.inHead(fs.State, seen) {
		return nil, nil
	}
	if before = r.bases[fs.State]; before == nil { // nobody knows what was edited
		before = seen
	}
	edited = r.edited
	if layer, ok := views.ProjectOf(src)[records.Layer]; ok && r.entered {
		edited = maps.Clone(edited)
		if edited == nil {
			edited = map[string]any{}
		}
		edited[records.Layer] = layer
	}
	return before, edited
}
