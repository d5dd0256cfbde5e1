package state

import (
	"fmt"
	"slices"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// The members by which questions and actions name one another. What a question
// blocks says so too: the one is the other read backwards. blocked_by may hold
// an id, a text, a list of them, or null.
const (
	blockedBy = "blocked_by"
	blocking  = "blocking"
)

// refer adds an id to what a member of a record names: nothing, one text, or a
// list. blocking is always a list.
func refer(src []byte, record, name, id string) ([]byte, error) {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return nil, err
	}
	pointer := record + "/" + name
	i := doc.Find(pointer)
	named := texts(doc, i)
	switch {
	case slices.Contains(named, id):
		return src, nil
	case i >= 0 && doc.Nodes[i].Kind == jsonedit.Array:
		value, err := jsonedit.Value(id)
		if err != nil {
			return nil, err
		}
		return jsonedit.Append(src, pointer, value)
	case len(named) > 0 || name == blocking:
		return put(src, member{pointer, append(named, id)})
	}
	return put(src, member{pointer, id})
}

// take takes the record of an id out of a list, into record, and the id out of
// everything that waits for it or holds it up.
func take(src []byte, what, list, id string, record any) ([]byte, error) {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return nil, err
	}
	n := index(doc, list, id)
	if n < 0 {
		return nil, unknown(doc, what, id, list)
	}
	at := fmt.Sprintf("%s/%d", list, n)
	if err := jsonedit.Decode(doc.Raw(doc.Find(at)), record); err != nil {
		return nil, fmt.Errorf("%s: %w", at, err)
	}
	if src, err = jsonedit.Delete(src, at); err != nil {
		return nil, err
	}
	for _, list := range []string{actions, questions} {
		if src, err = each(src, list, func(r *jsonedit.Doc) ([]byte, error) { return forget(r, id) }); err != nil {
			return nil, err
		}
	}
	return src, nil
}

// forget takes an id out of what a record waits for and holds up.
func forget(record *jsonedit.Doc, id string) ([]byte, error) {
	src := record.Src
	for _, name := range []string{blockedBy, blocking} {
		i := record.Member(0, name)
		if !slices.Contains(texts(record, i), id) {
			continue
		}
		var err error
		if record.Nodes[i].Kind == jsonedit.String {
			src, err = put(src, member{"/" + name, nil})
		} else {
			src, err = without(src, "/"+name, id)
		}
		if err != nil {
			return nil, err
		}
	}
	return src, nil
}

// without takes a text out of the list at pointer.
func without(src []byte, pointer, text string) ([]byte, error) {
	return jsonedit.Filter(src, pointer, func(doc *jsonedit.Doc, i int) bool {
		s, ok := doc.Str(i)
		return !ok || s != text
	})
}

// naming lists the ids of the records in a list whose member names id.
func naming(doc *jsonedit.Doc, list, name, id string) []string {
	at := doc.Find(list)
	if at < 0 {
		return nil
	}
	var ids []string
	for i := range doc.Children(at) {
		if slices.Contains(texts(doc, doc.Member(i, name)), id) {
			ids = append(ids, word(doc, i, "id"))
		}
	}
	return ids
}

// texts are what a value says that may be one text or a list of them.
func texts(doc *jsonedit.Doc, i int) []string {
	if i < 0 {
		return nil
	}
	if s, ok := doc.Str(i); ok && s != "" {
		return []string{s}
	}
	if doc.Nodes[i].Kind != jsonedit.Array {
		return nil
	}
	var all []string
	for c := range doc.Children(i) {
		if s, ok := doc.Str(c); ok {
			all = append(all, s)
		}
	}
	return all
}

// distinct is list without blanks and repetitions.
func distinct(list []string) []string {
	var out []string
	seen := map[string]bool{"": true}
	for _, s := range list {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}
