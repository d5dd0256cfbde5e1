package operation

import (
	"cmp"
	"context"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/importer"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/schema"
)

// importAgent is the author of records whose source names none, and of notes from sources.
const importAgent = "import"

// An ImportedRecord is a record that an import added, changed or closed.
type ImportedRecord struct {
	What   string `json:"what"` // added, updated, closed
	Kind   string `json:"kind"`
	ID     string `json:"id"`
	Text   string `json:"text"`
	Status string `json:"status,omitzero"` // of the item in its source
	File   string `json:"file,omitzero"`
	Line   int    `json:"line,omitzero"`
	Commit string `json:"commit,omitzero"`
}

// A Disagreement is a record that differs from its source and is not changed by an import.
type Disagreement struct {
	Kind    string `json:"kind"`
	ID      string `json:"id"`
	File    string `json:"file,omitzero"`
	Line    int    `json:"line,omitzero"`
	Message string `json:"message"`
	Hint    string `json:"hint"`
}

// An ImportReport is the result of an import.
type ImportReport struct {
	Records   []ImportedRecord `json:"records"`
	Unchanged int              `json:"unchanged"` // items whose records have the same content
	Finished  int              `json:"finished"`  // items that are done, and have no record
	Disagree  []Disagreement   `json:"disagree"`
}

// An importRun is one import within a transaction.
type importRun struct {
	set       *engine.WorkingSet
	res       importer.Result
	report    ImportReport
	decisions []schema.Decision
	standing  schema.Standing
	known     map[string]schema.Decision           // decisions by id
	texts     map[string]string                    // kind and text of an item in force → its id
	records   map[string]map[string]records.Record // by kind and id
	ids       map[string]string                    // key of an item → id of its record, of decisions and actions
	open      map[string]bool                      // keys of the actions that are not done
	added     []engine.DecisionFile                // decisions to record
}

// recordKinds are the kinds of records that items become, besides decisions.
var recordKinds = map[string]records.Kind{
	importer.Question: records.Question, importer.Action: records.Action, importer.Goal: records.Goal,
	importer.Constraint: records.Constraint, importer.Note: records.Note,
}

// Import makes records of items, all in one transaction: it adds what is new, changes what the source
// changed and nobody changed here, and reports what disagrees. Decisions are never changed.
func Import(ctx context.Context, t *engine.Tree, res importer.Result) (ImportReport, engine.Outcome, error) {
	var report ImportReport
	out, err := t.Change(ctx, "", func(w *engine.WorkingSet) error {
		run := importRun{set: w, res: res, report: ImportReport{Records: []ImportedRecord{}, Disagree: []Disagreement{}}}
		err := run.do()
		report = run.report
		return err
	})
	return report, out, err
}

func (r *importRun) do() error {
	if err := r.look(); err != nil {
		return err
	}
	if err := r.closeGone(); err != nil {
		return err
	}
	r.matchRenamed()
	for i := range r.res.Items {
		it := &r.res.Items[i]
		if it.Kind == importer.Decision {
			if err := r.addDecision(it); err != nil {
				return err
			}
		} else if err := r.addRecord(it); err != nil {
			return err
		}
	}
	return r.set.RecordAll(r.added)
}

// look reads the present records of the tree.
func (r *importRun) look() (err error) {
	if r.decisions, err = r.set.Decisions(); err != nil {
		return err
	}
	r.standing = schema.Current(r.decisions)
	r.known, r.texts, r.ids = map[string]schema.Decision{}, map[string]string{}, map[string]string{}
	for _, d := range r.decisions {
		r.known[d.ID] = d
	}
	for _, d := range r.standing.Current() {
		r.texts[importer.Decision+"\n"+d.Decision] = d.ID
	}
	r.records = map[string]map[string]records.Record{}
	for name, k := range recordKinds {
		byID := map[string]records.Record{}
		for _, rec := range r.set.Records(k) {
			byID[rec.ID] = rec
			if rec.InForce() {
				r.texts[name+"\n"+rec.Text()] = rec.ID
			}
		}
		r.records[name] = byID
	}
	r.open = map[string]bool{}
	for _, it := range r.res.Items {
		r.ids[it.Key] = it.RecordID()
		r.open[it.Key] = it.Kind == importer.Action && it.Status != importer.Done
	}
	return nil
}

// note adds a record to the report.
func (r *importRun) note(what, id string, it *importer.Item) {
	r.report.Records = append(r.report.Records, ImportedRecord{
		What: what, Kind: it.Kind, ID: id, Text: it.Text, Status: it.Source.Status, File: it.Source.File, Line: it.Source.Line, Commit: it.Source.Commit,
	})
}

// disagree adds a disagreement to the report.
//
//nolint:revive // the members of a Disagreement
func (r *importRun) disagree(kind, id string, s importer.Source, message, hint string) {
	r.report.Disagree = append(r.report.Disagree, Disagreement{kind, id, s.File, s.Line, message, hint})
}

// sourceOf returns the source that a record keeps. It returns false if it came from no import.
func sourceOf(members records.Members) (s importer.Source, ok bool) {
	raw, found := members["source"]
	return s, found && jsonedit.Decode(raw, &s) == nil && s.Digest != ""
}

// touched reports whether somebody changed a record here after its import. The changes of an
// import set the source.
func touched(rec records.Record) bool {
	for _, c := range rec.Changes {
		if _, ok := c.Set["source"]; !ok {
			return true
		}
	}
	return false
}

// at returns the time of an item, or that of the import.
func (r *importRun) at(it *importer.Item) string { return cmp.Or(it.At, r.set.Now()) }
