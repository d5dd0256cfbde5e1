package lsp

import (
	"reflect"
	"strings"
	"testing"
)

// TestCursor finds the place of | in texts, most of which are incomplete.
func TestCursor(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, path, token string
		key, value, colon bool
		members           string
	}{
		{text: `{|}`, key: true},
		{text: `{ | }`, key: true},
		{text: `{"a": 1, |}`, key: true, members: "a"},
		{text: `{"a": 1, "|}`, token: `"}`, key: true, members: "a"},
		{text: `{"a": 1, "b|": 2, "c": 3}`, token: `"b"`, key: true, colon: true, members: "a c"},
		{text: "{\"a\": 1,\n \"b|\n \"c\": 3}", token: `"b`, key: true, members: "a c"},
		{text: `{"a": |}`, path: "a", value: true, members: "a"},
		{text: `{"a": |`, path: "a", value: true, members: "a"},
		{text: `{"a": "x|y", "b": 1}`, path: "a", token: `"xy"`, value: true, members: "a b"},
		{text: `{"a": tr|`, path: "a", token: "tr", value: true, members: "a"},
		{text: `{"a": [1, {"b": "|"}, 3], "d": 4}`, path: "a 1 b", token: `""`, value: true, members: "b"},
		{text: `{"a": ["x", "|"], "d": 4}`, path: "a 1", token: `""`, value: true},
		{text: `{"a": {"b": 1, |}, "d": 4}`, path: "a", key: true, members: "b"},
		{text: `{"a": {"b": {"x": 1}, |}, "d": 4}`, path: "a", key: true, members: "b"},
		{text: `|`},
		{text: `{"a": 1}|`},
		{text: "{\"a\\u0062\": \"|\r\n}", path: "ab", token: `"`, value: true, members: "ab"},
		{text: `]]}}|{"a":1`},
	} {
		offset := strings.IndexByte(c.text, '|')
		src := c.text[:offset] + c.text[offset+1:]
		got := newCursor([]byte(src), offset)
		want := cursor{got.path, got.start, got.end, c.key, c.value, c.colon, got.members}
		if !reflect.DeepEqual(got, want) || strings.Join(got.path, " ") != c.path || src[got.start:got.end] != c.token ||
			strings.Join(got.members, " ") != c.members {
			t.Errorf("%s: got %+v with token %q, want %+v", c.text, got, src[got.start:got.end], c)
		}
	}
}
