package engine

import (
	"bytes"
	"fmt"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// describe updates a session's metadata and its line in the index from about and from
// its hot context.
func (r *WorkingSet) describe(id string, about session.MetadataChange) error {
	hot, now, err := r.readSession(id)
	if err != nil {
		return err
	}
	if hot.CurrentFileContext != nil {
		about.Files = hot.CurrentFileContext.Files
	}
	hot.ActiveGoals = ownGoals(hot, now)
	if first := session.Objective(hot); first != "" {
		about.Goals = append(about.Goals, first)
	}
	for _, g := range hot.ActiveGoals {
		about.Goals = append(about.Goals, g.Goal)
	}
	name := session.MetadataFile(id)
	src, err := r.readIfExists(name)
	if err != nil {
		return err
	}
	if src == nil {
		there := session.DerivedMetadata(r.tx, id)
		about.Started, about.At = there.Started, laterTime(there.LastActivity, about.At)
	}
	text, err := session.Describe(id, src, about)
	if err != nil {
		r.addNote(fmt.Sprintf("%s was not updated, because it cannot be read: %v", name, err))
		return nil
	}
	if bytes.Equal(text, src) {
		return nil
	}
	r.tx.Write(name, text)
	return r.indexSession(text)
}

// indexSession updates the line of a session in the index.
func (r *WorkingSet) indexSession(metadata []byte) error {
	var now schema.SessionMetadata
	if err := jsonedit.Decode(metadata, &now); err != nil {
		return err
	}
	index, err := r.readIfExists(fs.SessionIndex)
	if err != nil {
		return err
	}
	if index, err = session.UpdateIndex(r.tx, index, now); err != nil {
		return err
	}
	r.tx.Write(fs.SessionIndex, index)
	return nil
}

// keepSession updates the active session after a change of its hot context, or of its
// history by others.
func (r *WorkingSet) keepSession() error {
	id, err := r.liveSessionID()
	if err != nil || id == "" {
		return err
	}
	_, counted := session.ReadTally(r.tree.Tree)
	if _, added := r.tx.Appended(session.Window(id)); added { // this transaction did what was due
		counted = true
	}
	if counted && !r.raised && len(r.done) == 0 && len(r.removed) == 0 {
		return nil
	}
	about := session.MetadataChange{Messages: session.AsItIs, Done: r.done, Removed: r.removed}
	if r.raised {
		about.At = schema.FormatTime(r.at)
		if r.event.Agent != "" && r.counted.Messages == 0 { // the agent may have spoken in the session before
			about.Agents = []string{r.event.Agent}
		}
	}
	if counted {
		return r.describe(id, about)
	}
	l, err := r.openLive()
	if err != nil {
		return err
	}
	l.about = about
	if l, err = r.runDueIn(l, l.count-l.known); err != nil {
		return err
	}
	return r.closeLive(l)
}
