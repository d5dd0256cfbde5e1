package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	iofs "io/fs"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/ledger"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/validate"
)

// A shownDecision is a decision in a list of a view.
type shownDecision struct {
	id  string
	raw json.RawMessage
}

// decisionList returns the pointer of the list in which a view shows decisions.
func decisionList(name string) string {
	if name == fs.State {
		return "/recent_decisions"
	}
	return "/key_decisions"
}

// shownDecisions returns the decisions that a view shows; none where it cannot be read.
func shownDecisions(name string, src []byte) (all []shownDecision) {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return nil
	}
	list := doc.Find(decisionList(name))
	if list < 0 || doc.Nodes[list].Kind != jsonedit.Array {
		return nil
	}
	for i := range doc.Children(list) {
		id, ok := doc.Str(doc.Member(i, "id"))
		if !ok {
			id, _ = doc.Str(doc.Member(i, "decision_id"))
		}
		all = append(all, shownDecision{id, json.RawMessage(doc.Raw(i))})
	}
	return all
}

// restoreDecisions restores the decisions that an edit of a view changed or removed, if
// the Ledger has them as they were rendered.
func (r *WorkingSet) restoreDecisions(edited []views.Document) error {
	if !r.config.Records() {
		return nil
	}
	for _, d := range edited {
		if err := r.restoreIn(d); err != nil {
			return err
		}
	}
	return nil
}

// restoreIn is restoreDecisions for one view.
func (r *WorkingSet) restoreIn(d views.Document) error {
	rendered := shownDecisions(d.Name, views.LastRenderings(r.tx, d.Name).Last())
	for _, s := range shownDecisions(d.Name, d.Before) {
		if placeOf(rendered, s.id) < 0 {
			rendered = append(rendered, s)
		}
	}
	list, changed := shownDecisions(d.Name, d.After), false
	place := 0 // after the one that was found last
	for _, s := range rendered {
		record, err := r.recordedAs(s)
		if err != nil {
			return err
		}
		at := placeOf(list, s.id)
		switch {
		case record == nil:
		case at < 0:
			list, changed = slices.Insert(list, place, s), true
			place++
			if placeOf(shownDecisions(d.Name, d.Before), s.id) >= 0 {
				r.addNote(fmt.Sprintf("decision %s was removed from %s and is shown again", s.id, d.Name))
			}
			continue
		case len(validate.Differing(list[at].raw, record)) > 0:
			list[at], changed = s, true
			r.addNote(fmt.Sprintf("decision %s was altered in %s and is shown again as it was recorded; record a new one that supersedes it", s.id, d.Name))
		}
		if at >= 0 {
			place = at + 1
		}
	}
	if !changed {
		return nil
	}
	if err := r.showDecisions(d.Name, list); err != nil {
		return err
	}
	text, err := r.tx.Read(d.Name)
	if err != nil {
		return err
	}
	if r.redecided == nil {
		r.redecided = map[string][]byte{}
	}
	r.redecided[d.Name] = text
	return nil
}

func placeOf(list []shownDecision, id string) int {
	return slices.IndexFunc(list, func(s shownDecision) bool { return s.id == id })
}

// recordedAs returns the file of a decision if it agrees with the entry of a view, else nil.
func (r *WorkingSet) recordedAs(s shownDecision) ([]byte, error) {
	if s.id == "" {
		return nil, nil
	}
	name, found, err := ledger.Find(r.tx, s.id)
	if err != nil || !found {
		return nil, err
	}
	record, err := r.tx.Read(name)
	if errors.Is(err, iofs.ErrNotExist) || err == nil && len(validate.Differing(s.raw, record)) > 0 {
		return nil, nil
	}
	return record, err
}

// showDecisions sets the list in which a view shows decisions.
func (r *WorkingSet) showDecisions(name string, list []shownDecision) error {
	raws := []json.RawMessage{}
	for _, s := range list {
		raws = append(raws, s.raw)
	}
	src, err := r.tx.Read(name)
	if err != nil {
		return err
	}
	value, err := jsonedit.Value(raws)
	if err != nil {
		return err
	}
	text, err := jsonedit.Set(src, decisionList(name), value)
	if err != nil {
		return err
	}
	_, err = r.stageView(name, src, text)
	return err
}
