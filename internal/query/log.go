package query

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/brief"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/health"
	"github.com/forgemind/forgemind/internal/ledger"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/schema"
)

// A LogQuery selects the events of a log.
type LogQuery struct {
	Kinds []string // see [LogKinds]; none is all
	By    string   // only entries that this name made, recorded or sent, ignoring case; "" is all
	// Senders maps names of files to who sent them to the other machines. It may be nil.
	Senders map[string]string
	Since   time.Time // only entries of that time or later; zero is all
	Limit   int       // 0 is all
}

// A LogEntry is something that happened.
type LogEntry struct {
	Time string `json:"time"` // RFC 3339 UTC, or a day; "" if unknown
	Kind string `json:"kind"`
	ID   string `json:"id"` // of the thing concerned; [Show] takes it
	By   string `json:"by"` // "" if unknown
	// RecordedBy is the name of the one who recorded it, such as an agent, if that is not By.
	RecordedBy string `json:"recorded_by,omitzero"`
	SentBy     string `json:"sent_by,omitzero"` // who sent it to the other machines
	Text       string `json:"text"`

	file string // the Name of the file that the entry comes from; "" if unknown
}

// isBy reports whether somebody called name did, recorded or sent it.
func (e LogEntry) isBy(name string) bool {
	return strings.EqualFold(e.By, name) || strings.EqualFold(e.RecordedBy, name) || strings.EqualFold(e.SentBy, name)
}

// Kinds of entries that are not kinds of things.
const (
	kindCompaction = "compaction"
	kindTrigger    = "trigger"
)

// LogKinds returns the kinds of entries in the order in which they are listed.
func LogKinds() []string {
	all := slices.DeleteFunc(Kinds(), func(k string) bool { return k == kindMessage || k == kindChunk })
	return append(all, kindCompaction, kindTrigger)
}

// Log returns what happened in a tree, the newest first: records that were added and changed,
// layers and clarity, sessions, discussions, compactions, and the last firing of each
// trigger. Documents that cannot be read are left out; validate reports them.
func Log(tree *fs.Tree, q LogQuery) []LogEntry {
	l := logging{gathering: gather(tree, q.Kinds, true), sent: q.Senders != nil}
	for i := range l.all {
		if l.all[i].repeats {
			continue
		}
		first := len(l.entries)
		l.thing(&l.all[i])
		for j := range l.entries[first:] {
			e := &l.entries[first+j]
			e.file = cmp.Or(e.file, l.all[i].File)
		}
	}
	l.progress()
	l.posts()
	l.compactions()
	l.triggers()
	for i := range l.entries {
		l.entries[i].SentBy = q.Senders[l.entries[i].file]
	}
	entries := slices.DeleteFunc(l.entries, func(e LogEntry) bool {
		return q.By != "" && !e.isBy(q.By) || !q.Since.IsZero() && !IsSince(e.Time, q.Since) || !l.wants(e.Kind)
	})
	slices.SortStableFunc(entries, func(a, b LogEntry) int {
		return cmp.Or(compareTimes(b.Time, a.Time), strings.Compare(a.Kind, b.Kind), strings.Compare(a.ID, b.ID))
	})
	if q.Limit > 0 {
		entries = entries[:min(len(entries), q.Limit)]
	}
	for i := range entries {
		e := &entries[i]
		e.RecordedBy, e.SentBy = word(e.RecordedBy), word(e.SentBy)
		e.Time, e.ID, e.By, e.Text = word(e.Time), word(e.ID), word(e.By), l.standing.Mark(brief.Line(masked(e.Text), 300))
	}
	return entries
}

// A logging collects the entries of a Log.
type logging struct {
	gathering
	entries []LogEntry
	sent    bool // whether it matters in which file an entry is
}

func (l *logging) entry(at, kind, id, by, format string, args ...any) {
	l.entries = append(l.entries, LogEntry{Time: at, Kind: kind, ID: id, By: by, Text: fmt.Sprintf(format, args...)})
}

// in sets the file of the last entry.
func (l *logging) in(file string) { l.entries[len(l.entries)-1].file = file }

// thing adds the entries of a thing.
func (l *logging) thing(t *Thing) {
	switch v := t.value.(type) {
	case *schema.Decision:
		l.entry(t.Time, t.Kind, t.ID, t.By, "decided: %s%s", t.Title, t.superseded())
		if d := &l.entries[len(l.entries)-1]; v.RecordedBy != t.By {
			d.RecordedBy = v.RecordedBy
		}
		if l.sent {
			file, _, _ := ledger.Find(l.tree, v.ID)
			l.in(file)
		}
	case schema.SessionMetadata:
		l.session(t, v)
	case schema.Thread:
		l.thread(t, v)
	case schema.Clarification:
		l.entry(t.Time, t.Kind, t.ID, t.By, "answered: %s %s", v.Question, v.Answer)
	case schema.Artifact:
		if v.Loaded {
			l.entry(t.Time, t.Kind, t.ID, t.By, "loaded %s", t.Title)
		}
	case schema.Done:
		l.entry(v.Completed, t.Kind, t.ID, t.By, "done: %s", t.Title)
	default:
		if t.Kind != kindProject || t.ID != projectID {
			l.record(t)
		}
	}
}

// record adds an entry for a new record, and entries for its changes.
func (l *logging) record(t *Thing) {
	title := t.Title
	if t.record.ID != "" {
		title = t.record.Base.Text(t.record.Kind.Text)
	}
	l.entry(t.Time, t.Kind, t.ID, t.By, "added: %s%s", cmp.Or(title, t.Title), t.superseded())
	for _, c := range t.record.InOrder() {
		l.entry(c.At, t.Kind, t.ID, c.By, "%s: %s%s", c.What, t.Title, settings(t.record.Kind, c.Set))
		l.in(c.Name)
	}
}

// superseded returns the note that a decision superseded the thing; "" for none.
func (t *Thing) superseded() string {
	if t.SupersededBy == "" {
		return ""
	}
	return " (superseded by " + t.SupersededBy + ")"
}

// settings returns the short members that a change set, as text: " (priority: high)". It
// leaves out the text of the record, and times.
func settings(k records.Kind, set records.Members) string {
	var all []string
	for name := range set {
		if text := set.Text(name); text != "" && name != k.Text && len(text) <= 40 {
			if _, err := schema.ParseTime(text); err != nil {
				all = append(all, name+": "+text)
			}
		}
	}
	if len(all) == 0 {
		return ""
	}
	slices.Sort(all)
	return " (" + strings.Join(all, ", ") + ")"
}

// session adds entries for the beginning and the end of a session.
func (l *logging) session(t *Thing, m schema.SessionMetadata) {
	l.entry(cmp.Or(m.Started, m.LastActivity), t.Kind, t.ID, t.By, "began: %s", t.Title)
	if m.Status == session.Archived {
		l.entry(cmp.Or(m.LastActivity, m.Started), t.Kind, t.ID, t.By, "ended: %s (%d messages)", t.Title, m.MessageCount)
	}
}

// thread adds entries for the opening and the closing of a thread. Its changes say who closed
// it.
func (l *logging) thread(t *Thing, v schema.Thread) {
	l.entry(v.Opened, t.Kind, t.ID, t.By, "opened: %s in #%s", t.Title, v.Channel)
	if len(t.record.Changes) > 0 {
		for _, c := range t.record.InOrder() {
			l.entry(c.At, t.Kind, t.ID, c.By, "%s: %s", c.What, t.Title)
			l.in(c.Name)
		}
		return
	}
	for _, end := range []struct{ at, what string }{{v.Resolved, "resolved"}, {v.Archived, "archived"}} {
		if end.at != "" {
			l.entry(end.at, t.Kind, t.ID, "", "%s: %s", end.what, t.Title)
		}
	}
}

// posts adds the messages of threads.
func (l *logging) posts() {
	if !l.wants(kindThread) {
		return
	}
	threads, _, _ := condense.Threads(l.tree)
	for _, t := range threads {
		talk, _, _ := condense.Talk(l.tree, t.Talk())
		for _, m := range talk {
			l.entry(m.Timestamp, kindThread, t.ID, cmp.Or(m.Agent, m.Role), "%s: %s", cmp.Or(t.Title, t.ID), m.Content)
			l.in(strings.TrimSuffix(t.File, ".json") + "/" + m.ID + ".json")
		}
	}
}

// projectID is the id of the project of the tree.
const projectID = "project"

// progress adds the changes of the project: its layer, its clarity. In a tree without records
// of them, it uses snapshots.
func (l *logging) progress() {
	if !l.wants(kindProject) {
		return
	}
	project, _ := records.ReadProject(l.tree)
	for _, c := range project.InOrder() {
		if text := progressOf(c.Set); text != "" {
			l.entry(c.At, kindProject, c.ID, c.By, "%s", text)
			l.in(c.Name)
		}
	}
	if project.Exists() {
		return
	}
	snapshots, _ := state.History(l.tree)
	for _, s := range snapshots {
		if name, ok := schema.LayerName(s.Layer); ok && !s.Time.IsZero() {
			l.entry(schema.FormatTime(s.Time), kindProject, s.ID, "", "layer %d %s, clarity %v %%", s.Layer, name, s.Clarity)
		}
	}
}

// progressOf describes a change of the project.
func progressOf(set records.Members) string {
	var all []string
	for name, value := range set {
		switch name {
		case "layer_name": // shown with the layer
		case "current_layer":
			all = append(all, strings.TrimSpace("layer "+string(value)+" "+set.Text("layer_name")))
		case "clarity":
			all = append(all, "clarity "+string(value)+" %")
		default:
			if text := set.Text(name); text != "" {
				all = append(all, name+" "+text)
			}
		}
	}
	slices.Sort(all)
	slices.Reverse(all) // the layer first
	return strings.Join(all, ", ")
}

// compactions adds the compactions of this working copy.
func (l *logging) compactions() {
	if !l.wants(kindCompaction) {
		return
	}
	logs, _ := health.ReadLogs(l.tree, time.Time{})
	for _, c := range logs.Compactions {
		by := ""
		if c.Trigger != "" {
			by = " by " + c.Trigger
		}
		l.entry(c.Timestamp, kindCompaction, "", "", "%d to %d tokens%s: %d dropped, %d summarized", c.TokensBefore, c.TokensAfter, by, c.ChunksDropped, c.ChunksSummarized)
	}
}

// triggers adds the last firing of each trigger in this working copy.
func (l *logging) triggers() {
	if !l.wants(kindTrigger) {
		return
	}
	all, _ := engine.Triggers(l.tree) // validate reports what cannot be read
	for _, t := range all {
		if !t.LastFired.IsZero() {
			l.entry(schema.FormatTime(t.LastFired), kindTrigger, t.Name, "", "fired: %s", strings.Join(t.Actions, ", "))
		}
	}
}
