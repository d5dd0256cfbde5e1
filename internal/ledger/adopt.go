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

// Adopt takes decisions that stand only in a view (somebody wrote them there
// by hand, or an older tool did) into the Ledger, word for word, marked as
// imported. Those that the Ledger has, those that are no decisions, and those for
// which except holds are passed over. It returns the ids taken in.
func Adopt(tx *fs.Tx, home string, views [][]byte, except func(id string) bool) ([]string, error) {
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
		text, err := imported(raw, d.ID)
		if err != nil {
			return nil, fmt.Errorf("adopt decision %s: %w", d.ID, err)
		}
		tx.Write(name(home, d.ID), text)
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

// shown decodes a view's entry; false where it is no decision that the Ledger
// could hold.
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

// imported lays a view's entry out as a file of its own. Members that forgemind
// does not know stay.
func imported(raw []byte, id string) ([]byte, error) {
	text := bytes.Clone(raw)
	for _, m := range []struct{ pointer, value string }{{"/id", id}, {"/origin", schema.OriginImported}} {
		value, err := jsonedit.Value(m.value)
		if err != nil {
			return nil, err
		}
		if m.pointer == "/origin" && has(text, m.pointer) {
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
