package engine

import (
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/ledger"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/schema"
)

// A DecisionFile is a decision and the text of its file, which may have members that
// forgemind does not know.
type DecisionFile struct {
	schema.Decision
	Text []byte
}

// Records returns the records of kind k as this transaction has them, also those that are not in
// force. Files that hold no record are left out.
func (r *WorkingSet) Records(k records.Kind) []records.Record {
	all, _ := records.All(r.tx, k)
	return all
}

// Decisions returns the decisions of the Ledger as this transaction has them.
func (r *WorkingSet) Decisions() ([]schema.Decision, error) { return ledger.Staged(r.tree.Tree, r.tx) }

// DecisionText returns the text of a decision's file.
func (r *WorkingSet) DecisionText(id string) ([]byte, error) {
	at, _, err := ledger.Find(r.tx, id)
	if err != nil {
		return nil, err
	}
	return r.tx.Read(at)
}

// RecordAll records decisions that were made elsewhere. They fire no trigger. The State
// shows the newest of those in force.
func (r *WorkingSet) RecordAll(all []DecisionFile) error {
	superseded := map[string]bool{}
	here := map[string]bool{}
	for _, d := range all {
		if err := ledger.RecordText(r.tx, r.home, d.Decision, d.Text); err != nil {
			return err
		}
		here[d.ID] = true
		for _, id := range d.Supersedes {
			superseded[id] = true
		}
	}
	var show []schema.Decision
	for _, d := range all {
		former := slices.ContainsFunc(d.Supersedes, func(id string) bool { return !here[id] })
		if former {
			if err := r.announceSuperseded(d.Decision); err != nil {
				return err
			}
		}
		if !superseded[d.ID] {
			show = append(show, d.Decision)
		}
	}
	return r.showRecent(show)
}

// showRecent adds the newest of recorded decisions to the State.
func (r *WorkingSet) showRecent(all []schema.Decision) error {
	all = schema.Current(all).All()
	recorded := func(id string) bool { _, ok, err := ledger.Find(r.tx, id); return ok && err == nil }
	for _, d := range all[max(0, len(all)-state.KeepRecent):] {
		err := edit(r.tx, fs.State, func(src []byte) ([]byte, error) { return state.ShowDecision(src, d, recorded) })
		if err != nil && !isMissing(err) {
			return err
		}
	}
	return nil
}

// ChangeRecord stages a change of a record; what names the change in one word.
func (r *WorkingSet) ChangeRecord(rec records.Record, what string, members map[string]any) error {
	rec, err := rec.Change(r.tx, records.Change{What: what, At: schema.FormatTime(r.at), By: r.Actor()}, members)
	return r.put(rec, err)
}

// Stored returns the text of a file as this transaction has it; nil if there is none.
func (r *WorkingSet) Stored(name string) ([]byte, error) { return r.readIfExists(name) }

// InHome returns the name that a record of another tree has in this one. The two trees
// may have different folders.
func (r *WorkingSet) InHome(name string) string {
	folder, rest, _ := strings.Cut(name, "/")
	if folder == r.home || folder == fs.Quaid && r.hasQuaid() {
		return name
	}
	return r.home + "/" + rest
}

// WriteRecords stages files of records and changes of another tree, and has the views show them.
func (r *WorkingSet) WriteRecords(files map[string][]byte) error {
	var decisions []schema.Decision
	for name, text := range files {
		r.tx.Write(name, text)
		var d schema.Decision
		if fs.Place(name) == fs.DocDecision && jsonedit.Decode(text, &d) == nil && d.ID != "" {
			decisions = append(decisions, d)
		}
	}
	if len(files) == 0 {
		return nil
	}
	r.facts, r.behind = nil, true
	slices.SortFunc(decisions, func(a, b schema.Decision) int { return strings.Compare(a.ID, b.ID) })
	return r.showRecent(schema.Current(decisions).Current())
}
