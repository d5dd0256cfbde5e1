package ledger

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// Adopt adds decisions that exist only in a view to the Ledger, unchanged and marked as imported.
// They were written there by hand or by an older program. A decision without a time gets at, in RFC
// 3339. Adopt skips those that the Ledger has, invalid ones, and those for which except returns
// true. It returns the ids that it added.
func Adopt(tx *fs.Tx, home, at string, views [][]byte, except func(id string) bool) ([]string, error) {
	var adopted []string
	for _, raw := range views {
		d, ok := shown(raw)
		if !ok || except(d.ID) {
			continue
		}
		if _, known, err := Find(tx, d.ID); err != nil {
			return nil, err
		} else if known {
			continue
		}
		text, err := imported(raw, d.ID, at)
		if err != nil {
			return nil, fmt.Errorf("adopt decision %s: %w", d.ID, err)
		}
		tx.Write(name(home, d.ID), text)
		adopted = append(adopted, d.ID)
	}
	return adopted, nil
}

// OnlyShown returns the decisions that exist only in a view, in the form that Adopt gives them.
func OnlyShown(r fs.Reader, views [][]byte) ([]schema.Decision, error) {
	var only []schema.Decision
	seen := map[string]bool{}
	for _, raw := range views {
		d, ok := shown(raw)
		if !ok || seen[d.ID] {
			continue
		}
		seen[d.ID] = true
		if _, known, err := Find(r, d.ID); err != nil {
			return nil, err
		} else if known {
			continue
		}
		d.Origin = cmp.Or(d.Origin, schema.OriginImported)
		only = append(only, d)
	}
	return only, nil
}

// shown decodes an entry of a view. It reports false if that is no valid decision.
func shown(raw []byte) (schema.Decision, bool) {
	var d schema.Decision
	if jsonedit.Decode(raw, &d) != nil || d.Decision == "" {
		return d, false
	}
	if d.ID == "" {
		d.ID = schema.AdoptedID(d.Timestamp, d.Decision)
	}
	return d, schema.ValidID(d.ID)
}

// imported returns the file for a view's entry. It keeps members that forgemind does not know.
func imported(raw []byte, id, at string) ([]byte, error) {
	text := bytes.Clone(raw)
	for _, m := range []struct{ pointer, value string }{{"/id", id}, {"/timestamp", at}, {"/origin", schema.OriginImported}} {
		value, err := jsonedit.Value(m.value)
		if err != nil {
			return nil, err
		}
		if m.pointer != "/id" && has(text, m.pointer) {
			continue
		}
		if text, err = jsonedit.Set(text, m.pointer, value); err != nil {
			return nil, err
		}
	}
	return jsonedit.Marshal(json.RawMessage(text))
}

func has(text []byte, pointer string) bool {
	doc, err := jsonedit.Parse(text)
	return err == nil && doc.Find(pointer) >= 0
}
