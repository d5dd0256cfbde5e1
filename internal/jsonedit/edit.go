package jsonedit

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// Set makes value (a JSON text) the value at pointer and returns the new text.
// If a value is there, it is replaced; a missing member comes last in its
// object, and objects missing on the way are made. In an array an index
// replaces and "-" appends; under a name that is missing "-" makes an array.
// Every byte that does not belong to the value stays, and what is new is laid
// out like its siblings. If the value there is equal already, Set returns src
// itself: 95 equals 95.0, and the order of members does not count. The error
// is a *PointerError; src is never changed.
func Set(src []byte, pointer string, value []byte) ([]byte, error) {
	e, err := begin(src, pointer, value)
	if err != nil {
		return nil, err
	}
	at, rest, err := e.walk(e.tokens)
	switch {
	case err != nil:
		return nil, err
	case len(rest) > 0:
		return e.add(at, rest)
	case same(&e.doc, at, &e.value, 0):
		return src, nil
	}
	return e.finish(e.replace(at))
}

// Insert puts value into an array, before the index that ends pointer, which
// may be the array's length or "-". See Set.
func Insert(src []byte, pointer string, value []byte) ([]byte, error) {
	e, err := begin(src, pointer, value)
	if err != nil {
		return nil, err
	}
	if len(e.tokens) == 0 {
		return nil, e.refuse("insert needs the pointer of an array's element")
	}
	last := e.tokens[len(e.tokens)-1]
	at, err := e.existing(e.tokens[:len(e.tokens)-1], Array)
	if err != nil {
		return nil, err
	}
	size := int(e.doc.Nodes[at].Len)
	k, ok := index(last)
	if last == "-" {
		k, ok = size, true
	}
	if !ok || k > size {
		return nil, e.refuse("the array has %d elements: %s is no place in it", size, cut([]byte(last)))
	}
	return e.insert(at, k, nil)
}

// Append puts value behind the last element of the array at pointer. A missing
// array is made. See Set.
func Append(src []byte, pointer string, value []byte) ([]byte, error) {
	e, err := begin(src, pointer, value)
	if err != nil {
		return nil, err
	}
	at, rest, err := e.walk(e.tokens)
	if err != nil {
		return nil, err
	}
	if kind := e.doc.Nodes[at].Kind; len(rest) == 0 && kind != Array {
		return nil, e.refuse("an array is needed here, not %s", kind)
	}
	return e.add(at, append(rest[:len(rest):len(rest)], "-"))
}

// Delete takes out the member or element at pointer, one comma, and the line
// it stood on. It is an error if there is none. See Set.
func Delete(src []byte, pointer string) ([]byte, error) {
	e, err := begin(src, pointer, []byte("null"))
	if err != nil {
		return nil, err
	}
	at, err := e.existing(e.tokens, Invalid)
	if err != nil {
		return nil, err
	}
	if at == 0 {
		return nil, e.refuse("the whole document is not a member or element")
	}
	start, end := e.extent(at)
	return e.finish(splice(src, start, end, nil))
}

// An edit is one change of one text.
type edit struct {
	pointer    string
	tokens     []string
	doc, value Doc
	style      style
}

func begin(src []byte, pointer string, value []byte) (*edit, error) {
	e := &edit{pointer: pointer}
	if err := e.doc.Parse(src); err != nil {
		return nil, &PointerError{pointer, "the text around it is not JSON: " + err.Error(), err}
	}
	if err := e.setValue(value); err != nil {
		return nil, err
	}
	var ok bool
	if e.tokens, ok = split(pointer); !ok {
		return nil, e.refuse("a JSON pointer is empty or begins with /, and has ~ only as ~0 or ~1")
	}
	e.style = styleOf(&e.doc)
	return e, nil
}

func (e *edit) setValue(value []byte) error {
	if err := e.value.Parse(value); err != nil {
		return &PointerError{e.pointer, "the new value is not JSON: " + err.Error(), err}
	}
	if len(e.value.Duplicates) > 0 {
		return e.refuse("the new value has the member %s twice", cut([]byte(e.value.Key(e.value.Duplicates[0]))))
	}
	return nil
}

func (e *edit) refuse(format string, args ...any) *PointerError {
	return &PointerError{Pointer: e.pointer, Msg: fmt.Sprintf(format, args...)}
}

// walk follows tokens as far as there are values. rest is what is left of
// them, to be made under the object or array at.
func (e *edit) walk(tokens []string) (at int, rest []string, err error) {
	d := &e.doc
	for k, token := range tokens {
		switch kind := d.Nodes[at].Kind; kind {
		case Object:
			for _, i := range d.Duplicates {
				if n := d.Nodes[i]; int(n.Parent) == at && d.Key(i) == token {
					line, _, _ := Position(d.Src, int(n.KeyStart))
					return 0, nil, e.refuse("the member %s stands twice in its object, again on line %d: one of them must go first", cut([]byte(token)), line)
				}
			}
		case Array:
			i, ok := index(token)
			if !ok && token != "-" {
				return 0, nil, e.refuse("%s is not an index of an array", cut([]byte(token)))
			}
			if ok && i >= int(d.Nodes[at].Len) {
				return 0, nil, e.refuse("the array at %s has %d elements: there is no %s", cut([]byte(join(tokens[:k]))), d.Nodes[at].Len, cut([]byte(token)))
			}
		default:
			return 0, nil, e.refuse("an object or array is needed at %s, not %s", cut([]byte(join(tokens[:k]))), kind)
		}
		next := d.stepTo(at, token)
		if next < 0 {
			return at, tokens[k:], nil
		}
		at = next
	}
	return at, nil, nil
}

// existing follows tokens to the value they name, which must be of kind unless
// that is Invalid.
func (e *edit) existing(tokens []string, kind Kind) (int, error) {
	at, rest, err := e.walk(tokens)
	switch {
	case err != nil:
		return 0, err
	case len(rest) > 0:
		return 0, e.refuse("there is no %s", cut([]byte(rest[0])))
	case kind != Invalid && e.doc.Nodes[at].Kind != kind:
		return 0, e.refuse("%s is needed here, not %s", kind, e.doc.Nodes[at].Kind)
	}
	return at, nil
}

// add makes the value as rest[0] of the container at, inside the containers
// that the other tokens of rest call for.
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

// quote is name as a JSON string.
func (e *edit) quote(name string) ([]byte, error) {
	key, err := jsontext.AppendQuote(nil, name)
	if err != nil {
		return nil, e.refuse("the name %s is not UTF-8", cut([]byte(name)))
	}
	return key, nil
}

// wrap makes the value the only child of an object, or of an array if there
// is no key.
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

// finish proves that out is still a document, one that a reader takes.
func (e *edit) finish(out []byte) ([]byte, error) {
	if err := e.value.Parse(out); err != nil {
		return nil, &PointerError{e.pointer, "with this change the text can't be read any more: " + err.Error(), err}
	}
	return out, nil
}

// splice is src with src[start:end] replaced, in new memory.
func splice(src []byte, start, end int, text []byte) []byte {
	out := make([]byte, 0, len(src)-(end-start)+len(text))
	return append(append(append(out, src[:start]...), text...), src[end:]...)
}
