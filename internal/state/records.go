package state

import (
	"fmt"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/text"
)

// An UnknownError reports an id that the State or its history does not have.
type UnknownError struct {
	What  string // "question", "action" or "snapshot"
	ID    string
	Known []string // existing ids
}

func (e *UnknownError) Error() string {
	return fmt.Sprintf("there is no %s %s", e.What, text.QuoteASCII(e.ID))
}

// word returns a member that is a string, or "".
func word(doc *jsonedit.Doc, object int, name string) string {
	i := doc.Member(object, name)
	if i < 0 {
		return ""
	}
	s, _ := doc.Str(i)
	return s
}

// each calls edit with every record of a list as a document of its own. It keeps all other bytes.
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
	done := 0 // src[:done] was copied to out
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
