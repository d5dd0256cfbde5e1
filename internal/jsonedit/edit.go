package jsonedit

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// Set sets the value at pointer to value, a JSON text, and returns the new text. It
// replaces an existing value, adds a missing member at the end of its object, and
// creates missing parent objects. In an array an index replaces an element and "-"
// appends one; below a missing member "-" creates an array. Every byte outside the
// value stays, and new text is formatted like its siblings. If the old value is equal,
// Set returns src itself: 95 equals 95.0, and the order of members does not count.
// The error is a *PointerError. Set never modifies src.
func Set(src []byte, pointer string, value []byte) ([]byte, error) {
	e, err := newEdit(src, pointer, value)
	if err != nil {
		return nil, err
	}
	at, rest, err := e.walk(e.tokens)
	switch {
	case err != nil:
		return nil, err
	case len(rest) > 0:
		return e.add(at, rest)
	case equalValues(&e.doc, at, &e.value, 0):
		return src, nil
	}
	return e.verify(e.replace(at))
}

// Insert inserts value into an array, before the index at the end of pointer, which
// may be the array's length or "-". See Set.
func Insert(src []byte, pointer string, value []byte) ([]byte, error) {
	e, err := newEdit(src, pointer, value)
	if err != nil {
		return nil, err
	}
	if len(e.tokens) == 0 {
		return nil, e.errorf("insert needs the pointer of an array's element")
	}
	last := e.tokens[len(e.tokens)-1]
	at, err := e.find(e.tokens[:len(e.tokens)-1], Array)
	if err != nil {
		return nil, err
	}
	size := int(e.doc.Nodes[at].Len)
	k, ok := parseIndex(last)
	if last == "-" {
		k, ok = size, true
	}
	if !ok || k > size {
		return nil, e.errorf("the array has %d elements: index %s is out of range", size, quoteShort([]byte(last)))
	}
	return e.insert(at, k, nil)
}

// Append adds value after the last element of the array at pointer. It creates a
// missing array. See Set.
func Append(src []byte, pointer string, value []byte) ([]byte, error) {
	e, err := newEdit(src, pointer, value)
	if err != nil {
		return nil, err
	}
	at, rest, err := e.walk(e.tokens)
	if err != nil {
		return nil, err
	}
	if kind := e.doc.Nodes[at].Kind; len(rest) == 0 && kind != Array {
		return nil, e.errorf("an array is needed here, not %s", kind)
	}
	return e.add(at, append(rest[:len(rest):len(rest)], "-"))
}

// Delete removes the member or element at pointer, one comma, and its line. It is an
// error if there is no such member or element. See Set.
func Delete(src []byte, pointer string) ([]byte, error) {
	e, err := newEdit(src, pointer, []byte("null"))
	if err != nil {
		return nil, err
	}
	at, err := e.find(e.tokens, Invalid)
	if err != nil {
		return nil, err
	}
	if at == 0 {
		return nil, e.errorf("the whole document is not a member or element")
	}
	start, end := e.deleteRange(at)
	return e.verify(splice(src, start, end, nil))
}

// An edit is one change of one text.
type edit struct {
	pointer    string
	tokens     []string
	doc, value Doc
	style      style
}

func newEdit(src []byte, pointer string, value []byte) (*edit, error) {
	e := &edit{pointer: pointer}
	if err := e.doc.Parse(src); err != nil {
		return nil, &PointerError{pointer, "the document is not JSON: " + err.Error(), err}
	}
	if err := e.setValue(value); err != nil {
		return nil, err
	}
	var ok bool
	if e.tokens, ok = splitPointer(pointer); !ok {
		return nil, e.errorf("a JSON pointer is empty or begins with /, and has ~ only as ~0 or ~1")
	}
	e.style = styleOf(&e.doc)
	return e, nil
}

func (e *edit) setValue(value []byte) error {
	if err := e.value.Parse(value); err != nil {
		return &PointerError{e.pointer, "the new value is not JSON: " + err.Error(), err}
	}
	if len(e.value.Duplicates) > 0 {
		return e.errorf("the new value has the member %s twice", quoteShort([]byte(e.value.Key(e.value.Duplicates[0]))))
	}
	return nil
}

func (e *edit) errorf(format string, args ...any) *PointerError {
	return &PointerError{Pointer: e.pointer, Msg: fmt.Sprintf(format, args...)}
}

// walk follows tokens to the last value that exists, at. rest are the other tokens,
// which do not exist in the object or array at.
func (e *edit) walk(tokens []string) (at int, rest []string, err error) {
	d := &e.doc
	for k, token := range tokens {
		switch kind := d.Nodes[at].Kind; kind {
		case Object:
			for _, i := range d.Duplicates {
				if n := d.Nodes[i]; int(n.Parent) == at && d.Key(i) == token {
					line, _, _ := Position(d.Src, int(n.KeyStart))
					return 0, nil, e.errorf("duplicate member %s, again on line %d: remove one of them first", quoteShort([]byte(token)), line)
				}
			}
		case Array:
			i, ok := parseIndex(token)
			if !ok && token != "-" {
				return 0, nil, e.errorf("%s is not an index of an array", quoteShort([]byte(token)))
			}
			if ok && i >= int(d.Nodes[at].Len) {
				return 0, nil, e.errorf("the array at %s has %d elements: index %s is out of range", quoteShort([]byte(joinPointer(tokens[:k]))), d.Nodes[at].Len, quoteShort([]byte(token)))
			}
		default:
			return 0, nil, e.errorf("an object or array is needed at %s, not %s", quoteShort([]byte(joinPointer(tokens[:k]))), kind)
		}
		next := d.stepTo(at, token)
		if next < 0 {
			return at, tokens[k:], nil
		}
		at = next
	}
	return at, nil, nil
}

// find follows tokens to a value, which must exist and be of the given kind, unless
// that is Invalid.
func (e *edit) find(tokens []string, kind Kind) (int, error) {
	at, rest, err := e.walk(tokens)
	switch {
	case err != nil:
		return 0, err
	case len(rest) > 0:
		return 0, e.errorf("no such member or element: %s", quoteShort([]byte(rest[0])))
	case kind != Invalid && e.doc.Nodes[at].Kind != kind:
		return 0, e.errorf("%s is needed here, not %s", kind, e.doc.Nodes[at].Kind)
	}
	return at, nil
}

// add adds the value to the container at, as rest[0], inside new containers for the
// other tokens of rest.
func (e *edit) add(at int, rest []string) ([]byte, error) {
	for k := len(rest) - 1; k > 0; k-- {
		if rest[k] == "-" {
			if err := e.wrap(nil); err != nil {
				return nil, err
			}
			continue
		}
		key, err := e.quote(rest[k])
		if err == nil {
			err = e.wrap(key)
		}
		if err != nil {
			return nil, err
		}
	}
	size := int(e.doc.Nodes[at].Len)
	if e.doc.Nodes[at].Kind == Array {
		return e.insert(at, size, nil)
	}
	key, err := e.quote(rest[0])
	if err != nil {
		return nil, err
	}
	return e.insert(at, size, key)
}

// quote returns name as a JSON string.
func (e *edit) quote(name string) ([]byte, error) {
	key, err := jsontext.AppendQuote(nil, name)
	if err != nil {
		return nil, e.errorf("the name %s is not UTF-8", quoteShort([]byte(name)))
	}
	return key, nil
}

// wrap wraps the value in an object with the given key, or in an array if key is nil.
func (e *edit) wrap(key []byte) error {
	value := e.value.Raw(0)
	text := make([]byte, 0, len(key)+len(value)+3)
	if key == nil {
		text = append(append(append(text, '['), value...), ']')
	} else {
		text = append(append(append(append(append(text, '{'), key...), ':'), value...), '}')
	}
	return e.setValue(text)
}

// verify returns out, or an error if out cannot be parsed.
func (e *edit) verify(out []byte) ([]byte, error) {
	if err := e.value.Parse(out); err != nil {
		return nil, &PointerError{e.pointer, "the changed document cannot be parsed: " + err.Error(), err}
	}
	return out, nil
}

// splice returns a copy of src in which text replaces src[start:end].
func splice(src []byte, start, end int, text []byte) []byte {
	out := make([]byte, 0, len(src)-(end-start)+len(text))
	return append(append(append(out, src[:start]...), text...), src[end:]...)
}
