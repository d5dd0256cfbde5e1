package views

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/records"
)

// An Item is a fact in force: a record, or an item of a document without a record.
type Item struct {
	ID, Text string          // ID is "" if the item has none
	Name     string          // name by which others refer to it in a view: its id, or its text if the view shows no id
	Members  records.Members // members as views show them
	Record   records.Record  // zero if there is none
	alone    item            // the item of the document, if there is no record
}

// Shown holds the items of documents by kind.
type Shown map[string][]item

// ReadItems returns the items that documents show. It uses only After.
func ReadItems(documents []Document) Shown {
	shown := Shown{}
	for _, d := range documents {
		doc, err := jsonedit.Parse(d.After)
		if err != nil {
			continue // an invalid document is a finding
		}
		for _, l := range listsOf(d.Name) {
			shown[l.kind.Name] = append(shown[l.kind.Name], l.items(doc)...)
		}
	}
	return shown
}

// Items returns the facts of kind k in force: the records sorted by time, and the items of
// documents without a record.
func (f *Facts) Items(k records.Kind, documents Shown) []Item {
	var all []Item
	for _, rec := range f.inForce(k) {
		all = append(all, f.Item(rec))
	}
	alone := itemSet{}
	for _, it := range documents[k.Name] {
		_, known := f.of(k, it)
		_, shown := alone.find(it)
		if known || shown {
			continue
		}
		alone.add([]item{it})
		all = append(all, Item{ID: it.id, Text: it.text, Name: cmp.Or(it.id, it.text), Members: it.members, alone: it})
	}
	return all
}

// Record returns the record of kind k with the id. It reports false if there is none.
func (f *Facts) Record(k records.Kind, id string) (records.Record, bool) {
	i, ok := f.byID[key(k, id)]
	if !ok {
		return records.Record{}, false
	}
	return f.records[k.Name][i].Whole(), true
}

// Item returns a record as an item.
func (f *Facts) Item(rec records.Record) Item {
	it := Item{ID: rec.ID, Name: rec.ID, Text: strings.TrimSpace(rec.Text()), Members: f.shown(rec), Record: rec}
	made := item{text: strings.TrimSpace(rec.Base.Text(rec.Kind.Text))}
	if !f.only && rec.ID == made.recordID(rec.Kind) { // the record was made from an item without an id, which gets none in the view
		it.Name = it.Text
	}
	return it
}

// Detected reports whether the item was only detected in a message and nobody has confirmed it.
func (it Item) Detected() bool { return item{members: it.Members}.detected() }

// Names reports whether the member of the item, "blocked_by" or "blocking", names id.
func (it Item) Names(member, id string) bool { return slices.Contains(it.Named(member), id) }

// Named returns the ids or texts that the member of the item names.
func (it Item) Named(member string) []string { return texts(it.Members[member]) }

// Decode decodes the item into v.
func (it Item) Decode(v any) error {
	text, err := jsonedit.Value(it.Members)
	if err == nil {
		err = jsonedit.Decode(text, v)
	}
	if err != nil {
		return fmt.Errorf("%.60q: %w", it.Text, err)
	}
	return nil
}

// NewRecord returns the id and the text of a record for an item without one.
func (it Item) NewRecord(k records.Kind) (id string, record json.RawMessage) {
	return it.alone.recordID(k), it.alone.record(k)
}

// Put adds or replaces a record in the facts.
func (f *Facts) Put(rec records.Record) {
	k := rec.Kind
	i, known := f.byID[key(k, rec.ID)]
	if !known {
		i = len(f.records[k.Name])
		f.records[k.Name] = append(f.records[k.Name], rec)
		f.byID[key(k, rec.ID)] = i
	}
	f.records[k.Name][i] = rec
	f.stale = true
}
