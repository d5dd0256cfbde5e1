package session

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A kind is one of the lists of a hot context.
type kind struct {
	what    string   // an item of it
	list    string   // its pointer
	id      []string // the members that an item's id is read from, the first that is there
	text    []string // those that its text is read from
	orPlain bool     // an item may be its text alone, as a string
}

var (
	goals       = kind{"goal", "/active_goals", []string{"id", "goal_id"}, []string{"goal", "description"}, false}
	actions     = kind{"action", "/pending_actions", []string{"id"}, []string{"action"}, true}
	decisions   = kind{"decision", keyDecisions, []string{"id", "decision_id"}, []string{"decision", "description"}, false}
	constraints = kind{"constraint", "/important_constraints", []string{"id"}, []string{"constraint"}, true}
	questions   = kind{"question", "/open_questions", []string{"id"}, []string{"question"}, false}
	notes       = kind{"note", "/notes", []string{"id"}, []string{"note"}, true}
)

// An Unknown is an item that is not there.
type Unknown struct {
	What  string   // goal, action, constraint, note, question
	Which string   // what was asked for
	Known []string // ids, or texts where there are none
}

func (e *Unknown) Error() string { return fmt.Sprintf("there is no %s %s", e.What, cut(e.Which)) }

// An Ambiguous is a text that several items have.
type Ambiguous struct {
	What, Which string
	Among       []string // their ids and texts
}

func (e *Ambiguous) Error() string {
	return fmt.Sprintf("%s stands in %d %ss", cut(e.Which), len(e.Among), e.What)
}

// An item is one of a list, as it stands until the next change.
type item struct {
	at       string // its pointer
	node     int
	id, text string
}

// items are the items of a list in order; none where there is no such list. One
// without an id, or a text, has "" for it.
func (h *Hot) items(k kind) ([]item, error) {
	list := h.doc.Find(k.list)
	if list < 0 || h.doc.Nodes[list].Kind == jsonedit.Null {
		return nil, nil
	}
	if is := h.doc.Nodes[list].Kind; is != jsonedit.Array {
		return nil, misplaced(k.list, is, "a list")
	}
	var all []item
	for node := range h.doc.Children(list) {
		it := item{at: fmt.Sprintf("%s/%d", k.list, len(all)), node: node}
		if text, ok := h.doc.Str(node); ok {
			it.text = text
		} else {
			it.id, _ = h.doc.Str(spelled(&h.doc, node, k.id))
			it.text, _ = h.doc.Str(spelled(&h.doc, node, k.text))
		}
		all = append(all, it)
	}
	return all, nil
}

// spelled is the first of the members names that object has and that is not
// null, -1 if it has none.
func spelled(doc *jsonedit.Doc, object int, names []string) int {
	for _, name := range names {
		if i := doc.Member(object, name); i >= 0 && doc.Nodes[i].Kind != jsonedit.Null {
			return i
		}
	}
	return -1
}

// find is the item that which names; see Find. The error may also be that the list
// is none.
func (h *Hot) find(k kind, which string) (item, error) {
	all, err := h.items(k)
	if err != nil {
		return item{}, err
	}
	i, err := Find(k.what, which, all, func(it item) (id, text string) { return it.id, it.text })
	if err != nil {
		return item{}, err
	}
	return all[i], nil
}

// Find is the index of the item that which names: by its id, else by its whole
// text, at last in any case, else by a part of it that no other item has. Blanks
// around a text do not count; of several that are alike it is the first. what is
// the word for an item in an error, which is an *Unknown or an *Ambiguous.
func Find[T any](what, which string, all []T, name func(T) (id, text string)) (int, error) {
	want := strings.TrimSpace(which)
	for _, is := range []func(id, text string) bool{
		func(id, _ string) bool { return id == want },
		func(_, text string) bool { return strings.TrimSpace(text) == want },
		func(_, text string) bool { return fold(text) == fold(want) },
		func(_, text string) bool { return strings.Contains(fold(text), fold(want)) },
	} {
		first, alike := -1, true
		var among []string
		for i, it := range all {
			id, text := name(it)
			if want == "" || !is(id, text) {
				continue
			}
			if first < 0 {
				first = i
			}
			if id != "" {
				text = id + " (" + text + ")"
			}
			among = append(among, text)
			alike = alike && text == among[0]
		}
		switch {
		case first >= 0 && alike:
			return first, nil
		case first >= 0:
			return 0, &Ambiguous{what, which, among}
		}
	}
	e := &Unknown{What: what, Which: which}
	for _, it := range all {
		if name := cmp.Or(name(it)); name != "" {
			e.Known = append(e.Known, name)
		}
	}
	return 0, e
}

// fold is a text without what it is compared without.
func fold(text string) string { return strings.ToLower(strings.TrimSpace(text)) }

// decode reads an item as what it is.
func decode[T any](h *Hot, k kind, it item) (T, error) {
	var v T
	is := h.doc.Nodes[it.node].Kind
	if is != jsonedit.Object && !(k.orPlain && is == jsonedit.String) {
		return v, misplaced(it.at, is, "an object")
	}
	if err := jsonedit.Decode(h.doc.Raw(it.node), &v); err != nil {
		return v, fmt.Errorf("%s: %w", strings.TrimPrefix(it.at, "/"), err)
	}
	return v, nil
}

// legible are the items of a list that can be read.
func legible[T any](h *Hot, k kind) []T {
	all, _ := h.items(k)
	var list []T
	for _, it := range all {
		if v, err := decode[T](h, k, it); err == nil {
			list = append(list, v)
		}
	}
	return list
}

// add puts v, which has that id and text, behind its list, and returns it. Where
// an item of the same text is there already, it is that one that is returned, and
// nothing changes.
func add[T any](h *Hot, k kind, id, text string, v T) (T, error) {
	var none T
	all, err := h.items(k)
	if err != nil {
		return none, err
	}
	if text == "" {
		return none, fmt.Errorf("the %s says nothing", k.what)
	}
	if i := slices.IndexFunc(all, func(it item) bool { return strings.TrimSpace(it.text) == text }); i >= 0 {
		return decode[T](h, k, all[i])
	}
	if id != "" || !k.orPlain {
		if err := h.unused(k, id); err != nil {
			return none, err
		}
	}
	if err := h.append(k.list, v); err != nil {
		return none, err
	}
	return v, nil
}

// unused holds that an id may be given to a new item.
func (h *Hot) unused(k kind, id string) error {
	switch {
	case !schema.ValidID(id):
		return fmt.Errorf("%s is no id", cut(id))
	case h.Taken(id):
		return fmt.Errorf("%s %s: the id is taken", k.what, id)
	}
	return nil
}

// take takes the item that which names off its list and returns it, and its id.
func take[T any](h *Hot, k kind, which string) (v T, id string, err error) {
	it, err := h.find(k, which)
	if err != nil {
		return v, "", err
	}
	v, err = remove[T](h, k, it)
	return v, it.id, err
}

// remove takes an item off its list.
func remove[T any](h *Hot, k kind, it item) (v T, err error) {
	if v, err = decode[T](h, k, it); err != nil {
		return v, err
	}
	return v, h.delete(it.at)
}
