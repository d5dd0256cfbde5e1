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
)

// An action does what a trigger fired for.
type action func(*round, *firing) error

// actions maps the documents' names of actions to what they do. Each is
// idempotent: where its effect is there already it stages nothing.
func actions() map[string]action {
	return map[string]action{
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

		compactAction:            runCompaction,
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

		summaryAction:        inSession(renewSummary),
		clusterAction:        inSession(clusterMessages),
		archiveSessionAction: inSession(archiveSaid),

		condenseAction: condenseDiscussion,
		archiveAction:  archiveIdle,
		refreshAction:  refreshProjectContext,

		"curate":      curate,
		recoverAction: recoverChunks,
	}
}

// Built reports whether there is an action of that name.
func Built(action string) bool {
	_, ok := actions()[action]
	return ok
}

// act runs the actions of a firing, and tells of them.
func (r *round) act(f firing) error {
	fired, err := r.runActions(&f)
	if err == nil {
		r.tellFired(f, fired)
	}
	return err
}

// tellFired tells of a firing, of a quiet one only if something came of it. What is the rest of one is told
// with it.
func (r *round) tellFired(f firing, fired Fired) {
	if f.quiet && !slices.ContainsFunc(fired.Actions, Acted.didSomething) {
		return
	}
	for i, first := range slices.Backward(r.out.Fired) {
		if f.rest && first.Trigger == f.Trigger {
			r.out.Fired[i].Actions = slices.Concat(first.Actions, fired.Actions)
			return
		}
	}
	r.out.Fired = append(r.out.Fired, fired)
	r.memory.fired(f.Trigger, r.at)
}

// runActions runs the actions of a firing in their order. One that fails takes its own writes back and leaves
// the others to their work, unless it would have lost something, or was to run at once and met a file that is
// being written: that is the error.
func (r *round) runActions(f *firing) (Fired, error) {
	fired, table := Fired{Trigger: f.Trigger}, actions()
	for _, name := range f.Actions {
		done := r.runAction(f, name, table[name])
		if errors.Is(done.Err, errLost) || f.atOnce && errors.Is(done.Err, fs.ErrUnsettled) {
			return fired, done.Err
		}
		fired.Actions = append(fired.Actions, done)
	}
	fired.Reason, fired.By = f.Reason, r.causedBy(*f)
	return fired, nil
}

// didSomething reports whether something came of an action.
func (a Acted) didSomething() bool { return a.Due || a.Err != nil || len(a.Wrote) > 0 }

// runAction runs one action of a firing; nil is one that is not built.
func (r *round) runAction(f *firing, name string, do action) Acted {
	done := Acted{Action: name, Built: do != nil}
	if do == nil {
		return done
	}
	mark, back := r.tx.Mark(), f.session.savepoint()
	f.changed = nil
	done.Err = r.within(f.reach, func() error { return do(r, f) })
	if done.Err != nil {
		back()
	}
	if done.Due = errors.Is(done.Err, errReach); done.Due {
		done.Err = nil
		r.putOff(acted.Due{Trigger: f.Trigger, Action: name, Decisions: idsOf(f.decisions), Discussions: f.discussions})
	}
	done.Wrote = r.tx.Since(mark)
	for _, name := range f.changed {
		if done.Err == nil && !slices.Contains(done.Wrote, name) {
			done.Wrote = append(done.Wrote, name)
		}
	}
	return done
}

// onState makes an action of a change of the State.
func onState(change func([]byte) ([]byte, error)) action {
	return func(r *round, _ *firing) error { return r.editState(change) }
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
func shown(r *round, f *firing) error {
	if _, err := r.show(); err != nil {
		return err
	}
	src, err := r.maybe(fs.State)
	if f.reach < batch && !views.SameProject(src, r.seen[fs.State]) {
		f.changed = []string{fs.State}
	}
	return err
}

// recordDecision sees to it that what was said is in the Ledger and in the views, where the trigger
// fired for that. What the Ledger has is shown.
func recordDecision(r *round, f *firing) error {
	for _, d := range r.decisionsSaid(f) {
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

// decisionsSaid returns the decisions that were said, if it fired for them.
func (r *round) decisionsSaid(f *firing) (all []schema.Decision) {
	for _, m := range f.said {
		all = append(all, r.detected(m))
	}
	return all
}
