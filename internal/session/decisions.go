package session

import (
	"slices"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

const keyDecisions = "/key_decisions"

// ShowDecision is Hot.ShowDecision of the hot context src.
func ShowDecision(src []byte, d schema.Decision) ([]byte, error) {
	h, err := ReadHot(src)
	if err != nil {
		return nil, err
	}
	if err := h.ShowDecision(d); err != nil {
		return nil, err
	}
	return h.Text()
}

// ShowDecision adds a decision to key_decisions, the hot context's view of the
// Ledger, under the Ledger's id, and marks those that it supersedes there. A
// decision that is shown already changes nothing.
func (h *Hot) ShowDecision(d schema.Decision) error {
	all, err := h.items(decisions)
	if err != nil || slices.ContainsFunc(all, func(it item) bool { return it.id == d.ID }) {
		return err
	}
	return h.whole(func() error {
		if err := h.markSuperseded(d); err != nil {
			return err
		}
		return h.append(keyDecisions, keyDecision{d.Decision, d.Rationale, d.Timestamp, d.ID, d.RecordedBy})
	})
}

// MarkSuperseded marks in key_decisions those that d supersedes.
func (h *Hot) MarkSuperseded(d schema.Decision) error {
	all, err := h.items(decisions)
	if err != nil || !slices.ContainsFunc(all, func(it item) bool { return it.id != "" && slices.Contains(d.Supersedes, it.id) }) {
		return err
	}
	return h.whole(func() error { return h.markSuperseded(d) })
}

func (h *Hot) markSuperseded(d schema.Decision) error {
	return h.each(decisions, func(record *jsonedit.Doc) ([]byte, error) {
		id, _ := record.Str(spelled(record, 0, decisions.id))
		if id == "" || record.Member(0, "superseded_by") >= 0 || !slices.Contains(d.Supersedes, id) {
			return record.Src, nil
		}
		by, err := jsonedit.Value(d.ID)
		if err != nil {
			return nil, err
		}
		return jsonedit.Set(record.Src, "/superseded_by", by)
	})
}

// keyDecision is the document's form, with the id and who recorded it.
type keyDecision struct {
	Decision  string `json:"decision"`
	Rationale string `json:"rationale,omitempty"`
	Timestamp string `json:"timestamp,omitempty"`
	ID        string `json:"id"`
	Agent     string `json:"agent,omitempty"`
}

// Shown returns the JSON texts of the decisions in a hot context, in the shape of
// the Ledger.
func Shown(src []byte) ([][]byte, error) {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return nil, err
	}
	list := doc.Find(keyDecisions)
	if list < 0 || doc.Nodes[list].Kind != jsonedit.Array {
		return nil, nil
	}
	var raws [][]byte
	for i := range doc.Children(list) {
		raw := doc.Raw(i)
		if doc.Member(i, "decision") < 0 { // the other shape
			var shown schema.KeyDecision
			if jsonedit.Decode(raw, &shown) == nil {
				if record, err := jsonedit.Value(shown.Record()); err == nil {
					raw = record
				}
			}
		}
		raws = append(raws, raw)
	}
	return raws, nil
}
