package session

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/text"
	"github.com/forgemind/forgemind/schema"
)

// A Hot is a hot context that is being changed, in either of the documents' two forms. Bytes that
// need not change stay. All changes together raise the version by one. A change that fails changes
// nothing.
type Hot struct {
	read    []byte       // the text before any change
	doc     jsonedit.Doc // the current text
	version int          // the version before any change
}

// ReadHot parses a hot context for changes. It returns an error unless src is a JSON object.
// Methods that use an invalid list or item return an error.
func ReadHot(src []byte) (*Hot, error) {
	h := &Hot{read: src}
	if err := h.doc.Parse(src); err != nil {
		return nil, err
	}
	if is := h.doc.Nodes[0].Kind; is != jsonedit.Object {
		return nil, fmt.Errorf("the hot context is %s where an object should be", is)
	}
	if i := h.doc.Find("/version"); i >= 0 {
		n, _ := h.doc.Int(i)
		h.version = int(n)
	}
	return h, nil
}

// Version returns the version of Text: one more than before if it changed.
func (h *Hot) Version() int {
	if h.changed() {
		return h.version + 1
	}
	return h.version
}

func (h *Hot) changed() bool { return !bytes.Equal(h.doc.Src, h.read) }

// Text returns the current text. Without a change that is the text that was read.
func (h *Hot) Text() ([]byte, error) {
	if !h.changed() {
		return h.read, nil
	}
	return jsonedit.Set(h.doc.Src, "/version", fmt.Appendf(nil, "%d", h.Version()))
}

// Context returns the current contents without what cannot be decoded.
func (h *Hot) Context() schema.HotContext {
	var c schema.HotContext
	if jsonedit.Decode(h.doc.Src, &c) != nil {
		c = schema.HotContext{
			ConversationID:       word(&h.doc, 0, "conversation_id"),
			SessionStarted:       word(&h.doc, 0, "session_started"),
			ActiveGoals:          legible[schema.Goal](h, goals),
			PendingActions:       legible[schema.Action](h, actions),
			KeyDecisions:         legible[schema.KeyDecision](h, decisions),
			ImportantConstraints: legible[schema.Constraint](h, constraints),
			OpenQuestions:        legible[schema.Question](h, questions),
			Notes:                legible[schema.Note](h, notes),
		}
		var files schema.FileContext
		if jsonedit.Decode(h.doc.Raw(h.doc.Find(fileContext)), &files) == nil {
			c.CurrentFileContext = &files
		}
		if jsonedit.Decode(h.doc.Raw(h.doc.Find(entities)), &c.KeyEntities) != nil {
			c.KeyEntities = nil
		}
	}
	c.Version = schema.Int(h.Version())
	return c
}

// Taken reports whether an item has the id.
func (h *Hot) Taken(id string) bool {
	for _, k := range []kind{goals, actions, decisions, constraints, questions, notes} {
		all, _ := h.items(k)
		for _, it := range all {
			if it.id == id {
				return true
			}
		}
	}
	return false
}

// Replace replaces the hot context by text.
func (h *Hot) Replace(text []byte) error { return h.whole(func() error { return h.doc.Parse(text) }) }

// set sets the value at a pointer.
func (h *Hot) set(pointer string, v any) error {
	value, err := jsonedit.Value(v)
	if err != nil {
		return err
	}
	return h.become(jsonedit.Set(h.doc.Src, pointer, value))
}

// append adds a value to the list at a pointer. It creates a list that is missing or null.
func (h *Hot) append(pointer string, v any) error {
	value, err := jsonedit.Value(v)
	if err != nil {
		return err
	}
	if i := h.doc.Find(pointer); i >= 0 && h.doc.Nodes[i].Kind == jsonedit.Null {
		return h.become(jsonedit.Set(h.doc.Src, pointer, append(append([]byte("["), value...), ']')))
	}
	return h.become(jsonedit.Append(h.doc.Src, pointer, value))
}

func (h *Hot) delete(pointer string) error { return h.become(jsonedit.Delete(h.doc.Src, pointer)) }

// become replaces the text, unless err is not nil.
func (h *Hot) become(text []byte, err error) error {
	if err != nil {
		return err
	}
	return h.doc.Parse(text)
}

// whole calls edit and undoes its changes if it fails.
func (h *Hot) whole(edit func() error) error {
	before := h.doc.Src
	err := edit()
	if err != nil {
		err = errors.Join(err, h.doc.Parse(before))
	}
	return err
}

// misplaced returns the error for a value of the wrong type.
func misplaced(pointer string, is jsonedit.Kind, should string) error {
	return fmt.Errorf("%s is %s where %s should be", cutWord(strings.TrimPrefix(pointer, "/")), is, should)
}

// cutWord returns s as it is if it is short and plain, else quoted.
func cutWord(s string) string {
	if q := text.Quote(s, maxQuoted); q != `"`+s+`"` {
		return q
	}
	return s
}

// word returns a member that is a string, or "".
func word(doc *jsonedit.Doc, object int, name string) string {
	s, _ := doc.Str(doc.Member(object, name))
	return s
}
