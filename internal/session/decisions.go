package session

import (
	"fmt"
	"slices"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

const keyDecisions = "/key_decisions"

// ShowDecision adds a decision to key_decisions, the hot context's view of the
// Ledger, under the Ledger's id, marks those that it supersedes there, and
// raises the version by one. A decision that is shown already changes nothing.
func ShowDecision(src []byte, d schema.Decision) ([]byte, error) {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return nil, err
	}
	list := doc.Find(keyDecisions)
	var superseded []string // pointers
	if list >= 0 {
		for i := range doc.Children(list) {
			if m := doc.Member(i, "id"); m >= 0 {
				id, _ := doc.Str(m)
				if id == d.ID {
					return src, nil
				}
				if id != "" && doc.Member(i, "superseded_by") < 0 && slices.Contains(d.Supersedes, id) {
					superseded = append(superseded, doc.Pointer(i)+"/superseded_by")
				}
			}
		}
	}
	by, err := jsonedit.Value(d.ID)
	if err != nil {
		return nil, err
	}
	for _, pointer := range superseded {
		if src, err = jsonedit.Set(src, pointer, by); err != nil {
			return nil, err
		}
	}
	entry, err := jsonedit.Value(keyDecision{d.Decision, d.Rationale, d.Timestamp, d.ID, d.RecordedBy})
	if err != nil {
		return nil, err
	}
	if list < 0 {
		if src, err = jsonedit.Set(src, keyDecisions, []byte("[]")); err != nil {
			return nil, err
		}
	}
	if src, err = jsonedit.Append(src, keyDecisions, entry); err != nil {
		return nil, err
	}
	return raiseVersion(src)
}

// keyDecision is the document's form, with the id and who recorded it.
type keyDecision struct {
	Decision  string `json:"decision"`
	Rationale string `json:"rationale,omitempty"`
	Timestamp string `json:"timestamp"`
	ID        string `json:"id"`
	Agent     string `json:"agent,omitempty"`
}

// raiseVersion counts one change of the hot context.
func raiseVersion(src []byte) ([]byte, error) {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return nil, err
	}
	var version int64
	if i := doc.Find("/version"); i >= 0 {
		version, _ = doc.Int(i)
	}
	return jsonedit.Set(src, "/version", fmt.Appendf(nil, "%d", version+1))
}

// Shown returns the JSON texts of the decisions in a hot context.
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
		raws = append(raws, doc.Raw(i))
	}
	return raws, nil
}
