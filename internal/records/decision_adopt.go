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

// An Imported is a decision of a view as the Ledger takes it in.
type Imported struct {
	schema.Decision
	Text     []byte // of its file: word for word, with an id and where it comes from
	Recorded bool   // the Ledger has it
}

// IsNew reports whether the decision has no file yet and is more than proposed.
func (d *Imported) IsNew() bool { return !d.Recorded && !d.IsProposed() }

// An Importer reads the decisions of views, each once.
type Importer struct {
	r    fs.Reader
	read map[string]schema.Decision // by the ids of their files
}

// NewImporter returns an Importer for the views of r.
func NewImporter(r fs.Reader) *Importer { return &Importer{r, map[string]schema.Decision{}} }

// Import returns a decision that a view shows. counted says that a program counted its id, which it may take again;
// see [schema.TakenAgain]. Import returns false for what was imported before, and for
// what is no decision, or has a value that the Ledger cannot hold, which validate reports.
func (im *Importer) Import(raw []byte, counted bool) (d Imported, ok bool, err error) {
	doc, err := jsonedit.Parse(raw)
	if err != nil || jsonedit.Decode(raw, &d.Decision) != nil || strings.TrimSpace(d.Decision.Decision) == "" ||
		!jsonschema.Of(fs.DocDecision.Schema()).Fits(doc, 0) || !Sound(doc, 0) {
		return d, false, nil
	}
	if err := im.identify(&d, counted); err != nil {
		return d, false, err
	}
	if _, before := im.read[d.ID]; before {
		return d, false, nil
	}
	im.read[d.ID] = d.Decision
	d.Origin = cmp.Or(d.Origin, schema.OriginImported)
	d.Text = raw
	for _, m := range []struct{ pointer, value string }{{"/id", d.ID}, {"/origin", d.Origin}} {
		if d.Text, err = jsonedit.Set(d.Text, m.pointer, []byte(strconv.Quote(m.value))); err != nil {
			return d, false, nil
		}
	}
	return d, true, nil
}

// identify gives a decision of a view the id of its file.
func (im *Importer) identify(d *Imported, counted bool) error {
	d.ID = schema.AdoptedID(d.ID, d.Timestamp, d.Decision.Decision)
	name, recorded, err := Decision.Find(im.r, d.ID)
	if err != nil {
		return err
	}
	other := im.read[d.ID]
	if recorded && counted {
		src, err := im.r.Read(name)
		if fs.Unread(err) {
			return err
		}
		if other = (schema.Decision{}); err == nil {
			err = jsonedit.Decode(src, &other)
		}
		if err != nil {
			other = d.Decision // nobody knows whether it is another one
		}
	}
	if counted && schema.TakenAgain(d.ID, other.Decision, other.Timestamp, d.Decision.Decision, d.Timestamp) {
		d.ID = schema.OwnID(Decision.Prefix, d.ID, d.Timestamp, d.Decision.Decision)
		_, recorded, err = Decision.Find(im.r, d.ID)
	}
	d.Recorded = recorded
	return err
}
