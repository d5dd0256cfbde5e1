package jsonedit

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// hours implements the interfaces of encoding/json, as the types of package schema do.
type hours struct{ n int }

func (h hours) MarshalJSON() ([]byte, error) { return fmt.Appendf(nil, `"%dh"`, h.n), nil }

func (h *hours) UnmarshalJSON(src []byte) error {
	_, err := fmt.Sscanf(string(src), `"%dh"`, &h.n)
	return err
}

type note struct {
	Path  string          `json:"path"`
	Tags  []string        `json:"tags"`
	Sizes map[string]int  `json:"sizes"`
	For   hours           `json:"for"`
	At    time.Time       `json:"at,omitzero"`
	Left  string          `json:"left,omitempty"`
	Rest  json.RawMessage `json:"rest,omitempty"`
}

func TestMarshal(t *testing.T) {
	n := note{Path: "a<b>&é\u2028", Sizes: map[string]int{"z": 1, "a": 2, "m": 3}, For: hours{3}, Rest: json.RawMessage(`{"x":[1]}`)}
	want := lines("{", `  "path": "a<b>&é`+"\u2028"+`",`, `  "tags": [],`, `  "sizes": {`, `    "a": 2,`, `    "m": 3,`, `    "z": 1`, "  },", `  "for": "3h",`,
		`  "rest": {`, `    "x": [`, "      1", "    ]", "  }", "}")
	if got, err := Marshal(n); err != nil || string(got) != want {
		t.Errorf("got %s, %v\nwant %s", got, err, want)
	}
	compact, err := Value(n)
	if want := `{"path":"a<b>&é` + "\u2028" + `","tags":[],"sizes":{"a":2,"m":3,"z":1},"for":"3h","rest":{"x":[1]}}`; err != nil || string(compact) != want {
		t.Errorf("got %s, %v", compact, err)
	}
	many := map[string]int{"h": 1, "g": 1, "f": 1, "e": 1, "d": 1, "c": 1, "b": 1, "a": 1}
	if got, err := Value(many); err != nil || string(got) != `{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1}` {
		t.Errorf("unsorted map: %s, %v", got, err)
	}
	if got, err := Marshal(many); err != nil || string(got) != lines("{", `  "a": 1,`, `  "b": 1,`, `  "c": 1,`, `  "d": 1,`, `  "e": 1,`, `  "f": 1,`, `  "g": 1,`, `  "h": 1`, "}") {
		t.Errorf("unsorted map: %s, %v", got, err)
	}
	if out, err := Value(map[string]any{"a": make(chan int)}); err == nil || len(out) > 0 {
		t.Errorf("channel: got %s, want an error", out)
	}
	if out, err := Marshal("\xff"); err == nil || len(out) > 0 {
		t.Errorf("invalid UTF-8: got %s, want an error", out)
	}
}

func TestDecode(t *testing.T) {
	var n note
	err := Decode([]byte(` {"PATH":"no","path":"yes","for":"12h","unknown":{"x":1},"tags":null} `), &n)
	if err == nil {
		err = Decode([]byte(`{"sizes":{"a":7e4,"b":-2.0,"c":null}}`), &n)
	}
	if n.Sizes["a"] != 70000 || n.Sizes["b"] != -2 || n.Sizes["c"] != 0 {
		t.Errorf("sizes %v", n.Sizes)
	}
	if err != nil || n.Path != "yes" || n.For.n != 12 || n.Tags != nil {
		t.Errorf("%+v, %v", n, err)
	}
	for _, c := range []struct{ src, pointer, msg string }{
		{`{"tags":["a",1]}`, "/tags/1", `as a string`},
		{`{"sizes":{"a":1.5}}`, "/sizes/a", "1.5"},
		{`{"sizes":{"a":1e3000000}}`, "/sizes/a", "1e3000000"},
		{`{"sizes":{"a":"5"}}`, "/sizes/a", `as an integer: "\"5\"" is not an integer`},
		{`{"for":"soon"}`, "/for", "expected integer"},
		{`{"path":"a","path":"b"}`, "/path", "duplicate member"},
		{`{"path":"` + "\xff" + `"}`, "/path", "UTF-8"},
		{`{"path":`, "/path", "expected a value"},
		{``, "", "empty text"},
	} {
		err := Decode([]byte(c.src), new(note))
		var wrong *PointerError
		if !errors.As(err, &wrong) || wrong.Pointer != c.pointer || !strings.Contains(wrong.Msg, c.msg) {
			t.Errorf("%q: %#v; want %s at %s", c.src, err, c.msg, c.pointer)
		}
	}
}
