package jsonedit

import "testing"

// TestCanonical holds which values mean the same: those on one line, no others.
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
			text := string(parsed(t, src).Canonical(nil, 0))
			if j, ok := texts[text]; ok && j != i {
				t.Errorf("%s is like a value of row %d", src, j)
			}
			if len(row) > 1 && text != string(parsed(t, row[0]).Canonical(nil, 0)) {
				t.Errorf("%s is not like %s: %s", src, row[0], text)
			}
			texts[text] = i
		}
	}
}
