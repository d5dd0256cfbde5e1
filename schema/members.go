package schema

import (
	"encoding/json"
	"fmt"
)

// members holds the members of a JSON object by their exact names. The package
// encoding/json ignores case: it would accept `ID` for `id`.
type members map[string]json.RawMessage

// read decodes into v the first of names that exists and is not null.
func (m members) read(v any, names ...string) error {
	for _, name := range names {
		raw, ok := m[name]
		if !ok || string(raw) == "null" {
			continue
		}
		if err := json.Unmarshal(raw, v); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	}
	return nil
}

// readAll reads the members in order until one fails.
func (m members) readAll(wanted []member) error {
	for _, w := range wanted {
		if err := m.read(w.into, w.names...); err != nil {
			return err
		}
	}
	return nil
}

// A member is a destination and the names of the member that is read into it.
type member struct {
	into  any
	names []string
}

// unmarshal reads an object into members. If text is not nil, a string instead of an
// object is read into it. Null reads nothing.
func unmarshal(src []byte, text *string, wanted ...member) error {
	if text != nil && len(src) > 0 && src[0] == '"' {
		return json.Unmarshal(src, text)
	}
	var m members
	if err := json.Unmarshal(src, &m); err != nil {
		return err
	}
	return m.readAll(wanted)
}

func as(into any, names ...string) member { return member{into, names} }
