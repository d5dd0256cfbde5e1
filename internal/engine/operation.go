package engine

import (
	"context"
	"fmt"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// Change makes a change by agent ("" for the author), runs the triggers that it fires,
// and publishes all of it or nothing. change may run several times.
func (t *Tree) Change(ctx context.Context, agent string, change func(*WorkingSet) error) (Outcome, error) {
	return t.do(ctx, func(r *WorkingSet) error {
		r.event.Agent = agent
		return change(r)
	})
}

// ChangeSession is Change for a change that needs an active session. If none is active,
// it begins one.
func (t *Tree) ChangeSession(ctx context.Context, agent string, change func(*WorkingSet) error) (Outcome, error) {
	return t.doInSession(ctx, agent, change)
}

// Now returns the time of the transaction in the format of documents.
func (r *WorkingSet) Now() string { return schema.FormatTime(r.at) }

// SetAgent sets the agent that makes the change.
func (r *WorkingSet) SetAgent(agent string) { r.event.Agent = agent }

// NoteDone adds a completed goal or action to the session's metadata.
func (r *WorkingSet) NoteDone(d schema.Done) { r.done = append(r.done, d) }

// NoteRemoved adds a removed constraint, by its id or text, to the session's metadata.
func (r *WorkingSet) NoteRemoved(which string) { r.removed = append(r.removed, which) }

// EditHot edits the hot context of the active session.
func (r *WorkingSet) EditHot(change func(*session.Hot) error) error {
	id, err := r.activeSession()
	if err != nil {
		return err
	}
	return r.editHot(id, change)
}

// HotContext returns the hot context of the active session with the changes so far.
func (r *WorkingSet) HotContext() (now schema.HotContext, err error) {
	if err := r.renderBehind(); err != nil {
		return now, err
	}
	err = r.EditHot(func(h *session.Hot) error { now = h.Context(); return nil })
	return now, err
}

// AddClarification writes c as a file of its own, which closes its question. The name
// has the question's id and a hash of the content, so that two answers to one question
// are two files.
func (r *WorkingSet) AddClarification(c schema.Clarification) error {
	r.counted.Clarifications++
	text, err := jsonedit.Marshal(c)
	if err != nil {
		return fmt.Errorf("clarification of %s: %w", c.ID, err)
	}
	stem := strings.ReplaceAll(c.ID, ".", "%2E")
	if !schema.ValidID(c.ID) {
		stem = "Q"
	}
	r.tx.Write(r.home+"/"+fs.ClarificationsDir+"/"+schema.DerivedID(stem+"-", text)+".json", text)
	r.facts, r.behind = nil, true
	return nil
}
