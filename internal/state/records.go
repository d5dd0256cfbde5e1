package state

import (
	"fmt"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// An Unknown is an id that the State, or its history, does not have.
type Unknown struct {
	What  string // question, action, snapshot
	ID    string
	Known []string // the ids that there are
}

func (e *Unknown) Error() string { return fmt.Sprintf("there is no %s %s", e.What, cut(e.ID)) }

// word reads a member that is a text; "" where there is none.
func word(doc *jsonedit.Doc, object int, name string) string {
	i := doc.Member(object, name)
	if i < 0 {
		return ""
	}
	s, _ := doc.Str(i)
	return s
}

// each edits the records of a list, each as a document of its own, and leaves
// every byte of the others as it is.
func each(src []byte, list string, edit func(record *jsonedit.Doc) ([]byte, error)) ([]byte, error) {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return nil, err
	}
	at := doc.Find(list)
	if at < 0 || doc.Nodes[at].Kind != jsonedit.Array {
		return src, nil
	}
	var out []byte
	var record jsonedit.Doc
	done := 0 // src[:done] is in out
	for i := range doc.Children(at) {
		node := doc.Nodes[i]
		if node.Kind != jsonedit.Object {
			continue
		}
		raw := doc.Raw(i)
		if err := record.Parse(raw[:len(raw):len(raw)]); err != nil {
			return nil, err
		}
		edited, err := edit(&record)
		if err != nil {
			return nil, err
		}
		if string(edited) != string(raw) {
			out = append(append(out, src[done:node.Start]...), edited...)
			done = int(node.End)
		}
	}
	if done == 0 {
		return src, nil
	}
	return append(out, src[done:]...), nil
}
