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
	decisions   = kind{"decision", "/key_decisions", []string{"id", "decision_id"}, []string{"decision", "description"}, false}
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

// Find is the index of the item that which names: by its id, else by its whole
// text, in any case, else by a part of it that no other item has, at last by such a
// part of an id. What begins as the ids do is taken for an id alone. Blanks around a text
// do not count; of several that are alike it is the first. what is the word for an item in
// an error, which is an *Unknown or an *Ambiguous.
func Find[T any](what, which string, all []T, name func(T) (id, text string)) (int, error) {
	want := strings.TrimSpace(which)
	prefix, rest, _ := strings.Cut(fold(want), "-")
	onlyID := schema.ValidID(want) && rest != "" && slices.ContainsFunc(all, func(it T) bool {
		id, _ := name(it)
		return strings.HasPrefix(fold(id), prefix+"-")
	})
	for n, is := range []func(id, text string) bool{
		func(id, _ string) bool { return id == want },
		func(_, text string) bool { return strings.TrimSpace(text) == want },
		func(_, text string) bool { return fold(text) == fold(want) },
		func(_, text string) bool { return strings.Contains(fold(text), fold(want)) },
		func(id, _ string) bool { return isPartOfID(fold(want), fold(id)) },
	} {
		if onlyID && n >= 1 && n <= 3 {
			continue
		}
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

// isPartOfID reports whether part, with the prefix that all ids of a kind have or without
// it, is enough of a made id to mean it: four characters. An id that people counted has no
// parts: Q-1 is not Q-10.
func isPartOfID(part, id string) bool {
	prefix, rest, _ := strings.Cut(id, "-")
	part = strings.TrimPrefix(part, prefix+"-")
	return len(part) >= 4 && len(rest) >= 6 && strings.Trim(rest, "0123456789") != "" && strings.Contains(rest, part)
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
