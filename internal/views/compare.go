package views

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/schema"
)

// An Edit is what an edit of a view means for one record.
type Edit struct {
	Kind   records.Kind
	ID     string
	New    json.RawMessage // the record, where there is none yet
	Set    map[string]any  // members that change
	Closed bool            // the item was taken off the lists
}

// A Document is a view before and after somebody edited it. Before is nil where that
// is not known.
type Document struct {
	Name          string
	Before, After []byte
}

// Compare returns what the edits of documents mean for the records: items that are
// new, members that changed, and items that were taken off every list that showed
// them. An item without a record that nobody touched gives nothing, unless the facts of
// the tree stand in records alone: then it is new.
func Compare(documents []Document, f *Facts) []Edit {
	c := comparison{facts: f, before: map[string]itemSet{}, after: map[string]itemSet{}, at: map[string]int{}}
	for _, k := range kinds {
		c.before[k.Name], c.after[k.Name] = itemSet{}, itemSet{}
	}
	was, is := f.newTaking(), f.newTaking()
	for _, d := range documents {
		before, err := jsonedit.Parse(d.Before)
		if err != nil {
			before = nil
		}
		after, err := jsonedit.Parse(d.After)
		if err != nil {
			continue // a finding: what it says counts once it can be read
		}
		for _, l := range listsOf(d.Name) {
			v := viewed{list: l, before: itemSet{}, after: is.items(l, after)}
			stood := v.after // nobody knows what was edited in what could not be read
			if before != nil {
				stood = was.items(l, before)
			}
			if isMisplaced(after, l.pointer) {
				v.after = stood
			}
			v.before.add(stood)
			c.before[l.kind.Name].add(slices.DeleteFunc(slices.Clone(stood), func(it item) bool { return it.wrong }))
			c.views = append(c.views, v)
			c.after[l.kind.Name].add(v.after)
		}
	}
	c.closeMissing()
	for _, v := range c.views {
		for _, it := range v.after {
			c.compare(v, it)
		}
	}
	return c.edits
}

// viewed is one list of one document.
type viewed struct {
	list   list
	before itemSet
	after  []item
}

type comparison struct {
	facts         *Facts
	views         []viewed
	before, after map[string]itemSet // by kind, of all documents
	edits         []Edit
	at            map[string]int // kind and id → place in edits
}

// closeMissing finds the items that no list shows any more.
func (c *comparison) closeMissing() {
	for _, k := range kinds {
		for _, name := range slices.Sorted(maps.Keys(c.before[k.Name])) {
			it := c.before[k.Name][name]
			if _, there := c.after[k.Name].find(it); there || it.detected() {
				continue
			}
			rec, known := c.facts.of(k, it)
			switch {
			case !known && c.had(k, it):
			case known && rec.InForce():
				c.add(Edit{Kind: k, ID: rec.ID, Closed: true})
			case !known && it.says(k):
				c.add(Edit{Kind: k, ID: it.recordID(k), New: it.record(k), Closed: true})
			}
		}
	}
}

// add adds an edit, or joins it with that of the same record.
func (c *comparison) add(e Edit) {
	i, ok := c.at[key(e.Kind, e.ID)]
	if !ok {
		c.at[key(e.Kind, e.ID)] = len(c.edits)
		c.edits = append(c.edits, e)
		return
	}
	for name, v := range e.Set {
		if c.edits[i].New != nil {
			return // all of it is new
		}
		if c.edits[i].Set == nil {
			c.edits[i].Set = map[string]any{}
		}
		c.edits[i].Set[name] = v
	}
}

// compare finds what one item says that its record does not.
func (c *comparison) compare(v viewed, it item) {
	k := v.list.kind
	if it.detected() || it.wrong {
		return
	}
	before, stood := v.before.find(it)
	rec, known := c.facts.of(k, it)
	rec = rec.Whole()
	if !known && !it.says(k) {
		return
	}
	stood = stood && (known || before.says(k))
	switch {
	case !known && stood && c.had(k, it):
	case !known && !stood:
		if _, elsewhere := c.before[k.Name].find(it); !elsewhere || c.facts.only {
			c.add(Edit{Kind: k, ID: it.recordID(k), New: it.record(k)})
		}
	case !known:
		if set := c.changed(v.list, before, it, records.Record{}); len(set) > 0 || c.facts.only {
			c.add(Edit{Kind: k, ID: it.recordID(k), New: before.record(k), Set: set})
		}
	case stood:
		if set := c.changed(v.list, before, it, rec); len(set) > 0 {
			c.add(Edit{Kind: k, ID: rec.ID, Set: set})
		}
	}
}

// had reports whether a record had the text of an item without an id, which shows the record then as it was.
func (c *comparison) had(k records.Kind, it item) bool {
	if it.id != "" {
		return false
	}
	_, had := c.facts.formerly(k, it.text)
	return had
}

// changed returns the members that an edit changed and that the record does not hold.
func (c *comparison) changed(l list, before, after item, rec records.Record) map[string]any {
	if string(before.raw) == string(after.raw) {
		return nil
	}
	var shown records.Members
	if rec.ID != "" {
		shown = c.facts.shown(rec)
	}
	names := maps.Clone(before.members)
	maps.Copy(names, after.members)
	set := map[string]any{}
	for name := range names {
		was, is := before.members[name], after.members[name]
		if slices.Contains(before.unfit, name) { // it was not read
			if was = shown[name]; is == nil {
				continue
			}
		}
		if name == "id" || name == l.kind.Text && is == nil || slices.Contains(after.unfit, name) || l.equal(name, was, is) || shown != nil && l.equal(name, is, shown[name]) {
			continue
		}
		switch {
		case name == blocking || name == blockedBy:
			if ids, ok := c.related(name, after, rec, texts(was), texts(is)); ok {
				set[name] = relation(name, ids, is)
			}
		case is == nil:
			set[name] = nil
		default:
			set[name] = is
		}
	}
	return set
}

// related returns what a record names after an edit of a relation; false where the
// other side says it.
func (c *comparison) related(member string, it item, rec records.Record, was, is []string) ([]string, bool) {
	own := texts(rec.Members[member])
	now := slices.Clone(own)
	for _, id := range is {
		if !slices.Contains(was, id) && !slices.Contains(now, id) && !c.named(member, it.id, id) {
			now = append(now, id)
		}
	}
	now = slices.DeleteFunc(now, func(id string) bool {
		return slices.Contains(was, id) && !slices.Contains(is, id) && !c.gone(id)
	})
	return now, !slices.Equal(own, now)
}

// named reports whether the item other says itself that it is related to id. A new
// item does, and of two that stood already the question.
func (c *comparison) named(member, id, other string) bool {
	k, reverse := records.Question, blocking
	if member == blocking {
		k, reverse = records.Action, blockedBy
		if _, known := c.facts.of(k, item{id: other}); known {
			return false
		}
	}
	it, ok := c.after[k.Name].find(item{id: other})
	return ok && slices.Contains(texts(it.members[reverse]), id)
}

// gone reports whether a question or an action is closed, or is being closed.
func (c *comparison) gone(id string) bool {
	if c.facts.closed(id) {
		return true
	}
	for _, k := range []records.Kind{records.Question, records.Action} {
		if i, ok := c.at[key(k, id)]; ok && c.edits[i].Closed {
			return true
		}
	}
	return false
}

// recordID returns the id of the record of an item. One that has none gets the id that
// follows from its text, so that two clones give it the same.
func (it item) recordID(k records.Kind) string {
	if it.id != "" {
		return it.id
	}
	return schema.DerivedID(k.Prefix, []byte(it.text))
}

// record returns the record of an item that has none.
func (it item) record(k records.Kind) json.RawMessage {
	m := maps.Clone(it.members)
	for _, name := range it.unfit {
		delete(m, name)
	}
	id, err := jsonedit.Value(it.recordID(k))
	if err != nil {
		panic(err) // a text
	}
	m["id"] = id
	return ordered(k, m)
}
