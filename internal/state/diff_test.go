package state_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/internal/state"
)

func TestDiff(t *testing.T) {
	for _, c := range []struct{ what, a, b, want string }{
		{"nothing", `{"a": [1, {"b": null}]}`, ` {"a":[1,{"b":null}]} `, ""},
		{"what means the same", `{"a": 70000, "b": 1.50, "c": "\u0041", "d": 1, "e": 2}`, `{"c": "A", "b": 1.5, "a": 7e4, "e": 2.0, "d": 1}`, ""},
		{"a value", `{"p": {"clarity": 40, "x": 1}}`, `{"p": {"clarity": 85, "x": 1}}`, "changed /p/clarity /p/clarity 40 85"},
		{"another kind", `{"a": {"b": 1}}`, `{"a": [1]}`, `changed /a /a {"b": 1} [1]`},
		{"null is no absence", `{"a": null}`, `{"b": null}`, "removed /a /a null -\nadded /b /b - null"},
		{"in the order of the earlier, what is new at the end", `{"z": 1, "y": 1, "x": 1}`, `{"w": 2, "x": 2, "z": 2}`,
			"changed /z /z 1 2\nremoved /y /y 1 -\nchanged /x /x 1 2\nadded /w /w - 2"},
		{"records by their ids", `{"q": [{"id": "Q-1", "p": 1}, {"id": "Q-2"}, {"id": "Q-3", "p": 1}]}`, `{"q": [{"id": "Q-0"}, {"id": "Q-1", "p": 1}, {"id": "Q-3", "p": 2}]}`,
			`removed /q/1 /q/Q-2 {"id": "Q-2"} -` + "\nchanged /q/2/p /q/Q-3/p 1 2\n" + `added /q/0 /q/Q-0 - {"id": "Q-0"}`},
		{"commands by their names", `{"c": [{"command": "a b/c"}, {"command": "d"}]}`, `{"c": [{"command": "d"}]}`,
			`removed /c/0 /c/a b~1c {"command": "a b/c"} -`},
		{"another order", `{"q": [{"id": "A"}, {"id": "B"}, {"id": "C"}]}`, `{"q": [{"id": "C"}, {"id": "A"}, {"id": "X"}]}`,
			`removed /q/1 /q/B {"id": "B"} -` + "\n" + `added /q/2 /q/X - {"id": "X"}` + "\n" + `reordered /q /q ["A","C"] ["C","A"]`},
		{"records that share an id go by their places", `[{"id": "A", "n": 1}, {"id": "A", "n": 2}]`, `[{"id": "A", "n": 1}, {"id": "A", "n": 3}]`, "changed /1/n /1/n 2 3"},
		{"what has no ids goes by its place", `["a", "b", "c"]`, `["a", "x"]`, "changed /1 /1 \"b\" \"x\"\nremoved /2 /2 \"c\" -"},
		{"names that a pointer escapes", `{"a/b": {"~": 1}}`, `{"a/b": {"~": 2}}`, "changed /a~1b/~0 /a~1b/~0 1 2"},
		{"numbers beyond a float", `[9007199254740993, 1e400, 0.5]`, `[9007199254740992, 1e400, 0.25]`,
			"changed /0 /0 9007199254740993 9007199254740992\nchanged /2 /2 0.5 0.25"},
		{"the whole", `1`, `"1"`, `changed   1 "1"`},
	} {
		found, err := state.Diff([]byte(c.a), []byte(c.b))
		if err != nil {
			t.Fatal(err)
		}
		var lines []string
		for _, d := range found {
			lines = append(lines, fmt.Sprintf("%s %s %s %s %s", d.Kind, d.Pointer, d.Path, orDash(d.Before), orDash(d.After)))
		}
		if got := strings.Join(lines, "\n"); got != c.want {
			t.Errorf("%s:\ngot\n%s\nwant\n%s", c.what, got, c.want)
		}
	}
	for _, pair := range [][2]string{{"{", "{}"}, {"{}", ""}} {
		if found, err := state.Diff([]byte(pair[0]), []byte(pair[1])); err == nil {
			t.Errorf("%q: %+v", pair, found)
		}
	}
}

func orDash(value []byte) string {
	if value == nil {
		return "-"
	}
	return string(value)
}
