package operation

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/forgemind/forgemind/internal/importer"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// An importedItem is the file of an imported record that is no decision.
type importedItem struct {
	ID         string          `json:"id"`
	Question   string          `json:"question,omitzero"`
	Action     string          `json:"action,omitzero"`
	Goal       string          `json:"goal,omitzero"`
	Constraint string          `json:"constraint,omitzero"`
	Note       string          `json:"note,omitzero"`
	Context    string          `json:"context,omitzero"`
	Rationale  string          `json:"rationale,omitzero"`
	Status     string          `json:"status,omitzero"`
	Priority   string          `json:"priority,omitzero"`
	AssignedTo string          `json:"assigned_to,omitzero"`
	BlockedBy  []string        `json:"blocked_by,omitzero"`
	AskedBy    string          `json:"asked_by,omitzero"`
	AskedAt    string          `json:"asked_at,omitzero"`
	CreatedBy  string          `json:"created_by,omitzero"`
	Agent      string          `json:"agent,omitzero"`
	Created    string          `json:"created,omitzero"`
	Section    string          `json:"section,omitzero"`
	Type       string          `json:"type,omitzero"`
	By         string          `json:"by,omitzero"`
	Origin     string          `json:"origin,omitzero"`
	Confidence float64         `json:"confidence,omitzero"`
	Files      []string        `json:"files,omitzero"`
	Relations  any             `json:"relations,omitzero"`
	Aliases    []string        `json:"aliases,omitzero"`
	Source     importer.Source `json:"source"`
}

// itemOf returns the file of an item.
func (r *importRun) itemOf(id string, it *importer.Item) importedItem {
	by, at := cmp.Or(it.By, importAgent), r.at(it)
	v := importedItem{
		ID: id, Context: it.Context, Rationale: it.Rationale, Priority: it.Priority, AssignedTo: it.Assigned, BlockedBy: r.blockers(it), Files: it.Files,
		Relations: it.Members["relations"], Aliases: it.Aliases, Source: it.Source, Origin: schema.OriginImported,
	}
	switch it.Kind {
	case importer.Question:
		v.Question, v.AskedBy, v.AskedAt, v.Status = it.Text, by, at, awaiting
	case importer.Action:
		v.Action, v.CreatedBy, v.Created = it.Text, by, at
	case importer.Goal:
		v.Goal, v.Agent, v.Created, v.Status, v.Priority = it.Text, by, at, session.Pending, cmp.Or(it.Priority, session.Medium)
	case importer.Constraint:
		v.Constraint, v.Agent, v.Created = it.Text, by, at
	default:
		v.Note, v.Agent, v.By, v.Created, v.Section, v.Type = it.Text, importAgent, it.By, at, it.Section, "imported"
	}
	if it.Source.Format == importer.Git {
		v.Origin, v.Type, v.Confidence = schema.OriginDetected, "detected_decision", it.Confidence
	}
	return v
}

// blockers returns the ids of the actions that block an item: those that are not done.
func (r *importRun) blockers(it *importer.Item) (ids []string) {
	for _, key := range it.BlockedBy {
		if id := r.ids[key]; id != "" && r.open[key] && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// addRecord adds the record of an item that is not a decision, or compares it with the
// existing one.
func (r *importRun) addRecord(it *importer.Item) error {
	id := r.ids[it.Key]
	if it.Kind == importer.Question || it.Kind == importer.Note {
		if done, err := r.supersededHere(it); done || err != nil {
			return err
		}
	}
	if rec, here := r.records[it.Kind][id]; here {
		return r.compareRecord(rec, it)
	}
	if it.Status == importer.Done && it.Kind != importer.Note {
		r.report.Finished++
		return nil
	}
	if other, same := r.texts[it.Kind+"\n"+it.Text]; same {
		r.ids[it.Key] = other
		r.report.Unchanged++
		return nil
	}
	r.texts[it.Kind+"\n"+it.Text] = id
	r.note("added", id, it)
	return r.set.Add(recordKinds[it.Kind], id, r.itemOf(id, it))
}

// supersededHere reports whether an item that is no longer a decision has a decision in force
// here. Decisions are never changed, so this is reported.
func (r *importRun) supersededHere(it *importer.Item) (bool, error) {
	if err := r.closeFormer(it); err != nil {
		return false, err
	}
	was := *it
	was.Kind = importer.Decision
	id := was.RecordID()
	if _, here := r.known[id]; !here {
		return false, nil
	}
	if _, superseded := r.standing.SupersededBy(id); superseded {
		r.report.Unchanged++
		return true, nil
	}
	r.disagree(importer.Decision, id, it.Source, fmt.Sprintf("%s is in force here; the source says now that it is %s", id, cmp.Or(it.Status, it.Source.Status)),
		fmt.Sprintf("'forgemind decision supersede %s TEXT' records what holds instead", id))
	return true, nil
}

// compareRecord applies the changes of its source to a record, unless somebody changed it
// here.
func (r *importRun) compareRecord(rec records.Record, it *importer.Item) error {
	s, imported := sourceOf(rec.Members)
	switch {
	case imported && it.Kind == importer.Constraint && !rec.InForce() && !touched(rec): // the file has the rule again
		r.note("added", rec.ID, it)
		return r.set.ChangeRecord(rec, "updated", map[string]any{"status": nil, "source": it.Source})
	case !imported || s.Digest == it.Source.Digest:
		r.report.Unchanged++
		return nil
	case !rec.InForce():
		r.report.Unchanged++ // a record that was closed here stays closed
		return nil
	case touched(rec):
		r.disagree(it.Kind, rec.ID, it.Source, fmt.Sprintf("%s %s was changed here, and its source was changed as well", it.Kind, rec.ID),
			"change the record or the source, so that both say the same")
		return nil
	}
	set := map[string]any{"source": it.Source}
	what := "updated"
	switch now := r.itemOf(rec.ID, it); {
	case it.Status == importer.Done:
		what = map[string]string{importer.Goal: records.Complete}[it.Kind]
		what = cmp.Or(what, records.Done)
		set["status"] = what
		if what == records.Complete {
			what = records.Done
		}
	default:
		set[rec.Kind.Text] = it.Text
		for name, value := range map[string]string{"context": now.Context, "rationale": now.Rationale, "priority": now.Priority, "assigned_to": now.AssignedTo} {
			if value != "" || rec.Members[name] != nil {
				set[name] = value
			}
		}
		if len(now.BlockedBy) > 0 || rec.Members["blocked_by"] != nil {
			set["blocked_by"] = append([]string{}, now.BlockedBy...)
		}
	}
	if err := r.set.ChangeRecord(rec, what, set); err != nil {
		return err
	}
	if what == "updated" {
		r.note("updated", rec.ID, it)
	} else {
		r.note("closed", rec.ID, it)
	}
	return nil
}

// closeGone closes the records of rules that their files no longer have, unless somebody
// changed them here.
func (r *importRun) closeGone() error {
	if r.res.Format != importer.Rules {
		return nil
	}
	there := map[string]bool{}
	for _, it := range r.res.Items {
		there[it.RecordID()] = true
	}
	var gone []records.Record
	for id, rec := range r.records[importer.Constraint] {
		s, imported := sourceOf(rec.Members)
		if imported && rec.InForce() && !there[id] && s.Format == importer.Rules && s.From == r.res.From && slices.Contains(r.res.Files, s.File) {
			gone = append(gone, rec)
		}
	}
	slices.SortFunc(gone, func(a, b records.Record) int { return cmp.Compare(a.ID, b.ID) })
	for _, rec := range gone {
		s, _ := sourceOf(rec.Members)
		if touched(rec) {
			r.disagree(importer.Constraint, rec.ID, s, fmt.Sprintf("%s has another rule than constraint %s, which was changed here", s.File, rec.ID), "change the file or remove the constraint")
			continue
		}
		if err := r.set.ChangeRecord(rec, records.Removed, map[string]any{"status": records.Removed, "source": s}); err != nil {
			return err
		}
		delete(r.texts, importer.Constraint+"\n"+rec.Text())
		r.note("closed", rec.ID, &importer.Item{Kind: importer.Constraint, Text: rec.Text(), Source: s})
	}
	return nil
}
