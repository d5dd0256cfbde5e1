package schema

import (
	"encoding/json"
	"strings"
)

// IDs are the ids of a member that may be a string or a list of strings. A single id is
// written as a string.
type IDs []string

// UnmarshalJSON reads a string, a list of strings, or null.
func (ids *IDs) UnmarshalJSON(src []byte) error {
	if !strings.HasPrefix(string(src), `"`) {
		return json.Unmarshal(src, (*[]string)(ids))
	}
	var one string
	err := json.Unmarshal(src, &one)
	*ids = IDs{one}
	return err
}

// MarshalJSON writes one id as a string, and any other number as a list.
func (ids IDs) MarshalJSON() ([]byte, error) {
	if len(ids) == 1 {
		return json.Marshal(ids[0])
	}
	return json.Marshal(append([]string{}, ids...))
}
