package engine

import (
	"errors"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/acted"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/triggers"
)

// actions maps the documents' names of actions to what they do. Each is
// idempotent: where its effect is there already it stages nothing.
func actions() map[string]func(*round, triggers.Firing) error {
	return map[string]func(*round, triggers.Firing) error{
		"unload_previous_layer_details": unloadFormerLayer,
		"load_new_layer_templates":      loadTemplate,
		"update_available_commands":     shown,
		"refresh_clarity_tracking":      shown,

		"update_context_clarity":    shown,
		"refresh_available_actions": shown,
		"update_progress_tracking":  shown,

		"add_to_immutable_decisions":  recordDecision,
		"update_project_state":        onState(state.MendWindow),
		"invalidate_outdated_context": dropOutdated,
		"save_to_memory":              saveToMemory,

		"trigger_compaction":     runCompaction,
		"summarize_and_compress": runCompaction,
		"preserve_critical_info": preserveCritical,

		"restore_historical_context":  fromSnapshot(restoreArtifacts),
		"load_previous_layer_state":   fromSnapshot(restoreLayer),
		"reset_clarity_if_needed":     fromSnapshot(resetClarity),
		"invalidate_forward_progress": invalidateForward,

		"full_sync_all_files":    syncAll,
		"create_session_summary": summarise,
		"save_context_snapshot":  keepSnapshot,
		"clear_temporary_data":   clearCache,

		"update_session_summary": updateSummary,
		"cluster_messages":       clusterNow,
		"archive_session":        archiveNow,

		condenseAction:            condenseDiscussion,
		archiveAction:             archiveIdle,
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

// act runs the actions of one firing in their order. One that fails takes its
// own writes back and leaves the others to their work.
func (r *round) act(f firing) Fired {
	fired := Fired{Trigger: f.Trigger, Reason: f.Reason}
	table := actions()
	for _, name := range f.Actions {
		fired.Actions = append(fired.Actions, r.runAction(f, name, table[name]))
	}
	return fired
}

// runAction runs one action of a firing; nil is one that is not built.
func (r *round) runAction(f firing, name string, do func(*round, triggers.Firing) error) Acted {
	done := Acted{Action: name, Built: do != nil}
	if do == nil {
		return done
	}
	mark := r.tx.Mark()
	r.acting = f
	done.Err = r.within(f.reach, func() error { return do(r, f.Firing) })
	if done.Due = errors.Is(done.Err, errReach); done.Due {
		done.Err = nil
		r.putOff(acted.Due{Trigger: f.Trigger, Action: name, Decisions: idsOf(f.decisions), Discussions: f.discussions})
	}
	done.Wrote = r.tx.Since(mark)
	if r.inState && f.reach < batch && !slices.Contains(done.Wrote, fs.State) {
		done.Wrote = append(done.Wrote, fs.State)
	}
	r.inState = false
	return done
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

// shown is an action whose effect the State shows by itself, whatever fires.
func shown(r *round, _ triggers.Firing) error {
	if _, err := r.show(); err != nil {
		return err
	}
	src, err := r.maybe(fs.State)
	r.inState = !views.SameProject(src, r.seen[fs.State])
	return err
}

// recordDecision sees to it that what was said is in the Ledger and in the views, where the trigger
// fired for that. What the Ledger has is shown.
func recordDecision(r *round, _ triggers.Firing) error {
	for _, d := range r.decisionsSaid() {
		has, _, err := r.addOnce(d)
		if err != nil {
			return err
		}
		if has == nil {
			continue
		}
		r.acted.Add(d.ID) // these are its effects
		if err := r.tx.Try(func(*fs.Tx) error { return r.showOrPutOff(*has, acted.ShowOnceMended) }); err != nil {
			name, _, _ := records.Decision.Find(r.tx, d.ID)
			r.wait(fresh{name: name}, err)
		}
	}
	return nil
}

// decisionsSaid returns the decisions that were said, if the action runs for them.
func (r *round) decisionsSaid() (all []schema.Decision) {
	for _, m := range r.acting.said {
		all = append(all, r.detected(m))
	}
	return all
}
