package state_test

import (
	"strings"
	"testing"

	"github.com/forgemind/forgemind/internal/state"
)

// byHand is a State as a person lays it out: mixed indentation, CRLF here and
// there, members that forgemind does not know, no newline at the end.
const byHand = "{ \"notes\":[1,2 , 3],\r\n" +
	"\t\"project\" : {\"current_layer\": 1 , \"layer_name\":\"MODULE\",\r\n" +
	"      \"clarity\":  85.50, \"weather\": \"rain\" },\r\n" +
	"  \"context_window\": {\"total_tokens\": 1000, \"used_tokens\": 100,\n" +
	"   \"usage_percent\": 10, \"available_tokens\": 900, \"compaction_threshold_percent\": 70, \"needs_compaction\": false}}"

// An edit is a change of the bytes of a State.
type edit = func([]byte) ([]byte, error)

// change is a replacement of a text that stands once.
func change(t *testing.T, src, old, new string) string {
	t.Helper()
	if strings.Count(src, old) != 1 {
		t.Fatalf("%q stands %d times in\n%s", old, strings.Count(src, old), src)
	}
	return strings.Replace(src, old, new, 1)
}

func TestEditsChangeTheirValueAndNothingElse(t *testing.T) {
	set := func(pointer, text string) edit {
		return func(src []byte) ([]byte, error) { return state.Set(src, pointer, text) }
	}
	for _, c := range []struct {
		what     string
		edit     edit
		old, new []string // what is replaced by what
	}{
		{"a number in parts", set("/project/clarity", "7.5"), []string{`85.50`}, []string{`7.5`}},
		{"the same number, written otherwise", set("/project/clarity", "85.5"), nil, nil},
		{"a text", set("/project/weather", "sun"), []string{`"rain"`}, []string{`"sun"`}},
		{"a text that JSON would take for none", set("/project/weather", "sun & rain"), []string{`"rain"`}, []string{`"sun & rain"`}},
		{"a number", set("/project/weather", "12"), []string{`"rain"`}, []string{`12`}},
		{"a text in quotes", set("/project/weather", `"12"`), []string{`"rain"`}, []string{`"12"`}},
		{"a list's entry", set("/notes/1", "null"), []string{`,2 ,`}, []string{`,null ,`}},
		{"the same value", set("/project/weather", "rain"), nil, nil},
		{"used tokens, with what follows from them", set("/context_window/used_tokens", "755"),
			[]string{`"used_tokens": 100`, `"usage_percent": 10`, `900`, `false`}, []string{`"used_tokens": 755`, `"usage_percent": 75.5`, `245`, `true`}},
		{"a threshold, with what follows from it", set("/context_window/compaction_threshold_percent", "10"),
			[]string{`70`, `false`}, []string{`10`, `true`}},
	} {
		want := byHand
		for i := range c.old {
			want = change(t, want, c.old[i], c.new[i])
		}
		got, err := c.edit([]byte(byHand))
		if err != nil || string(got) != want {
			t.Errorf("%s: %v\ngot  %q\nwant %q", c.what, err, got, want)
		}
		again, err := c.edit(got)
		if err != nil || string(again) != string(got) {
			t.Errorf("%s, twice: %v\n%q", c.what, err, again)
		}
	}
}

func TestSetAddsWhatIsNotThere(t *testing.T) {
	got, err := state.Set([]byte("{\n  \"a\": 1\n}\n"), "/b/c", "x")
	if err != nil {
		t.Fatal(err)
	}
	if value, err := state.Set(got, "/b/c", "x"); err != nil || string(value) != string(got) || !strings.Contains(string(got), `"c": "x"`) {
		t.Errorf("%v\n%s\n%s", err, got, value)
	}
}

func TestEditsRefuse(t *testing.T) {
	for what, edit := range map[string]edit{
		"no pointer":      func(src []byte) ([]byte, error) { return state.Set(src, "project", "1") },
		"below a text":    func(src []byte) ([]byte, error) { return state.Set(src, "/project/weather/x", "1") },
		"beyond the list": func(src []byte) ([]byte, error) { return state.Set(src, "/notes/9", "1") },
	} {
		if got, err := edit([]byte(byHand)); err == nil {
			t.Errorf("%s: got %s", what, got)
		}
	}
	for what, edit := range map[string]edit{
		"Mend": state.MendWindow, "Artifact": state.TrackArtifact,
		"Name":  state.NameLayer,
		"Offer": func(src []byte) ([]byte, error) { return state.Offer(src, nil) },
	} {
		for _, src := range []string{"", "{", `{"a": 1, "a": 2,}`} {
			if got, err := edit([]byte(src)); err == nil {
				t.Errorf("%s of %q: got %q", what, src, got)
			}
		}
	}
}

func TestMendWindow(t *testing.T) {
	for _, c := range []struct{ what, src, want string }{
		{"one decimal at most",
			`{"context_window": {"total_tokens": 3000, "used_tokens": 1000, "usage_percent": 0}}`,
			`{"context_window": {"total_tokens": 3000, "used_tokens": 1000, "usage_percent": 33.3}}`},
		{"what is not there is not added",
			`{"context_window": {"total_tokens": 10, "used_tokens": 9}}`,
			`{"context_window": {"total_tokens": 10, "used_tokens": 9}}`},
		{"at the threshold it is needed",
			`{"context_window": {"total_tokens": 10, "used_tokens": 7, "compaction_threshold_percent": 70, "needs_compaction": false}}`,
			`{"context_window": {"total_tokens": 10, "used_tokens": 7, "compaction_threshold_percent": 70, "needs_compaction": true}}`},
		{"a window of nothing stays",
			`{"context_window": {"total_tokens": 0, "used_tokens": 7, "usage_percent": 3}}`,
			`{"context_window": {"total_tokens": 0, "used_tokens": 7, "usage_percent": 3}}`},
		{"figures that are none stay",
			`{"context_window": {"total_tokens": "10", "used_tokens": 7, "usage_percent": 3}}`,
			`{"context_window": {"total_tokens": "10", "used_tokens": 7, "usage_percent": 3}}`},
		{"an overfull window has less than nothing left",
			`{"context_window": {"total_tokens": 10, "used_tokens": 12, "available_tokens": 0}}`,
			`{"context_window": {"total_tokens": 10, "used_tokens": 12, "available_tokens": -2}}`},
	} {
		if got, err := state.MendWindow([]byte(c.src)); err != nil || string(got) != c.want {
			t.Errorf("%s: %v\ngot  %s\nwant %s", c.what, err, got, c.want)
		}
	}
}

func TestSetThresholds(t *testing.T) {
	for _, c := range []struct{ what, src, want string }{
		{"with what follows from them",
			`{"context_window": {"total_tokens": 10, "used_tokens": 6, "compaction_threshold_percent": 70, "emergency_threshold_percent": 90, "needs_compaction": false}}`,
			`{"context_window": {"total_tokens": 10, "used_tokens": 6, "compaction_threshold_percent": 50, "emergency_threshold_percent": 85, "needs_compaction": true}}`},
		{"what agrees stays as it is written",
			`{"context_window": {"total_tokens": 10, "used_tokens": 6, "compaction_threshold_percent": 50.0, "emergency_threshold_percent": 85, "needs_compaction": false}}`,
			`{"context_window": {"total_tokens": 10, "used_tokens": 6, "compaction_threshold_percent": 50.0, "emergency_threshold_percent": 85, "needs_compaction": false}}`},
		{"what is not there is not added", `{"context_window": {"total_tokens": 10}}`, `{"context_window": {"total_tokens": 10}}`},
	} {
		if got, err := state.SetThresholds([]byte(c.src), 50, 85); err != nil || string(got) != c.want {
			t.Errorf("%s: %v\ngot  %s\nwant %s", c.what, err, got, c.want)
		}
	}
}
