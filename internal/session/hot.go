package session

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A Hot is a hot context that is being changed, in either of the documents' two
// shapes: what it does not change stays byte for byte. However much is changed,
// its version rises by one. A change that fails changes nothing.
type Hot struct {
	read    []byte       // as it was
	doc     jsonedit.Doc // as it is now
	version int          // before any change
}

// ReadHot reads a hot context for changing it. It must be a JSON object; a list
// in it that is none, or an item that cannot be read, is the error of who asks
// for it.
func ReadHot(src []byte) (*Hot, error) {
	h := &Hot{read: src}
	if err := h.doc.Parse(src); err != nil {
		return nil, err
	}
	if is := h.doc.Nodes[0].Kind; is != jsonedit.Object {
		return nil, fmt.Errorf("the hot context is %s where an object should be", is)
	}
	if i := h.doc.Find("/version"); i >= 0 {
		if n, _ := h.doc.Int(i); n > 0 && n < 1<<53-1 { // else no counting leads to it
			h.version = int(n)
		}
	}
	return h, nil
}

// SetVersion sets the version that it had before any change, whatever it says.
func (h *Hot) SetVersion(version int) { h.version = version }

// Version is the version it will have: one more than before if it was changed.
func (h *Hot) Version() int {
	if h.changed() {
		return h.version + 1
	}
	return h.version
}

func (h *Hot) changed() bool { return !bytes.Equal(h.doc.Src, h.read) }

// Text is its text now; the text that was read where nothing was changed.
func (h *Hot) Text() ([]byte, error) {
	if !h.changed() {
		return h.read, nil
	}
	return jsonedit.Set(h.doc.Src, "/version", fmt.Appendf(nil, "%d", h.Version()))
}

// Context is what it holds now, without what cannot be read.
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

// Replace makes text the hot context's.
func (h *Hot) Replace(text []byte) error { return h.whole(func() error { return h.doc.Parse(text) }) }

// set puts a value at a pointer.
func (h *Hot) set(pointer string, v any) error {
	value, err := jsonedit.Value(v)
	if err != nil {
		return err
	}
	return h.become(jsonedit.Set(h.doc.Src, pointer, value))
}

// append puts a value behind the last of the list at a pointer. A list that is
// missing, or null, is made.
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

// become makes text the text, unless there is an error.
func (h *Hot) become(text []byte, err error) error {
	if err != nil {
		return err
	}
	return h.doc.Parse(text)
}

// whole takes back what edit changed if it fails.
func (h *Hot) whole(edit func() error) error {
	before := h.doc.Src
	err := edit()
	if err != nil {
		err = errors.Join(err, h.doc.Parse(before))
	}
	return err
}

// A Misplaced is the error of a value that is of another kind than it should be.
type Misplaced struct {
	Pointer string // without the slash before it
	Is      jsonedit.Kind
	Should  string // what should be there
}

func (e *Misplaced) Error() string {
	return fmt.Sprintf("%s is %s where %s should be", cutWord(e.Pointer), e.Is, e.Should)
}

func misplaced(pointer string, is jsonedit.Kind, should string) error {
	return &Misplaced{strings.TrimPrefix(pointer, "/"), is, should}
}

// cutWord is text as it is where it is short and plain, else quoted.
func cutWord(text string) string {
	if q := cut(text); q != `"`+text+`"` {
		return q
	}
	return text
}

// word reads a member that is a text; "" where there is none.
func word(doc *jsonedit.Doc, object int, name string) string {
	s, _ := doc.Str(doc.Member(object, name))
	return s
}
