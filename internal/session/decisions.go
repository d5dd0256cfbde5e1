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
// Ledger, under the Ledger's id, and marks those that it supersedes there. One that
// somebody wrote there is not added; it gets its id.
func (h *Hot) ShowDecision(d schema.Decision) error {
	all, err := h.items(decisions)
	if err != nil {
		return err
	}
	return h.whole(func() error {
		if err := h.MarkSuperseded(d); err != nil {
			return err
		}
		for _, it := range all {
			at, _ := h.doc.Str(h.doc.Find(it.at + "/timestamp"))
			switch {
			case it.id == d.ID:
				return nil
			case it.text != "" && schema.AdoptedID(it.id, at, it.text) == d.ID:
				return h.set(it.at+"/id", d.ID)
			}
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
		raws = append(raws, inLedger(doc, i))
	}
	return raws, nil
}

// inLedger returns the decision of a hot context at node i in the shape of the Ledger; what cannot be
// brought into it stays.
func inLedger(doc *jsonedit.Doc, i int) []byte {
	raw := doc.Raw(i)
	if doc.Member(i, "decision") < 0 { // the other shape
		var shown schema.KeyDecision
		if jsonedit.Decode(raw, &shown) == nil {
			if record, err := jsonedit.Value(shown.Record()); err == nil {
				return record
			}
		}
		return raw
	}
	agent := doc.Member(i, "agent")
	if agent < 0 || doc.Member(i, "recorded_by") >= 0 {
		return raw
	}
	text, err := jsonedit.Set(raw, "/recorded_by", doc.Raw(agent))
	if err == nil {
		text, err = jsonedit.Delete(text, "/agent")
	}
	if err != nil {
		return raw
	}
	return text
}
