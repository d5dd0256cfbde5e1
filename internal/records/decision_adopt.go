package records

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/jsonschema"
	"github.com/forgemind/forgemind/schema"
)

// Import returns a view's entry as the Ledger takes it in, and its file: word for word,
// with an id and where it comes from. It returns false for what is no decision, or has a
// value that the Ledger cannot hold, which validate reports.
func Import(raw []byte) (d schema.Decision, text []byte, ok bool) {
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
