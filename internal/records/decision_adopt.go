package records

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/jsonschema"
	"github.com/forgemind/forgemind/schema"
)

// Adopt takes decisions that stand only in a view (somebody wrote them there
// by hand, or an older tool did) into the Ledger, word for word, marked as
// imported. Those that the Ledger has, those that are no decisions, and those for
// which except holds are passed over. It returns the ids taken in.
func Adopt(tx *fs.Tx, home string, views [][]byte, except func(id string) bool) ([]string, error) {
	var adopted []string
	for _, raw := range views {
		d, text, ok := imported(raw)
		if !ok || d.IsProposed() || except(d.ID) {
			continue
		}
		if _, known, err := Decision.Find(tx, d.ID); err != nil {
			return nil, err
		} else if known {
			continue
		}
		if _, err := Decision.In(home).Add(tx, d.ID, json.RawMessage(text)); err != nil {
			return nil, err
		}
		adopted = append(adopted, d.ID)
	}
	return adopted, nil
}

// OnlyShown returns the decisions that stand only in a view, as the Ledger will
// have them once they are taken in.
func OnlyShown(r fs.Reader, views [][]byte) ([]schema.Decision, error) {
	var only []schema.Decision
	seen := map[string]bool{}
	for _, raw := range views {
		d, _, ok := imported(raw)
		if !ok || d.IsProposed() || seen[d.ID] {
			continue
		}
		seen[d.ID] = true
		if _, known, err := Decision.Find(r, d.ID); err != nil {
			return nil, err
		} else if !known {
			only = append(only, d)
		}
	}
	return only, nil
}

// imported returns a view's entry as the Ledger takes it in, and its file: word for word,
// with an id and where it comes from. It returns false for what is no decision, or has a
// value that the Ledger cannot hold, which validate reports.
func imported(raw []byte) (d schema.Decision, text []byte, ok bool) {
	doc, err := jsonedit.Parse(raw)
	if err != nil || jsonedit.Decode(raw, &d) != nil || strings.TrimSpace(d.Decision) == "" || !jsonschema.Of(fs.DocDecision.Schema()).Fits(doc, 0) {
		return d, nil, false
	}
	if !sound(doc, 0) {
		return d, nil, false
	}
	d.ID = schema.AdoptedID(d.ID, d.Timestamp, d.Decision)
	d.Origin = cmp.Or(d.Origin, schema.OriginImported)
	text = raw
	for _, m := range []struct{ pointer, value string }{{"/id", d.ID}, {"/origin", d.Origin}} {
		if text, err = jsonedit.Set(text, m.pointer, []byte(strconv.Quote(m.value))); err != nil {
			return d, nil, false
		}
	}
	return d, text, true
}
