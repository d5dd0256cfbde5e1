package validate

import (
	"testing"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/jsonschema"
)

// TestWordsOfASchema holds what is said of keywords that few schemas use.
func TestWordsOfASchema(t *testing.T) {
	for _, c := range []struct{ schema, text, want string }{
		{"message", `{"content": "a", "msg_id": "m"}`, "must have msg_id and timestamp, or msg_id and ts, or id and timestamp, or id and ts"},
		{"config", `{"views": 1}`, `must be one of "local", "tracked", found 1`},
		{"config", `{"format": 0.5}`, "must be an integer, found 0.5"},
		{"config", `{"format": 1001}`, "must be at most 1000, found 1001"},
		{"config", `{"refresh_triggers": [{"name": "", "condition": "a", "actions": []}]}`, "must not be empty"},
	} {
		doc, err := jsonedit.Parse([]byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		list, _ := jsonschema.Of(c.schema).Breaches(doc, 0)
		if len(list) != 1 {
			t.Errorf("%s: %d breaches of %s", c.text, len(list), c.schema)
		} else if got := expectation(list[0], doc); got != c.want {
			t.Errorf("%s: %s", c.text, got)
		}
	}
}
