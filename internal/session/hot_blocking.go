package session

import (
	"slices"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// The members by which questions and actions name one another. The first may
// hold an id, a text, a list of them, or null; the second is a list.
const (
	blockedBy = "blocked_by"
	blocking  = "blocking"
)

// each edits the records of a list, each as a document of its own, and leaves
// every byte between them as it is.
func (h *Hot) each(k kind, edit func(record *jsonedit.Doc) ([]byte, error)) error {
	all, err := h.items(k)
	if err != nil {
		return err
	}
	src := h.doc.Src
	var out []byte
	var record jsonedit.Doc
	done := 0 // src[:done] is in out
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

// refer adds an id to what a member of a record names.
func refer(record *jsonedit.Doc, name, id string) ([]byte, error) {
	i := record.Member(0, name)
	named := texts(record, i)
	if slices.Contains(named, id) {
		return record.Src, nil
	}
	var v any = schema.IDs(append(named, id))
	if name == blocking {
		v = append(named, id)
	}
	if i >= 0 && record.Nodes[i].Kind == jsonedit.Array {
		v = id
	}
	value, err := jsonedit.Value(v)
	if err != nil {
		return nil, err
	}
	if _, plain := v.(string); plain {
		return jsonedit.Append(record.Src, "/"+name, value)
	}
	return jsonedit.Set(record.Src, "/"+name, value)
}

// free takes an id out of what actions wait for and questions hold up.
func (h *Hot) free(id string) error {
	if id == "" {
		return nil
	}
	for _, k := range []kind{actions, questions} {
		err := h.each(k, func(record *jsonedit.Doc) (src []byte, err error) {
			src = record.Src
			for _, name := range []string{blockedBy, blocking} {
				i := record.Member(0, name)
				switch named := texts(record, i); {
				case !slices.Contains(named, id):
					continue
				case record.Nodes[i].Kind == jsonedit.Array:
					src, err = without(src, "/"+name, func(text string) bool { return text == id })
				default:
					src, err = jsonedit.Set(src, "/"+name, []byte("null"))
				}
				if err != nil {
					return nil, err
				}
			}
			return src, nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// without takes out of the list at pointer the texts that gone says of; it is
// asked about each in order.
func without(src []byte, pointer string, gone func(text string) bool) ([]byte, error) {
	return jsonedit.Filter(src, pointer, func(doc *jsonedit.Doc, i int) bool {
		text, ok := doc.Str(i)
		return !ok || !gone(text)
	})
}

// texts are what a value says that may be one text or a list of them.
func texts(doc *jsonedit.Doc, i int) []string {
	if s, ok := doc.Str(i); ok && s != "" {
		return []string{s}
	}
	if i < 0 || doc.Nodes[i].Kind != jsonedit.Array {
		return nil
	}
	all := []string{}
	for c := range doc.Children(i) {
		if s, ok := doc.Str(c); ok {
			all = append(all, s)
		}
	}
	return all
}
