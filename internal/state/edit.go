package state

import (
	"fmt"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A member is a value to be put at a pointer.
type member struct {
	pointer string
	value   any
}

// put sets members in turn.
func put(src []byte, members ...member) ([]byte, error) {
	for _, m := range members {
		value, err := jsonedit.Value(m.value)
		if err != nil {
			return nil, fmt.Errorf("set %s: %w", m.pointer, err)
		}
		if src, err = jsonedit.Set(src, m.pointer, value); err != nil {
			return nil, err
		}
	}
	return src, nil
}

// NameLayer gives the current layer the name that belongs to its number.
func NameLayer(src []byte) ([]byte, error) {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return nil, err
	}
	n, _ := figure(doc, "/project/current_layer")
	name, ok := schema.LayerName(int(n))
	if !ok {
		return src, nil
	}
	return put(src, member{"/project/layer_name", name})
}

// Set puts text at a JSON pointer (RFC 6901): as the JSON value it is, or as a
// string where it is none. What follows from the context window's figures is
// brought in line when one of them was set. What was reached in the layers is
// not set.
func Set(src []byte, pointer, text string) ([]byte, error) {
	if pointer == "/project/progress" || strings.HasPrefix(pointer, "/project/progress/") {
		return nil, fmt.Errorf("set %s: it follows from the layer and the clarity; 'forgemind layer' and 'forgemind clarity' change it", pointer)
	}
	value := []byte(text)
	if _, err := jsonedit.Parse(value); err != nil {
		if value, err = jsonedit.Value(text); err != nil {
			return nil, fmt.Errorf("set %s: %w", pointer, err)
		}
	}
	out, err := jsonedit.Set(src, pointer, value)
	if err != nil {
		return nil, err
	}
	if inWindow(pointer) {
		return MendWindow(out)
	}
	return out, nil
}
