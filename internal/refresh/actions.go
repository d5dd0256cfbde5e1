package refresh

import (
	"bytes"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/ledger"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/triggers"
)

// actions maps the documents' names of actions to what they do. Each is
// idempotent: where its effect is there already it stages nothing. Names that
// package triggers knows and this table lacks are not built yet.
func actions() map[string]func(*round, triggers.Firing) error {
	return map[string]func(*round, triggers.Firing) error{
		"update_available_commands":  offerCommands,
		"refresh_available_actions":  offerCommands,
		"refresh_clarity_tracking":   trackClarity,
		"update_context_clarity":     onState(state.TrackArtifact),
		"update_progress_tracking":   onState(state.TrackProgress),
		"update_project_state":       updateProject,
		"add_to_immutable_decisions": recordDecision,
		"save_context_snapshot":      keepSnapshot,
		"full_sync_all_files":        syncAll,
		"create_session_summary":     summarise,
		"clear_temporary_data":       clearCache,
	}
}

// Built says whether this version can carry out an action.
func Built(action string) bool {
	_, ok := actions()[action]
	return ok
}

// act runs the actions of one firing in their order, unless their effects are
// there. One that fails takes its own writes back and leaves the others to
// their work.
func (r *round) act(f triggers.Firing, done bool) Fired {
	fired := Fired{Trigger: f.Trigger, Reason: f.Reason}
	table := actions()
	for _, name := range f.Actions {
		do, built := table[name]
		acted := Acted{Action: name, Built: built}
		if built && !done {
			before := r.tx.Staged()
			acted.Err = r.tx.Try(func(*fs.Tx) error { return do(r, f) })
			acted.Wrote = differing(before, r.tx.Staged())
		}
		fired.Actions = append(fired.Actions, acted)
	}
	return fired
}

// onState makes an action of a change of the State.
func onState(change func([]byte) ([]byte, error)) func(*round, triggers.Firing) error {
	return func(r *round, _ triggers.Firing) error { return r.editState(change) }
}

// editState changes the State; a tree without one has nothing to change.
func (r *round) editState(change func([]byte) ([]byte, error)) error {
	err := edit(r.tx, fs.State, change)
	if missing(err) {
		return nil
	}
	return err
}

func offerCommands(r *round, _ triggers.Firing) error {
	catalogue := r.config.AvailableCommands
	if catalogue == nil {
		catalogue = schema.DefaultCommands()
	}
	return r.editState(func(src []byte) ([]byte, error) { return state.Offer(src, catalogue) })
}

// trackClarity starts the layer's record where the layer is new, else brings
// it up to date.
func trackClarity(r *round, f triggers.Firing) error {
	if r.arrived {
		return nil // recorded where the layer was entered
	}
	now := r.values()
	if now != nil && f.Previous.Layer != now.Layer {
		return r.editState(state.EnterLayer)
	}
	return r.editState(state.TrackProgress)
}

func updateProject(r *round, _ triggers.Firing) error {
	decisions := ledger.Count(r.tx)
	return r.editState(func(src []byte) ([]byte, error) { return state.UpdateProject(src, decisions) })
}

// recordDecision sees to it that the event's decision, and every decision that
// a view holds, is in the Ledger and the event's one in the views.
func recordDecision(r *round, _ triggers.Firing) error {
	if err := r.adopt(); err != nil {
		return err
	}
	if r.event.Decision == nil {
		return nil
	}
	if _, known, err := ledger.Find(r.tx, r.event.Decision.ID); err != nil {
		return err
	} else if !known {
		if err := ledger.Record(r.tx, folder(r.tx), *r.event.Decision); err != nil {
			return err
		}
	}
	return showDecision(r.tx, *r.event.Decision)
}

// differing returns the names whose staged bytes are other in after than in
// before, `.local/` left out.
func differing(before, after map[string][]byte) []string {
	var names []string
	for name, data := range after {
		if old, ok := before[name]; !fs.IsLocal(name) && (!ok || !bytes.Equal(old, data)) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
