package query

import (
	"cmp"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/memory"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/views"
)

// Members of records with the time, the author, and text beside the main text.
var (
	timeMembers = []string{"created", "asked_at", "opened", "pinned_at"}
	byMembers   = []string{"by", "created_by", "asked_by", "from", "pinned_by", "agent"}
	textMembers = []string{"context", "rationale", "summary", "notes"}
)

// records adds questions, actions, goals, constraints, handoffs, and the notes of sessions.
// Entries of agents' notes follow in notes.
func (g *gathering) records() {
	for _, k := range recordKinds {
		if !g.wants(k.Name) {
			continue
		}
		all, _ := records.All(g.tree, k)
		for _, rec := range all {
			if k.Name == records.Note.Name && rec.Members["section"] != nil {
				continue
			}
			t := ofRecord(rec)
			if k.Name == records.Handoff.Name { // older files refer to the task
				t.ID, t.Alias = cmp.Or(rec.Base.Text("id"), rec.ID), rec.ID
			}
			g.add(t)
		}
	}
}

// ofRecord returns a record as a thing.
func ofRecord(rec records.Record) Thing {
	t := ofMembers(rec.Kind, rec.Members)
	t.ID, t.File, t.Closed, t.record = rec.ID, rec.Name, !rec.InForce(), rec
	return t
}

// ofMembers returns a thing with the members of a record.
func ofMembers(k records.Kind, m records.Members) Thing {
	t := Thing{
		Kind: k.Name, Title: strings.TrimSpace(m.Text(k.Text)), Status: m.Text("status"), Session: m.Text("session"),
		Time: firstOf(m, timeMembers), By: firstOf(m, byMembers), value: m,
	}
	t.Text = t.Title
	for _, name := range textMembers {
		if text := m.Text(name); text != "" {
			t.Text += "\n" + text
		}
	}
	return t
}

// firstOf returns the first of the named members that is text.
func firstOf(m records.Members, names []string) string {
	for _, name := range names {
		if text := m.Text(name); text != "" {
			return text
		}
	}
	return ""
}

// unrecorded adds the items of the State and of the session in force that have no record: in
// a tree without records, all of them.
func (g *gathering) unrecorded() {
	if !g.wants(records.Question.Name, records.Action.Name, records.Goal.Name, records.Constraint.Name, records.Note.Name) {
		return
	}
	var documents []views.Document
	names := []string{fs.State}
	if id, _, err := session.InForce(g.tree); err == nil && id != "" {
		names = append(names, session.HotContext(id))
	}
	for _, name := range names {
		if src, err := g.tree.Read(name); err == nil {
			documents = append(documents, views.Document{Name: name, After: src})
		}
	}
	facts, _ := views.Read(g.tree)
	for _, d := range documents {
		shown := views.ReadItems([]views.Document{d})
		for _, k := range recordKinds {
			for _, it := range facts.Items(k, shown) {
				if it.Record.ID != "" || g.has(k.Name, it.Name) {
					continue
				}
				t := ofMembers(k, it.Members)
				t.ID, t.Title, t.File = it.Name, cmp.Or(t.Title, it.Text), d.Name
				t.Text = cmp.Or(t.Text, it.Text)
				g.add(t)
			}
		}
	}
}

// notes adds the entries of agents' notes; those with a record have its id.
func (g *gathering) notes() {
	if !g.wants(records.Note.Name) {
		return
	}
	all, _ := memory.Records(g.tree)
	names, load, _ := engine.Notes(g.tree)
	shown := map[string]bool{}   // ids of records
	decided := map[string]bool{} // ids of decisions
	for _, d := range g.standing.All() {
		decided[d.ID] = true
	}
	for _, name := range names {
		src, err := load(name)
		if err != nil {
			continue
		}
		sections, _ := memory.Read(src)
		for _, s := range sections {
			for _, entry := range s.Entries {
				t := ofEntry(name, entry)
				id, _, _ := strings.Cut(t.Title, ":")
				t.repeats = decided[id]
				if rec := recordOfEntry(all, name, entry); rec != nil && !shown[rec.Fact.ID] {
					shown[rec.Fact.ID] = true
					alias := t.ID
					t = ofRecord(rec.Fact)
					t.Alias, t.Text = alias, entry
				}
				g.add(t)
			}
		}
	}
	for _, rec := range all {
		if !shown[rec.Fact.ID] {
			g.add(ofRecord(rec.Fact))
		}
	}
}

// ofEntry returns an entry of a note, which may begin with a time.
func ofEntry(name, entry string) Thing {
	t := Thing{Kind: records.Note.Name, ID: memory.EntryID(name, entry), Title: entry, Text: entry, File: name, By: noteOwner(name)}
	if first, rest, ok := strings.Cut(entry, " "); ok && !moment(first).IsZero() {
		t.Time, t.Title = first, rest
	}
	return t
}

// noteOwner returns the agent whose notes a file holds.
func noteOwner(name string) string {
	return strings.TrimSuffix(strings.TrimSuffix(name[strings.LastIndexByte(name, '/')+1:], ".md"), "-notes")
}

// recordOfEntry returns the record in force that an entry of a note shows; nil for none.
func recordOfEntry(all []memory.Record, note, entry string) *memory.Record {
	for i := range all {
		r := &all[i]
		if r.Note == note && r.Fact.InForce() && strings.HasPrefix(entry, r.FirstLine()) {
			return r
		}
	}
	return nil
}
