package session

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/text"
)

// A kind describes one of the lists of a hot context.
type kind struct {
	what    string   // name of an item in messages
	list    string   // pointer of the list
	id      []string // members that can hold an item's id; the first that exists counts
	text    []string // likewise for the text
	orPlain bool     // an item may be a string instead of an object
}

var (
	goals       = kind{"goal", "/active_goals", []string{"id", "goal_id"}, []string{"goal", "description"}, false}
	actions     = kind{"action", "/pending_actions", []string{"id"}, []string{"action"}, true}
	decisions   = kind{"decision", keyDecisions, []string{"id", "decision_id"}, []string{"decision", "description"}, false}
	constraints = kind{"constraint", "/important_constraints", []string{"id"}, []string{"constraint"}, true}
	questions   = kind{"question", "/open_questions", []string{"id"}, []string{"question"}, false}
	notes       = kind{"note", "/notes", []string{"id"}, []string{"note"}, true}
)

// An UnknownError reports that an item does not exist.
type UnknownError struct {
	What  string   // goal, action, constraint, note or question
	Which string   // what was searched for
	Known []string // existing ids, or texts of items without an id
}

func (e *UnknownError) Error() string {
	return fmt.Sprintf("there is no %s %s", e.What, text.Quote(e.Which, maxQuoted))
}

// An AmbiguousError reports a text that several items have.
type AmbiguousError struct {
	What, Which string
	Among       []string // their ids and texts
}

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("%s is in %d %ss", text.Quote(e.Which, maxQuoted), len(e.Among), e.What)
}

// An item is an element of a list. It is valid until the next change.
type item struct {
	at       string // its pointer
	node     int
	id, text string
}

// items returns the items of a list in order, or none if there is no such list. An item without an
// id or a text has "".
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
			it.id, _ = h.doc.Str(firstMember(&h.doc, node, k.id))
			it.text, _ = h.doc.Str(firstMember(&h.doc, node, k.text))
		}
		all = append(all, it)
	}
	return all, nil
}

// firstMember returns the first of the members in names that object has and that is not null, or -1.
func firstMember(doc *jsonedit.Doc, object int, names []string) int {
	for _, name := range names {
		if i := doc.Member(object, name); i >= 0 && doc.Nodes[i].Kind != jsonedit.Null {
			return i
		}
	}
	return -1
}

// Find returns the index of the item with the id which, else with that text, else with that text in
// another case, else the only one that contains which. Blanks around texts do not count. Of several
// equal items it returns the first. The argument what is the word for an item in errors, which are
// *UnknownError and *AmbiguousError.
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
			return 0, &AmbiguousError{what, which, among}
		}
	}
	e := &UnknownError{What: what, Which: which}
	for _, it := range all {
		if name := cmp.Or(name(it)); name != "" {
			e.Known = append(e.Known, name)
		}
	}
	return 0, e
}

// fold returns a text for comparisons.
func fold(text string) string { return strings.ToLower(strings.TrimSpace(text)) }

// decode decodes an item.
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

// legible returns the items of a list that can be decoded.
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

// each calls edit with every record of a list as a document of its own. It keeps all bytes between
// them.
func (h *Hot) each(k kind, edit func(record *jsonedit.Doc) ([]byte, error)) error {
	all, err := h.items(k)
	if err != nil {
		return err
	}
	src := h.doc.Src
	var out []byte
	var record jsonedit.Doc
	done := 0 // src[:done] was copied to out
	for _, it := range all {
		node := h.doc.Nodes[it.node]
		if node.Kind != jsonedit.Object {
			continue
		}
		if err := record.Parse(h.doc.Raw(it.node)); err != nil {
			return err
		}
		edited, err := edit(&record)
		if err != nil {
			return err
		}
		if string(edited) != string(record.Src) {
			out = append(append(out, src[done:node.Start]...), edited...)
			done = int(node.End)
		}
	}
	if done == 0 {
		return nil
	}
	return h.doc.Parse(append(out, src[done:]...))
}
