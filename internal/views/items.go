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

// An Item is something that is in force: a record, or what a document shows without one.
type Item struct {
	ID, Text string          // "" where it has none
	Name     string          // by which others name it in a view: its id, or its text where the view shows none
	Members  records.Members // as a view shows them
	Record   records.Record  // its ID is "" where there is none
	alone    item            // where there is none
}

// Shown holds the lists of documents by the kinds of their items.
type Shown map[string][][]item

// ReadItems returns the items that documents show. Of a document only After counts.
func ReadItems(documents []Document) Shown {
	shown := Shown{}
	for _, d := range documents {
		doc, err := jsonedit.Parse(d.After)
		if err != nil {
			continue // a finding
		}
		for _, l := range listsOf(d.Name) {
			shown[l.kind.Name] = append(shown[l.kind.Name], l.items(doc))
		}
	}
	return shown
}

// Items returns what is in force of kind k: the records in the order in which they were
// made, and what documents show without a record.
func (f *Facts) Items(k records.Kind, documents Shown) []Item {
	var all []Item
	for _, rec := range f.inForce(k) {
		all = append(all, f.Item(rec))
	}
	alone, t := itemSet{}, f.newTaking()
	for _, list := range documents[k.Name] {
		for _, it := range t.identified(k, slices.Clone(list)) {
			_, known := f.of(k, it)
			_, shown := alone.find(it)
			if known || shown {
				continue
			}
			alone.add([]item{it})
			all = append(all, Item{ID: it.id, Text: it.text, Name: cmp.Or(it.id, it.text), Members: it.members, alone: it})
		}
	}
	return all
}

// Record returns the record of kind k that has the id; false where there is none.
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
	if !f.only && rec.ID == made.recordID(rec.Kind) { // of an item that has no id, which gets none in the view
		it.Name = it.Text
	}
	return it
}

// Detected reports whether nobody but a message asked for the item.
func (it Item) Detected() bool { return item{members: it.Members}.detected() }

// Names reports whether the member of the item, which is "blocked_by" or "blocking",
// names id.
func (it Item) Names(member, id string) bool { return slices.Contains(it.Named(member), id) }

// Named returns what the member of the item names: ids or texts.
func (it Item) Named(member string) []string { return texts(it.Members[member]) }

// Decode reads the item into v.
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

// NewRecord returns the id and the text of the record that an item without one gets.
func (it Item) NewRecord(k records.Kind) (id string, record json.RawMessage) {
	return it.alone.recordID(k), it.alone.record(k)
}

// Put has the facts hold a record as it is now.
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
