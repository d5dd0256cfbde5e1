package validate

import "testing"

// TestWordsOfASchema holds what is said of keywords that few schemas use.
func TestWordsOfASchema(t *testing.T) {
	for _, c := range []struct{ schema, text, want string }{
		{`{"properties": {"a": true}, "additionalProperties": false}`, `{"b": 1, "a": 2, "c d": 3, "b": 4}`, `must not hold b, "c d"`},
		{`{"patternProperties": {"a": true}, "required": ["b"], "additionalProperties": false}`, `{"ab": 1, "b": 2}`, `must not hold b`},
		{`{"minProperties": 2}`, `{"a": 1, "a": 2}`, `must have at least 2 members, found 1`},
		{`{"maxProperties": 1}`, `{"a": 1, "b": 2}`, `must have at most 1 members, found 2`},
		{`{"maxItems": 1}`, `[1, 2]`, `must have at most 1 elements, found 2`},
		{`{"not": {"type": "string"}}`, `"x"`, `is not admitted, found the string "x"`},
		{`{"items": false}`, `[null]`, `is not admitted, found null`},
		{`{"oneOf": [{"minimum": 1}, {"minimum": 2}]}`, `3`, `must have just one of the forms that are admitted, found 3`},
		{`{"anyOf": [{"required": ["a", "b"]}, {"required": ["c"]}]}`, `{}`, `must have a and b, or c`},
		{`{"exclusiveMaximum": 1.5}`, `1.5`, `must be less than 1.5, found 1.5`},
	} {
		check, _ := compileFor(t, c.schema)
		doc := parsed(t, c.text)
		list, _ := check.breaches(doc, 0)
		if len(list) != 1 {
			t.Errorf("%s: %d breaches", c.schema, len(list))
			continue
		}
		if got := expectation(list[0], list[0].of.says[list[0].keyword], doc, list[0].node); got != c.want {
			t.Errorf("%s: %s", c.schema, got)
		}
	}
}
