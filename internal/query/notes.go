package query

import (
	"cmp"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/memory"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/schema"
)

// Notes returns the notes in force, in order of time: those that every prompt of the session
// gets, and the entries of agents' notes. Records that cannot be read are left out; validate
// reports them.
func Notes(r *fs.Tree) ([]schema.NoteRecord, error) {
	hot, err := views.Project(r)
	if err != nil {
		return nil, err
	}
	if id, _, err := session.InForce(r); err != nil {
		return nil, err
	} else if id != "" {
		if src, err := r.Read(session.HotContext(id)); err == nil {
			if h, err := session.ReadHot(src); err == nil {
				hot = h.Context()
			}
		}
	}
	var notes []schema.NoteRecord
	for _, n := range hot.Notes {
		notes = append(notes, schema.NoteRecord{ID: cmp.Or(n.ID, n.Note), Note: n.Note, Agent: n.Agent, Created: n.Created})
	}
	entries, _ := memory.Records(r)
	for _, e := range entries {
		if e.Fact.InForce() {
			notes = append(notes, schema.NoteRecord{
				ID: e.Fact.ID, Note: e.Text, Agent: e.Agent, Created: e.Time,
				Section: e.Section, Type: e.Type, Rationale: e.Rationale,
			})
		}
	}
	slices.SortStableFunc(notes, func(a, b schema.NoteRecord) int { return cmp.Compare(a.Created, b.Created) })
	return notes, nil
}
