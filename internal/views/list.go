package views

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/jsonschema"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/schema"
)

// A list is a list of a document that shows the records of one kind.
type list struct {
	kind     records.Kind
	pointer  string
	spelling map[string]string  // other names of members → those of records
	plain    bool               // an item may be its text alone, as a string
	schema   *jsonschema.Schema // of an item
}

var (
	questions   = list{kind: records.Question, pointer: "/open_questions"}
	actions     = list{kind: records.Action, pointer: "/pending_actions", plain: true}
	goals       = list{kind: records.Goal, pointer: "/active_goals", spelling: map[string]string{"goal_id": "id", "description": "goal"}}
	constraints = list{kind: records.Constraint, pointer: "/important_constraints", plain: true}
	notes       = list{kind: records.Note, pointer: "/notes", plain: true}
)

// listsOf returns the lists of the document called name; none where it is no view.
func listsOf(name string) (all []list) {
	place := fs.Place(name)
	switch place {
	case fs.DocState:
		all = []list{questions, actions}
	case fs.DocHotContext:
		all = []list{goals, questions, actions, constraints, notes}
	}
	for i, l := range all {
		all[i].schema = jsonschema.Of(place.Schema()).Below(l.pointer[1:]).Items()
	}
	return all
}

// kinds are the kinds that views show.
var kinds = []records.Kind{records.Question, records.Action, records.Goal, records.Constraint, records.Note}

// An item is one of a list, as it stands in a document.
type item struct {
	id, text string // "" where it has none
	members  records.Members
	raw      json.RawMessage
	unfit    []string // members that are against the schema
	doubled  string   // one of them that it has twice
	wrong    bool     // its id is none, so that nothing of it is read
}

// items returns the items of l in doc. What is no item (a number, a list) is left out.
func (l list) items(doc *jsonedit.Doc) []item {
	at := doc.Find(l.pointer)
	if at < 0 || doc.Nodes[at].Kind != jsonedit.Array {
		return nil
	}
	var all []item
	for i := range doc.Children(at) {
		if it, ok := l.item(doc, i); ok {
			all = append(all, it)
		}
	}
	return all
}

// isOfTexts reports whether the items of l in doc are texts alone, but for those that were detected. A
// list without items is like that of before, which may be nil.
func (l list) isOfTexts(doc, before *jsonedit.Doc) bool {
	if !l.plain {
		return false
	}
	at := doc.Find(l.pointer)
	if at < 0 || doc.Nodes[at].Len == 0 {
		return before != nil && l.isOfTexts(before, nil)
	}
	texts := false
	for node := range doc.Children(at) {
		if doc.Nodes[node].Kind == jsonedit.String {
			texts = true
		} else if it, ok := l.item(doc, node); ok && !it.detected() {
			return false
		}
	}
	return texts
}

// A taking finds items that take ids again, in the order in which they stand.
type taking struct {
	facts *Facts
	first map[string]itemSet // by kind, the items that have the id which they say
	given map[string]item    // by kind and id, the items that it was given to
}

func (f *Facts) newTaking() taking { return taking{f, map[string]itemSet{}, map[string]item{}} }

// items returns the items of l in doc, each with the id of the record that it shows or will have.
func (t taking) items(l list, doc *jsonedit.Doc) []item { return t.identified(l.kind, l.items(doc)) }

// identified returns the items of a list with the ids of the records that they show or will have.
func (t taking) identified(k records.Kind, list []item) []item {
	if t.first[k.Name] == nil {
		t.first[k.Name] = itemSet{}
	}
	here := itemSet{}
	for i, it := range list {
		list[i] = t.identify(k, it, here)
		here.add([]item{it})
	}
	return list
}

// identify returns an item with an id of its own if the one that has the id in its list, here, says other words or
// another time, or if that of another list, or the record of the id, is something else.
func (t taking) identify(k records.Kind, it item, here itemSet) item {
	if !schema.CanBeTaken(it.id) {
		return it
	}
	at, said := made(it.members), it.id
	earlier, stands := here.find(it)
	other, elsewhere := t.first[k.Name].find(it)
	switch {
	case stands && (earlier.text != it.text || schema.OtherTimes(made(earlier.members), at)),
		elsewhere && schema.TakenAgain(it.id, other.text, made(other.members), it.text, at), t.facts.isOther(k, it, at):
		it.id = schema.OwnID(k.Prefix, said, at, "")
		if other, given := t.given[key(k, it.id)]; given && other.text != it.text { // made at the same time
			it.id = schema.OwnID(k.Prefix, said, at, it.text)
		}
	default:
		t.first[k.Name].add([]item{it})
	}
	t.given[key(k, it.id)] = it
	return it
}

// isOther reports whether an item, which says that it was made at a time, is another thing than the record of its
// id, as of a program that takes ids again: it was made at another time, and says other words, or the record is
// closed.
func (f *Facts) isOther(k records.Kind, it item, at string) bool {
	rec, known := f.Record(k, it.id)
	if !known || !schema.OtherTimes(made(rec.Base), at) || !schema.OtherTimes(made(rec.Members), at) {
		return false
	}
	_, own := f.byID[key(k, schema.OwnID(k.Prefix, it.id, at, ""))]
	return own || !rec.InForce() || strings.TrimSpace(rec.Text()) != it.text
}

// item reads an element of the list; false where it is none.
func (l list) item(doc *jsonedit.Doc, i int) (item, bool) {
	it := item{members: records.Members{}, raw: json.RawMessage(doc.Raw(i))}
	if text, ok := doc.Str(i); ok && l.plain {
		it.text = strings.TrimSpace(text)
		it.members[l.kind.Text] = it.raw
		return it, it.text != ""
	}
	if doc.Nodes[i].Kind != jsonedit.Object {
		return item{}, false
	}
	for m := range doc.Children(i) {
		name := doc.Key(m)
		if other, ok := l.spelling[name]; ok {
			if doc.Member(i, other) >= 0 {
				continue
			}
			name = other
		}
		it.members[name] = json.RawMessage(doc.Raw(m))
		_, again := slices.BinarySearch(doc.Duplicates, m)
		if again {
			it.doubled = doc.Key(m)
		}
		if again || !records.Sound(doc, m) || !l.schema.Below(doc.Key(m)).Valid(doc, m) {
			it.unfit = append(it.unfit, name)
		}
	}
	it.id, it.text = it.members.Text("id"), strings.TrimSpace(it.members.Text(l.kind.Text))
	if !schema.NamesFile(it.id) {
		it.id = "" // no record can have it
	}
	if it.text == "" && it.members[l.kind.Text] != nil {
		it.unfit = append(it.unfit, l.kind.Text)
	}
	it.wrong = slices.Contains(it.unfit, "id")
	return it, it.id != "" || it.text != ""
}

// detected reports whether nobody but a message asked for the item: it is no record
// until somebody confirms it.
func (it item) detected() bool { return it.members.Text("origin") == schema.OriginDetected }

// says reports whether the item, of kind k, says what it is about.
func (it item) says(k records.Kind) bool { return it.text != "" && !slices.Contains(it.unfit, k.Text) }

// itemSet finds items by their ids, or for want of one by their texts.
type itemSet map[string]item

func (it item) key() string {
	if it.id != "" {
		return "id " + it.id
	}
	return "text " + it.text
}

// add adds items. Of several that are one the first counts.
func (s itemSet) add(all []item) {
	for _, it := range all {
		if _, ok := s[it.key()]; !ok {
			s[it.key()] = it
		}
	}
}

func (s itemSet) find(it item) (item, bool) {
	found, ok := s[it.key()]
	return found, ok
}
