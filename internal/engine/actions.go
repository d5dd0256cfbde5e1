package engine

import (
	"bytes"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/ledger"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/triggers"
)

// actions maps the names of actions, as documents use them, to functions. Each function
// is idempotent: if its effect is there already, it stages nothing.
func actions() map[string]func(*WorkingSet, cause) error {
	return map[string]func(*WorkingSet, cause) error{
		"unload_previous_layer_details": unloadFormerLayer,
		"load_new_layer_templates":      loadTemplate,
		"update_available_commands":     offerCommands,
		"refresh_clarity_tracking":      trackClarity,

		"update_context_clarity":    onState(state.TrackArtifact),
		"refresh_available_actions": offerCommands,
		"update_progress_tracking":  onState(state.TrackProgress),

		"add_to_immutable_decisions":  recordDecision,
		"update_project_state":        updateProject,
		"invalidate_outdated_context": dropOutdated,
		"save_to_memory":              saveToMemory,

		"trigger_compaction":     runCompaction,
		"summarize_and_compress": runCompaction,
		"preserve_critical_info": preserveCritical,

		"restore_historical_context":  fromSnapshot(state.RestoreArtifacts),
		"load_previous_layer_state":   fromSnapshot(state.RestoreLayer),
		"reset_clarity_if_needed":     fromSnapshot(state.ResetClarity),
		"invalidate_forward_progress": onState(state.InvalidateForward),

		"full_sync_all_files":    syncAll,
		"create_session_summary": summarize,
		"save_context_snapshot":  keepSnapshot,
		"clear_temporary_data":   clearCache,

		"update_session_summary": updateSummary,
		"cluster_messages":       clusterNow,
		"archive_session":        archiveNow,

		"condense_discussion":     condenseDiscussion,
		"archive_idle_threads":    func(r *WorkingSet, _ cause) error { return r.archiveIdle() },
		"refresh_project_context": refreshProjectContext,

		"curate":         curate,
		"recover_chunks": recoverChunks,
	}
}

// Built reports whether there is an action of that name.
func Built(action string) bool {
	_, ok := actions()[action]
	return ok
}

// A cause is a firing as actions see it.
type cause struct {
	triggers.Firing
	arrived bool // a layer transition came with its checkpoint
}

// act runs the actions of one firing in their order, unless done is set. If an action
// fails, its writes are undone and the other actions run.
func (r *WorkingSet) act(f cause, done bool) Fired {
	fired := Fired{Trigger: f.Trigger, Reason: f.Reason}
	table := actions()
	for _, name := range f.Actions {
		do, built := table[name]
		acted := Acted{Action: name, Built: built}
		if built && !done {
			before := r.tx.Staged()
			acted.Err = r.tx.Try(func(*fs.Tx) error { return do(r, f) })
			acted.Wrote = changedNames(before, r.tx.Staged())
		}
		fired.Actions = append(fired.Actions, acted)
	}
	return fired
}

// onState returns an action that changes the State with change.
func onState(change func([]byte) ([]byte, error)) func(*WorkingSet, cause) error {
	return func(r *WorkingSet, _ cause) error { return r.editState(change) }
}

// editState changes the State. It does nothing in a tree without a State.
func (r *WorkingSet) editState(change func([]byte) ([]byte, error)) error {
	err := edit(r.tx, fs.State, change)
	if isMissing(err) {
		return nil
	}
	return err
}

func offerCommands(r *WorkingSet, _ cause) error {
	return r.editState(func(src []byte) ([]byte, error) { return state.SetCommands(src, commandList(r.config, src)) })
}

// trackClarity starts the layer's record if the layer is new, or else updates it.
func trackClarity(r *WorkingSet, f cause) error {
	if f.arrived {
		return nil // recorded where the layer was entered
	}
	now := r.values()
	if now != nil && f.Previous.Layer != now.Layer {
		return r.editState(state.EnterLayer)
	}
	return r.editState(state.TrackProgress)
}

func updateProject(r *WorkingSet, _ cause) error {
	decisions := ledger.Count(r.tx)
	return r.editState(func(src []byte) ([]byte, error) { return state.UpdateProject(src, decisions) })
}

// recordDecision records the event's decisions, and every decision that a view shows,
// in the Ledger, and adds the event's decisions to the views.
func recordDecision(r *WorkingSet, _ cause) error {
	if err := r.adopt(); err != nil {
		return err
	}
	for _, d := range r.newDecisions() {
		_, known, err := ledger.Find(r.tx, d.ID)
		switch {
		case err != nil:
		case known:
			recorded, unread := ledger.Get(r.tx, d.ID)
			if unread != nil {
				continue // validate reports what is wrong with the file
			}
			d = recorded // views show what the Ledger says
		default:
			err = ledger.Record(r.tx, r.home, d)
		}
		if err == nil {
			err = r.showDecision(d)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// newDecisions returns the decision that was recorded, or those that messages state.
func (r *WorkingSet) newDecisions() []schema.Decision {
	if r.event.Decision != nil {
		return []schema.Decision{*r.event.Decision}
	}
	var all []schema.Decision
	for _, m := range r.event.said {
		all = append(all, r.detected(m))
	}
	return all
}

// changedNames returns the names, outside of `.local/`, whose staged bytes differ
// between before and after.
func changedNames(before, after map[string][]byte) []string {
	var names []string
	for name, data := range after {
		if old, ok := before[name]; !fs.IsLocal(name) && (!ok || !bytes.Equal(old, data)) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
