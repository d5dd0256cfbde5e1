package jsonedit

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

type editCase struct {
	name   string
	before string
	do     string // set, insert, append, delete
	at     string
	value  string
	after  string
}

func (s editCase) apply(t *testing.T) ([]byte, []byte, error) {
	t.Helper()
	src := []byte(s.before)
	var out []byte
	var err error
	switch s.do {
	case "set":
		out, err = Set(src, s.at, []byte(s.value))
	case "insert":
		out, err = Insert(src, s.at, []byte(s.value))
	case "append":
		out, err = Append(src, s.at, []byte(s.value))
	case "delete":
		out, err = Delete(src, s.at)
	default:
		t.Fatalf("no such edit: %q", s.do)
	}
	if string(src) != s.before {
		t.Fatalf("the edit modified its argument:\n%s", src)
	}
	return src, out, err
}

func lines(s ...string) string { return strings.Join(s, "\n") + "\n" }

var editCases = []editCase{
	// A scalar changes its own bytes.
	{"a number, tabs and a blank line stay", "{\n\t\"a\" :1,\n\n\t\"b\": [ 2,3 ]\n}", "set", "/b/1", "30", "{\n\t\"a\" :1,\n\n\t\"b\": [ 2,30 ]\n}"},
	{"CRLF and the missing final newline stay", "{\r\n  \"a\": 1,\r\n  \"b\": 2\r\n}", "set", "/a", `"x"`, "{\r\n  \"a\": \"x\",\r\n  \"b\": 2\r\n}"},
	{"the root", " 1 \n", "set", "", "2", " 2 \n"},
	{"escaped names in the pointer", `{"a/b":{"m~n":1}}`, "set", "/a~1b/m~0n", "2", `{"a/b":{"m~n":2}}`},
	{"escaped names in the text", `{"\u0061":1}`, "set", "/a", "2", `{"\u0061":2}`},
	{"the spelling of the new value stays", `[1]`, "set", "/0", ` "\u00e9" `, `["\u00e9"]`},

	// A new member is formatted like the one before it.
	{"a member on its own line", lines("{", `  "a": 1`, "}"), "set", "/b", "2", lines("{", `  "a": 1,`, `  "b": 2`, "}")},
	{"with tabs", "{\n\t\"a\":1\n}", "set", "/b", "2", "{\n\t\"a\":1,\n\t\"b\":2\n}"},
	{"with CRLF", "{\r\n  \"a\": 1\r\n}\r\n", "set", "/b", "2", "{\r\n  \"a\": 1,\r\n  \"b\": 2\r\n}\r\n"},
	{"with mixed indentation, like the member before it", "{\n  \"a\": 1,\n\t\"b\": 2\n}", "set", "/c", "3", "{\n  \"a\": 1,\n\t\"b\": 2,\n\t\"c\": 3\n}"},
	{"with blank lines between", lines("{", `  "a": 1,`, "", `  "b": 2`, "}"), "set", "/c", "3", lines("{", `  "a": 1,`, "", `  "b": 2,`, "", `  "c": 3`, "}")},
	{"a blank line at the top is not copied", lines("{", "", `  "a": 1`, "}"), "set", "/b", "2", lines("{", "", `  "a": 1,`, `  "b": 2`, "}")},
	{"with commas at the front", lines(`{ "a": 1`, `, "b": 2`, "}"), "set", "/c", "3", lines(`{ "a": 1`, `, "b": 2`, `, "c": 3`, "}")},
	{"on one line", `{"a": 1, "b": 2}`, "set", "/c", "3", `{"a": 1, "b": 2, "c": 3}`},
	{"on one line, tight", `{"a":1}`, "set", "/b", "2", `{"a":1,"b":2}`},
	{"on one line, padded", `{ "a" : 1 }`, "set", "/b", "2", `{ "a" : 1, "b" : 2 }`},
	{"in a tight array", `{"a":[1]}`, "append", "/a", "2", `{"a":[1,2]}`},
	{"the colon of the member before it", "{\n  \"a\" : 1,\n  \"b\":2\n}", "set", "/c", "3", "{\n  \"a\" : 1,\n  \"b\":2,\n  \"c\":3\n}"},
	{"a name that needs quoting", `{"a":1}`, "set", `/"\`, "2", `{"a":1,"\"\\":2}`},
	{"a member called -", `{"a":1}`, "set", "/-", "2", `{"a":1,"-":2}`},

	// Elements.
	{"after the last", lines("[", "  1", "]"), "set", "/-", "2", lines("[", "  1,", "  2", "]")},
	{"before the first", lines("[", "  1,", "  2", "]"), "insert", "/0", "0", lines("[", "  0,", "  1,", "  2", "]")},
	{"before the only one", lines("[", "  1", "]"), "insert", "/0", "0", lines("[", "  0,", "  1", "]")},
	{"before the first, one line", `[1, 2]`, "insert", "/0", "0", `[0, 1, 2]`},
	{"before the first, commas at the front", "[ 1\n, 2\n]", "insert", "/0", "0", "[ 0\n, 1\n, 2\n]"},
	{"in the middle", `[1,  3]`, "insert", "/1", "2", `[1,  2,  3]`},
	{"at the length", `[1, 2]`, "insert", "/2", "3", `[1, 2, 3]`},
	{"into an empty array", `[]`, "insert", "/0", "1", "[\n  1\n]"},

	// Empty containers.
	{"an empty document", "{}\n", "set", "/a", "1", lines("{", `  "a": 1`, "}")},
	{"an empty object with the document's step", "{\n    \"a\": {}\n}", "set", "/a/b", "1", "{\n    \"a\": {\n        \"b\": 1\n    }\n}"},
	{"an empty array with tabs and CRLF", "{\r\n\t\"a\": [ ]\r\n}", "append", "/a", "1", "{\r\n\t\"a\": [\r\n\t\t1\r\n\t]\r\n}"},
	{"an empty object on its parent's line", `{"a": {}, "b": 1}`, "set", "/a/b", "1", `{"a": {"b": 1}, "b": 1}`},
	{"tight", `{"a":{},"b":1}`, "set", "/a/b", "1", `{"a":{"b":1},"b":1}`},
	{"an array whose sibling is on one line", lines("{", `  "a": ["x", "y"],`, `  "b": []`, "}"), "append", "/b", `"z"`, lines("{", `  "a": ["x", "y"],`, `  "b": ["z"]`, "}")},
	{"an array of objects whose sibling is on one line", lines("{", `  "a": ["x", "y"],`, `  "b": []`, "}"), "append", "/b", `{"z":[1]}`,
		lines("{", `  "a": ["x", "y"],`, `  "b": [`, "    {", `      "z": [`, "        1", "      ]", "    }", "  ]", "}")},

	// Missing parents.
	{"missing parent objects", lines("{", `  "a": 1`, "}"), "set", "/b/c/d", "2", lines("{", `  "a": 1,`, `  "b": {`, `    "c": {`, `      "d": 2`, "    }", "  }", "}")},
	{"on one line", `{"a": 1}`, "set", "/b/c", "2", `{"a": 1, "b": {"c": 2}}`},
	{"an array", `{"a": 1}`, "append", "/b", "2", `{"a": 1, "b": [2]}`},
	{"an object in a new element", `{"a": [{"b": 1}]}`, "set", "/a/-/b", "2", `{"a": [{"b": 1}, {"b": 2}]}`},

	// Containers are formatted like their siblings.
	{"an object, its array on one line", lines("[", "  {", `    "id": 1,`, `    "tags": ["a", "b"]`, "  }", "]"), "append", "", `{"id":2,"tags":["c","d"],"more":["e"]}`,
		lines("[", "  {", `    "id": 1,`, `    "tags": ["a", "b"]`, "  },", "  {", `    "id": 2,`, `    "tags": ["c", "d"],`, `    "more": ["e"]`, "  }", "]")},
	{"objects on one line each", lines("[", `  { "id": 1 },`, `  { "id": 2 }`, "]"), "append", "", `{"id":3}`, lines("[", `  { "id": 1 },`, `  { "id": 2 },`, `  { "id": 3 }`, "]")},
	{"brackets that hug", lines("[{", `  "id": 1`, "}, {", `  "id": 2`, "}]"), "append", "", `{"id":3}`, lines("[{", `  "id": 1`, "}, {", `  "id": 2`, "}, {", `  "id": 3`, "}]")},
	{"a first object in a long document", lines("{", `  "a": 1`, "}"), "set", "/b", `{"c":{},"d":[]}`, lines("{", `  "a": 1,`, `  "b": {`, `    "c": {},`, `    "d": []`, "  }", "}")},
	{"replaced, like itself", lines("{", `  "a": [1, 2],`, `  "b": [`, "    1", "  ]", "}"), "set", "/a", "[1,2,3]", lines("{", `  "a": [1, 2, 3],`, `  "b": [`, "    1", "  ]", "}")},
	{"replaced with an empty one", lines("{", `  "a": [`, "    1", "  ]", "}"), "set", "/a", "[ ]", lines("{", `  "a": []`, "}")},

	{"an array like the one with the same name", lines("[", "  {", `    "tags": ["a"],`, `    "steps": [`, "      1", "    ]", "  }", "]"), "append", "", `{"steps":[2],"tags":["b"]}`,
		lines("[", "  {", `    "tags": ["a"],`, `    "steps": [`, "      1", "    ]", "  },", "  {", `    "steps": [`, "      2", "    ],", `    "tags": ["b"]`, "  }", "]")},
	{"like the one before it", lines("[", `  {"a": 1},`, "  {", `    "a": 2`, "  }", "]"), "insert", "/1", `{"a":0}`, lines("[", `  {"a": 1},`, `  {"a": 0},`, "  {", `    "a": 2`, "  }", "]")},
	{"like the one after it", lines("[", `  {"a": 1},`, "  {", `    "a": 2`, "  }", "]"), "insert", "/0", `{"a":0}`, lines("[", `  {"a": 0},`, `  {"a": 1},`, "  {", `    "a": 2`, "  }", "]")},

	// Equal values stay.
	{"a number in another form", `{"a":95.0}`, "set", "/a", "95", `{"a":95.0}`},
	{"with an exponent", `{"a":70000}`, "set", "/a", "7e4", `{"a":70000}`},
	{"a string in another form", `{"a":"\u0041\/"}`, "set", "/a", `"A/"`, `{"a":"\u0041\/"}`},
	{"members in another order", `{"a":{"x":1,"y":[2]}}`, "set", "/a", `{"y":[2.0],"x":1}`, `{"a":{"x":1,"y":[2]}}`},

	// Delete.
	{"the first line", lines("{", `  "a": 1,`, `  "b": 2`, "}"), "delete", "/a", "", lines("{", `  "b": 2`, "}")},
	{"the last line", lines("{", `  "a": 1,`, `  "b": 2`, "}"), "delete", "/b", "", lines("{", `  "a": 1`, "}")},
	{"a line in the middle, CRLF", "[\r\n  1,\r\n  2,\r\n  3\r\n]", "delete", "/1", "", "[\r\n  1,\r\n  3\r\n]"},
	{"the other elements keep their indentation", "[\n  1,\n\t2,\n    3\n]", "delete", "/0", "", "[\n\t2,\n    3\n]"},
	{"the other elements keep their indentation, middle", "[\n  1,\n\t2,\n    3\n]", "delete", "/1", "", "[\n  1,\n    3\n]"},
	{"the only one", lines("{", `  "a": {`, `    "b": 1`, "  }", "}"), "delete", "/a/b", "", lines("{", `  "a": {}`, "}")},
	{"on one line, first", `[1, 2, 3]`, "delete", "/0", "", `[2, 3]`},
	{"on one line, middle", `[1, 2, 3]`, "delete", "/1", "", `[1, 3]`},
	{"on one line, last", `[ 1, 2, 3 ]`, "delete", "/2", "", `[ 1, 2 ]`},
	{"its blank line goes with it", lines("[", "  1,", "", "  2,", "  3", "]"), "delete", "/1", "", lines("[", "  1,", "  3", "]")},
	{"commas at the front, the first element on its own line", "[\n  1\n, 2\n]", "delete", "/0", "", "[\n  2\n]"},
	{"a name that is duplicate in another object", `{"b":{"a":1,"a":2},"a":3}`, "delete", "/a", "", `{"b":{"a":1,"a":2}}`},
	{"commas at the front", "[ 1\n, 2\n, 3\n]", "delete", "/0", "", "[ 2\n, 3\n]"},
	{"a whole object", lines("[", "  {", `    "a": 1`, "  },", "  2", "]"), "delete", "/0", "", lines("[", "  2", "]")},
}

func TestEdits(t *testing.T) {
	for _, s := range editCases {
		t.Run(s.do+": "+s.name, func(t *testing.T) {
			src, out, err := s.apply(t)
			if err != nil {
				t.Fatal(err)
			}
			if string(out) != s.after {
				t.Errorf("before\n%s\nafter\n%s\nwant\n%s", s.before, out, s.after)
			}
			if same := s.before == s.after; same != (&src[0] == &out[0]) {
				t.Errorf("returned src itself: %v, want %v", !same, same)
			}
		})
	}
}

func TestRefusedEdits(t *testing.T) {
	for _, s := range []editCase{
		{"no such element", `{"a":[1,2]}`, "set", "/a/2", "1", `at "/a/2": the array at "/a" has 2 elements: index "2" is out of range`},
		{"not an index", `[1]`, "set", "/01", "1", `at "/01": "01" is not an index of an array`},
		{"into a string", `{"a":"x"}`, "set", "/a/b", "1", `at "/a/b": an object or array is needed at "/a", not a string`},
		{"a broken pointer", `{}`, "set", "a", "1", `at "a": a JSON pointer is empty or begins with /, and has ~ only as ~0 or ~1`},
		{"a broken escape", `{}`, "set", "/~2", "1", `at "/~2": a JSON pointer is empty or begins with /, and has ~ only as ~0 or ~1`},
		{"a duplicate parent", "{\"a\":{},\n\"a\":{}}", "set", "/a/b", "1", `at "/a/b": duplicate member "a", again on line 2: remove one of them first`},
		{"a duplicate member", `{"a":1,"\u0061":2}`, "delete", "/a", "", `at "/a": duplicate member "a", again on line 1: remove one of them first`},
		{"a duplicate member in the value", `{}`, "set", "/a", `{"b":1,"b":1}`, `at "/a": the new value has the member "b" twice`},
		{"a broken value", `{}`, "set", "/a", `{`, `at "/a": the new value is not JSON: expected a member name in double quotes or '}' after '{', found the end of the text; the object that begins on line 1 is not closed (at byte 1)`},
		{"a broken text", `{,}`, "set", "/a", `1`, `at "/a": the document is not JSON: expected a member name in double quotes or '}' after '{', found ',' (at byte 1)`},
		{"append to an object", `{"a":{}}`, "append", "/a", "1", `at "/a": an array is needed here, not an object`},
		{"insert into an object", `{"a":{}}`, "insert", "/a/b", "1", `at "/a/b": an array is needed here, not an object`},
		{"insert beyond the end", `[1]`, "insert", "/2", "1", `at "/2": the array has 1 elements: index "2" is out of range`},
		{"insert at the root", `[1]`, "insert", "", "1", `insert needs the pointer of an array's element`},
		{"delete a missing member", `{"a":1}`, "delete", "/b", "", `at "/b": no such member or element: "b"`},
		{"delete the end", `[1]`, "delete", "/-", "", `at "/-": no such member or element: "-"`},
		{"delete the document", `[1]`, "delete", "", "", `the whole document is not a member or element`},
		{"control characters", `{"a":1}`, "delete", "/\x1b[2J", "", `at "/\x1b[2J": no such member or element: "\x1b[2J"`},
		{"a name that is not UTF-8", `{"a":1}`, "set", "/\xff", "1", `at "/\xff": the name "\xff" is not UTF-8`},
		{"too deep", strings.Repeat("[", MaxDepth) + strings.Repeat("]", MaxDepth), "set", strings.Repeat("/0", MaxDepth-1) + "/-", "[1]",
			`at "/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0…": the changed document cannot be parsed: arrays and objects are nested more than 128 deep`},
	} {
		t.Run(s.do+": "+s.name, func(t *testing.T) {
			_, out, err := s.apply(t)
			var refused *PointerError
			if !errors.As(err, &refused) || refused.Pointer != s.at || out != nil {
				t.Fatalf("got %q and %v; want a *PointerError", out, err)
			}
			if got := err.Error(); got != s.after && !strings.HasPrefix(got, s.after+" (at byte") {
				t.Errorf("got  %s\nwant %s", got, s.after)
			}
		})
	}
}

// Append formats a decision like the three before it and adds a comma to the line
// before it. Delete restores the text.
func TestAppendDecision(t *testing.T) {
	src := exampleState(t)
	out, err := Append(src, "/recent_decisions", []byte(`{"id":"DEC-004","impact":["a","b"],"immutable":true}`))
	if err != nil {
		t.Fatal(err)
	}
	added := lines("    },", "    {", `      "id": "DEC-004",`, `      "impact": ["a", "b"],`, `      "immutable": true`, "    }", "  ],")
	at := bytes.Index(src, []byte("    }\n  ],\n\n  \"pending_actions\""))
	want := string(src[:at]) + added + string(src[at+len("    }\n  ],\n"):])
	if string(out) != want {
		t.Errorf("got\n%s", out)
	}
	back, err := Delete(out, "/recent_decisions/3")
	if err != nil || !bytes.Equal(back, src) {
		t.Errorf("deleting it again gives %v\n%s", err, back)
	}
}
