package engine

import (
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/ledger"
	"github.com/forgemind/forgemind/internal/memory"
	"github.com/forgemind/forgemind/schema"
)

// noteRecords returns the entries of agents' notes in order of time: the records and,
// if git ignores the notes, the decisions that name an agent or supersede such a
// decision. The error reports a record that the disk could not read: without it, a note
// would lose an entry. Files that hold no record are left out; validate reports them.
func noteRecords(r fs.Reader, local bool, decided func() ([]schema.Decision, error)) ([]memory.Record, error) {
	all, faults := memory.Records(r)
	for _, f := range faults {
		if fs.IsUnread(f.Err) {
			return nil, wrapName(f.Name, f.Err)
		}
	}
	if !local {
		return all, nil
	}
	home, err := Home(r)
	if err != nil {
		return all, nil
	}
	decisions, err := decided()
	if err != nil {
		return nil, err
	}
	n := decisionEntries{home: home, all: all, shown: map[string][]memory.Record{}, reader: r}
	for _, rec := range all {
		if rec.ID != "" && rec.Fact.InForce() {
			n.shown[rec.ID] = append(n.shown[rec.ID], rec)
		}
	}
	for _, d := range decisions {
		n.show(d)
	}
	return n.all, nil
}

// noteRecords returns the entries of agents' notes, with what this transaction staged.
func (r *WorkingSet) noteRecords(local bool) ([]memory.Record, error) {
	return noteRecords(r.tx, local, func() ([]schema.Decision, error) { return ledger.Staged(r.tree.Tree, r.tx) })
}

// decisionEntries are the entries that notes show. Entries of decisions are added to them.
type decisionEntries struct {
	home  string
	all   []memory.Record
	shown map[string][]memory.Record // by the id of the decision

	reader fs.Reader
	topics map[string]string // topics of the condensations, by the id of the decision; nil until they are read
}

// topic returns the topic of the discussion that led to a decision; "" if there is no
// condensation of it.
func (n *decisionEntries) topic(d schema.Decision) string {
	if len(d.NotedBy) == 0 || d.Channel == "" {
		return ""
	}
	if n.topics == nil {
		n.topics = map[string]string{}
		all, _, _ := condense.Condensations(n.reader) // validate reports those that cannot be read
		for _, c := range all {
			n.topics[c.DecisionID] = c.Topic
		}
	}
	return n.topics[d.ID]
}

// show adds the entries of a decision. Those that it supersedes come before it.
func (n *decisionEntries) show(d schema.Decision) {
	e := memory.Entry{Type: memory.BossDecision, ID: d.ID, Text: d.Decision, Rationale: d.Rationale, Time: d.Timestamp}
	if topic := n.topic(d); topic != "" {
		e.Text = topic + ": " + d.Decision
	}
	for _, agent := range d.NotedBy {
		e.Agent = agent
		if name, section, err := memory.Place(n.home, e); err == nil {
			n.add(memory.Record{Entry: e, Note: name, Section: section})
		}
	}
	for _, former := range d.Supersedes {
		e.Text = d.Decision + " (supersedes " + former + ")"
		for _, rec := range n.shown[former] {
			n.add(memory.Record{Entry: e, Note: rec.Note, Section: rec.Section})
		}
		for _, rec := range n.all {
			if !rec.Prose || !rec.Fact.InForce() || !strings.Contains(rec.Text, former) {
				continue
			}
			titles, _ := memory.Telling([]byte(rec.Text), former)
			for _, title := range titles {
				n.add(memory.Record{Entry: e, Note: rec.Note, Section: title})
			}
		}
	}
}

// add adds an entry, unless its section shows the decision already.
func (n *decisionEntries) add(rec memory.Record) {
	same := func(known memory.Record) bool { return known.Note == rec.Note && known.Section == rec.Section }
	if slices.ContainsFunc(n.shown[rec.ID], same) {
		return
	}
	n.shown[rec.ID] = append(n.shown[rec.ID], rec)
	n.all = append(n.all, rec)
}

// noteDecision adds a decision to agents' notes. If the decision is new and the note is
// an agent's own, it sets a member of the decision's record; else it makes a record of
// the entry. The id of that derives from its content, so that two clones write the
// same.
func (r *WorkingSet) noteDecision(e memory.Entry) (string, error) {
	name, section, err := memory.Place(r.home, e)
	if err != nil {
		return "", err
	}
	if _, _, err := loadNote(r.tx, name, true); err != nil {
		return "", wrapName(name, err)
	}
	here := func(rec memory.Record) bool { return rec.ID == e.ID && rec.Note == name && rec.Section == section }
	all, err := r.noteRecords(true)
	if err != nil {
		return "", err
	}
	if slices.ContainsFunc(all, here) {
		return name, r.renderNote(name)
	}
	at, _, err := ledger.Find(r.tx, e.ID)
	if err != nil {
		return "", err
	}
	_, err = r.tree.ReadStored(at)
	if fs.IsUnread(err) {
		return "", err
	}
	if isMissing(err) && e.Type == memory.BossDecision && at != "" {
		err = edit(r.tx, at, func(src []byte) ([]byte, error) { return withNoter(src, e.Agent) })
		if err != nil {
			return "", err
		}
		return name, r.renderNote(name)
	}
	id := schema.DerivedID("note-", []byte(name+"\n"+section+"\n"+e.ID))
	err = memory.AddEntry(r.tx, r.home, schema.NoteRecord{
		ID: id, Note: e.Text, Agent: e.Agent, Created: e.Time, Section: section, Type: e.Type, Rationale: e.Rationale, Decision: e.ID,
	})
	if err != nil {
		return "", err
	}
	return name, r.renderNote(name)
}

// withNoter returns the text of a decision with agent added to those whose notes show
// it.
func withNoter(src []byte, agent string) ([]byte, error) {
	var d schema.Decision
	if err := jsonedit.Decode(src, &d); err != nil {
		return nil, err
	}
	value, err := jsonedit.Value(append(d.NotedBy, memory.NotesAgent(agent)))
	if err != nil {
		return nil, err
	}
	return jsonedit.Set(src, "/noted_by", value)
}
