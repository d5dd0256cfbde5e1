package transcript

import (
	"encoding/json"
	"slices"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// A vscodeChange is a line of a session that VS Code writes as changes of a document.
type vscodeChange struct {
	Kind *int              `json:"kind"` // 0 the document, 1 sets a value, 2 cuts an array and adds to it, 3 deletes
	At   []json.RawMessage `json:"k"`
	V    json.RawMessage   `json:"v"`
	From *int              `json:"i"`
}

// vscodeState takes in the requests of a session, and those that are gone as taken back.
func (rd *reader) vscodeState(r record, state any, gone []any) {
	talk, _ := state.(map[string]any)
	rd.session, _ = talk["sessionId"].(string)
	rd.title, _ = talk["customTitle"].(string)
	said := map[string]bool{}
	var requests, back []vscodeRequest
	for _, in := range requestsIn(state) {
		if q, ok := rd.vscodeRequest(r, in); ok {
			said[q.ID] = true
			requests = append(requests, q)
		}
	}
	for _, in := range gone {
		if q, ok := rd.vscodeRequest(r, in); ok && !said[q.ID] {
			said[q.ID] = true
			back = append(back, q)
		}
	}
	rd.besides(func() {
		for i := range back {
			rd.vscodeSays(r, &back[i])
		}
	})
	for i := range requests {
		if q := &requests[i]; q.takenBack() {
			rd.besides(func() { rd.vscodeSays(r, q) })
		} else {
			rd.vscodeSays(r, q)
		}
	}
}

// vscodeRequest returns the request that a value is.
func (rd *reader) vscodeRequest(r record, value any) (q vscodeRequest, ok bool) {
	text, err := jsonedit.Value(value)
	if err == nil {
		err = jsonedit.Decode(text, &q)
	}
	if err != nil {
		rd.unfit(r, text, err)
	}
	return q, err == nil
}

// requestsIn returns the requests of a session.
func requestsIn(state any) []any {
	talk, _ := state.(map[string]any)
	requests, _ := talk["requests"].([]any)
	return requests
}

// takesOut returns the requests of a session that a change takes out, or writes anew.
func (c *vscodeChange) takesOut(state any) []any {
	requests := requestsIn(state)
	here := len(c.At) == 1 && str(c.At[0]) == "requests"
	switch {
	case *c.Kind == 0, *c.Kind == 1 && len(c.At) == 0, (*c.Kind == 1 || *c.Kind == 3) && here:
		return slices.Clone(requests)
	case *c.Kind == 2 && here && c.From != nil && *c.From >= 0 && *c.From < len(requests):
		return slices.Clone(requests[*c.From:])
	}
	return nil
}

// apply returns the state with a change made; as it was where its place is not there.
func (c *vscodeChange) apply(state any) (any, error) {
	var value any
	if len(c.V) > 0 {
		if err := jsonedit.Decode(c.V, &value); err != nil {
			return state, err
		}
	}
	switch {
	case *c.Kind == 0:
		return value, nil
	case state == nil: // the document is torn
		state = map[string]any{}
	}
	changed, _ := c.change(state, c.At, value)
	return changed, nil
}

// change returns what stands in node with the change at the rest of its path made.
func (c *vscodeChange) change(node any, path []json.RawMessage, value any) (any, bool) {
	if len(path) == 0 {
		switch list, ok := node.([]any); {
		case *c.Kind == 1:
			return value, true
		case *c.Kind != 2 || !ok && node != nil:
			return node, false
		default:
			if c.From != nil && *c.From >= 0 && *c.From < len(list) {
				list = list[:*c.From]
			}
			more, _ := value.([]any)
			return append(list, more...), true
		}
	}
	switch in := node.(type) {
	case map[string]any:
		name := str(path[0])
		if *c.Kind == 3 && len(path) == 1 {
			delete(in, name)
			return in, true
		}
		next, ok := c.change(in[name], path[1:], value)
		if ok {
			in[name] = next
		}
		return in, ok
	case []any:
		var i int
		if jsonedit.Decode(path[0], &i) != nil || i < 0 || i >= len(in) {
			return node, false
		}
		next, ok := c.change(in[i], path[1:], value)
		if ok {
			in[i] = next
		}
		return in, ok
	}
	return node, false
}
