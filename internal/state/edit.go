package state

import (
	"fmt"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A member is a value for a JSON pointer.
type member struct {
	pointer string
	value   any
}

// put sets members one after another.
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

// SetLayer sets the layer to n, 0 (IDEA) to 5 (CODE), and its name.
func SetLayer(src []byte, n int) ([]byte, error) {
	name, ok := schema.LayerName(n)
	if !ok {
		return nil, fmt.Errorf("layer %d: there are the layers 0 to 5", n)
	}
	return put(src, member{"/project/current_layer", n}, member{"/project/layer_name", name})
}

// NameLayer sets the name of the current layer to the one for its number.
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

// SetClarity sets the clarity of the current layer, in percent (0–100).
func SetClarity(src []byte, clarity float64) ([]byte, error) {
	if !percent(clarity) {
		return nil, fmt.Errorf("clarity %v: a percentage from 0 to 100 is wanted", clarity)
	}
	return put(src, member{"/project/clarity", clarity})
}

// Set sets the value at a JSON pointer (RFC 6901) to text, as JSON if text is valid JSON and else
// as a string. If a figure of the context window changes, Set updates the figures that depend on
// it.
func Set(src []byte, pointer, text string) ([]byte, error) {
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
