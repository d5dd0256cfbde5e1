package jsonedit

import "testing"

// TestCanonical checks that the values on one line, and no others, have the same key.
func TestCanonical(t *testing.T) {
	texts := map[string]int{}
	for i, row := range [][]string{
		{`null`}, {`true`}, {`false`}, {`"n"`}, {`"null"`},
		{`0`, `-0.0`, `0e7`}, {`1`, `1.0`, `10e-1`}, {`-1`}, {`10`, `1e1`}, {`"1"`}, {`"#1e0;"`},
		{`1e99999999999999999999`}, {`-1e99999999999999999999`},
		{`"a"`, `"\u0061"`}, {`"é"`, `"\u00e9"`}, {`"a:b"`}, {`""`}, {`"1:a"`}, {`"11111111111"`},
		{`[]`}, {`[[]]`}, {`[[], []]`}, {`[[[]]]`}, {`["a", "b"]`}, {`["b", "a"]`}, {`["ab"]`}, {`["a1:b"]`}, {`[1, 2]`}, {`[12]`},
		{`{}`}, {`{"a": 1, "b": [2]}`, `{"b": [2.0], "a": 1}`, `{"\u0062": [2], "a": 1, "a": 3, "b": 4}`}, {`{"a": [2], "b": 1}`}, {`{"a": {"b": 1}}`}, {`{"a": {}, "b": 1}`}, {`["a", 1, "b", [2]]`},
	} {
		for _, src := range row {
			text := string(mustParse(t, src).Canonical(nil, 0))
			if j, ok := texts[text]; ok && j != i {
				t.Errorf("%s has the key of a value in row %d", src, j)
			}
			if len(row) > 1 && text != string(mustParse(t, row[0]).Canonical(nil, 0)) {
				t.Errorf("%s has not the key of %s: %s", src, row[0], text)
			}
			texts[text] = i
		}
	}
}
