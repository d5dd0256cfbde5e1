package operation

import (
	"cmp"
	"fmt"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/importer"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/text"
	"github.com/forgemind/forgemind/schema"
)

// An importedDecision is the file of an imported decision.
type importedDecision struct {
	schema.Decision
	Context string          `json:"context,omitzero"`
	Aliases []string        `json:"aliases,omitzero"` // names in its source
	Source  importer.Source `json:"source"`
}

// sourceOfDecision returns the source that the file of a decision keeps.
func (r *importRun) sourceOfDecision(id string) (importer.Source, error) {
	src, err := r.set.DecisionText(id)
	if err != nil {
		return importer.Source{}, err
	}
	var d struct {
		Source importer.Source `json:"source"`
	}
	if jsonedit.Decode(src, &d) != nil {
		return importer.Source{}, nil // validate reports it
	}
	return d.Source, nil
}

// matchRenamed finds the decisions whose files were renamed in the source: their ids stay.
func (r *importRun) matchRenamed() {
	read, coming := map[string]bool{}, map[string]bool{}
	for _, name := range r.res.Files {
		read[name] = true
	}
	for _, it := range r.res.Items {
		coming[it.RecordID()] = true
	}
	gone := map[string]string{} // the id in the source or the text → the id of the decision
	for _, d := range r.decisions {
		if d.Origin != schema.OriginImported || coming[d.ID] {
			continue
		}
		s, err := r.sourceOfDecision(d.ID)
		if err != nil || s.Format != r.res.Format || s.Digest == "" || s.From != r.res.From || read[s.File] {
			continue
		}
		gone[s.ID+"\n"+d.Decision] = d.ID
		gone["\n"+d.Decision] = d.ID
		gone[s.ID+"\n"] = d.ID
	}
	for _, it := range r.res.Items {
		if _, here := r.known[it.RecordID()]; here || it.Kind != importer.Decision {
			continue
		}
		if id := cmp.Or(gone[it.Source.ID+"\n"+it.Text], gone["\n"+it.Text], gone[it.Source.ID+"\n"]); id != "" {
			r.ids[it.Key] = id
		}
	}
}

// addDecision records a decision, or compares it with the one that is recorded.
func (r *importRun) addDecision(it *importer.Item) error {
	id := r.ids[it.Key]
	if err := r.closeFormer(it); err != nil {
		return err
	}
	if _, here := r.known[id]; here {
		return r.compareDecision(id, it)
	}
	if other, same := r.texts[importer.Decision+"\n"+it.Text]; same {
		r.ids[it.Key] = other
		r.report.Unchanged++
		return nil
	}
	by := cmp.Or(it.By, importAgent)
	d := importedDecision{
		Decision: schema.Decision{
			ID: id, Timestamp: r.at(it), Decision: it.Text, Rationale: it.Rationale, AlternativesRejected: it.Rejected, Impact: it.Impact,
			DecisionMaker: by, RecordedBy: by, Immutable: true, Files: it.Files, Origin: schema.OriginImported,
		},
		Context: it.Context, Aliases: it.Aliases, Source: it.Source,
	}
	for _, key := range it.Supersedes {
		old := r.ids[key]
		if other, superseded := r.standing.SupersededBy(old); superseded {
			r.disagree(importer.Decision, id, it.Source, fmt.Sprintf("the source says that it supersedes %s, which %s supersedes here", old, other), "see whether both records are about the same")
			continue
		}
		if old != "" && old != id {
			d.Supersedes = append(d.Supersedes, old)
		}
	}
	src, err := jsonedit.Marshal(d)
	if err != nil {
		return err
	}
	r.added = append(r.added, engine.DecisionFile{Decision: d.Decision, Text: src})
	r.note("added", id, it)
	return nil
}

// compareDecision reports differences between the source and a recorded decision.
func (r *importRun) compareDecision(id string, it *importer.Item) error {
	if _, superseded := r.standing.SupersededBy(id); superseded {
		r.report.Unchanged++
		return nil
	}
	s, err := r.sourceOfDecision(id)
	if err != nil {
		return err
	}
	agrees := true
	for _, key := range it.Supersedes {
		old := r.ids[key]
		if _, here := r.known[old]; !here || old == id {
			continue
		}
		if _, superseded := r.standing.SupersededBy(old); !superseded {
			agrees = false
			r.disagree(importer.Decision, old, it.Source, fmt.Sprintf("%s is in force here; the source says that %s supersedes it", old, id),
				fmt.Sprintf("'forgemind decision supersede %s TEXT' records that", old))
		}
	}
	if s.Digest != "" && s.Digest != it.Source.Digest {
		agrees = false
		r.disagree(importer.Decision, id, it.Source, fmt.Sprintf("%s was recorded before its source changed; a decision is never changed", id),
			fmt.Sprintf("'forgemind decision supersede %s %s' records what the source says now", id, text.Quote(it.Text, 80)))
	}
	if agrees {
		r.report.Unchanged++
	}
	return nil
}

// closeFormer closes the question or the note that an item was before its status changed.
func (r *importRun) closeFormer(it *importer.Item) error {
	for _, kind := range []string{importer.Question, importer.Note} {
		other := *it
		other.Kind = kind
		rec, ok := r.records[kind][other.RecordID()]
		if !ok || !rec.InForce() || kind == it.Kind {
			continue
		}
		status := records.Removed
		if kind == importer.Question {
			if status = records.Canceled; it.Kind == importer.Decision {
				status = records.Answered
			}
		}
		if err := r.set.ChangeRecord(rec, status, map[string]any{"status": status, "source": it.Source}); err != nil {
			return err
		}
		other.Text = rec.Text()
		r.note("closed", rec.ID, &other)
	}
	return nil
}
