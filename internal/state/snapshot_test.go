package state_test

import (
	iofs "io/fs"
	"iter"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/schema"
)

// A shelf is a tree in memory: contents by name.
type shelf map[string]string

func (s shelf) Read(name string) ([]byte, error) {
	text, ok := s[name]
	if !ok {
		return nil, &iofs.PathError{Op: "open", Path: name, Err: iofs.ErrNotExist}
	}
	return []byte(text), nil
}

func (s shelf) Names(dir string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, name := range slices.Sorted(maps.Keys(s)) {
			if strings.HasPrefix(name, dir+"/") && !yield(name, nil) {
				return
			}
		}
	}
}

func TestSnapshotIsNamedAfterTheState(t *testing.T) {
	const src = `{"metadata": {"session_id": "session-2026-03-02-01", "timestamp": "2026-03-02T10:00:00.5+01:00"}}`
	for reason, want := range map[string]string{
		state.LayerReason(2):         "layer-2",
		"session_end":                "session_end",
		`../..\x: "évening"?`:        ".._.._x____vening__",
		"":                           "",
		strings.Repeat("long", 1000): strings.Repeat("long", 15),
	} {
		want = fs.History + "/session-2026-03-02-01-" + want + "-20260302T090000.500Z.json"
		got, err := state.Snapshot([]byte(src), reason)
		if err != nil || got != want {
			t.Errorf("%q: %v\ngot  %s\nwant %s", reason, err, got, want)
		}
		if fs.Place(got) != fs.DocSnapshot {
			t.Errorf("%q: %s is no place of a snapshot", reason, got)
		}
	}
	for _, src := range []string{`{}`, `{`,
		`{"metadata": {"session_id": "../x", "timestamp": "2026-03-02T09:00:00Z"}}`,
		`{"metadata": {"session_id": "x", "timestamp": "today"}}`,
	} {
		if got, err := state.Snapshot([]byte(src), "x"); err == nil {
			t.Errorf("%s: got %s", src, got)
		}
	}
}

// A State that came with its transition is known by history; one whose layer
// somebody changed is not.
func TestEntered(t *testing.T) {
	const began, nine, ten = "2026-03-02T08:00:00Z", "2026-03-02T09:00:00Z", "2026-03-02T10:00:00.000Z"
	layers := func(names ...string) shelf {
		s := shelf{}
		for _, name := range names {
			s[fs.History+"/"+name+".json"] = "{}"
		}
		return s
	}
	for _, c := range []struct {
		what    string
		history shelf
		layer   string
		at      string
		want    bool
	}{
		{"at its own checkpoint", layers("s-layer-1-20260302T090000.000Z"), "1", nine, true},
		{"a later checkpoint in the layer", layers("s-layer-1-20260302T090000.000Z", "s-session_end-20260302T100000.000Z"), "1", ten, true},
		{"the last of several", layers("s-layer-1-20260302T085900.000Z", "s-layer-2-20260302T090000.000Z"), "2", nine, true},
		{"an earlier session's", layers("r-layer-2-20260301T090000.000Z"), "2", nine, true},
		{"an older State, beside what is younger", layers("s-layer-1-20260302T090000.000Z", "s-layer-2-20260302T100000.000Z"), "1", nine, true},
		{"an editor went on", layers("s-layer-1-20260302T090000.000Z"), "2", nine, false},
		{"an editor went back", layers("s-layer-1-20260302T085900.000Z", "s-layer-2-20260302T090000.000Z"), "1", nine, false},
		{"a layer without history", layers(), "1", nine, false},
		{"where the session began", layers(), "0", began, true},
		{"back to layer 0, unrecorded", layers(), "0", nine, false},
		{"what only looks like a transition", layers("s-layer-x-20260302T090000.000Z", "s-2-20260302T090000.000Z"), "2", nine, false},
	} {
		src := `{"metadata": {"session_id": "s", "session_start": "` + began + `", "timestamp": "` + c.at + `"}, "project": {"current_layer": ` + c.layer + `}}`
		if got := state.HasEnteredLayer(c.history, []byte(src)); got != c.want {
			t.Errorf("%s: got %v", c.what, got)
		}
	}
	for _, src := range []string{`{`, `{}`, `{"project": {"current_layer": 1}}`} {
		if state.HasEnteredLayer(layers("s-layer-1-20260302T090000.000Z"), []byte(src)) {
			t.Errorf("%s: entered", src)
		}
	}
}

func TestKeptIsAboutEveryByte(t *testing.T) {
	const src = `{"metadata": {"session_id": "s", "timestamp": "2026-03-02T09:00:00Z"}}`
	held := shelf{
		fs.History + "/s-layer-1-20260302T080000.000Z.json":     src, // another time
		fs.History + "/s-session_end-20260302T090000.000Z.json": src + "\n",
	}
	if kept, err := state.Kept(held, []byte(src)); err != nil || kept {
		t.Errorf("%v, %v", kept, err)
	}
	held[fs.History+"/s-layer-1-20260302T090000.000Z.json"] = src
	if kept, err := state.Kept(held, []byte(src)); err != nil || !kept {
		t.Errorf("%v, %v", kept, err)
	}
	if _, err := state.Kept(held, []byte(`{}`)); err == nil {
		t.Error("a State without session and time was looked for")
	}
}

func TestCheckpoint(t *testing.T) {
	const src = `{"metadata": {"timestamp": "2026-11-20T07:00:00Z", "session_start": "2026-11-20T07:30:30Z", "last_updated_by": "Ana"},
 "session_stats": {"commands_executed": 4, "messages_exchanged": 9}}`
	got, err := state.Checkpoint([]byte(src), state.Counters{Commands: 2}, morning, "")
	want := `{"metadata": {"timestamp": "2026-11-20T08:00:00.000Z", "session_start": "2026-11-20T07:30:30Z", "last_updated_by": "Ana", "session_duration_minutes": 29},
 "session_stats": {"commands_executed": 6, "messages_exchanged": 9}}`
	if err != nil || string(got) != want {
		t.Errorf("%v\ngot  %s\nwant %s", err, got, want)
	}
	got, err = state.Checkpoint([]byte(src), state.Counters{Decisions: 1, Files: 2, Messages: 1, Errors: 5}.Plus(state.Counters{Files: 1, Clarifications: 6}), morning, "Bo")
	for _, part := range []string{`"messages_exchanged": 10`, `"clarifications_made": 6`, `"errors_encountered": 5`, `"last_updated_by": "Bo"`, `"decisions_recorded": 1`, `"files_updated": 3`, `"commands_executed": 4`} {
		if err != nil || !strings.Contains(string(got), part) {
			t.Errorf("%s is missing: %v\n%s", part, err, got)
		}
	}
	// A session that starts later than now has no duration yet.
	if got, err := state.Checkpoint([]byte(`{"metadata": {"session_start": "2027-01-01T00:00:00Z"}}`), state.Counters{}, morning, ""); err != nil || strings.Contains(string(got), "duration") || strings.Contains(string(got), "stats") {
		t.Errorf("%v\n%s", err, got)
	}
}

func TestCountersThatCannotBeReadAreNone(t *testing.T) {
	name := fs.LocalName(fs.Forgemind, fs.CountersFile)
	if c := state.ReadCounters(shelf{name: `{"commands_executed": 3, "files_updated": 1}`}); c != (state.Counters{Commands: 3, Files: 1}) {
		t.Errorf("%+v", c)
	}
	for _, text := range []string{"", "{", `{"commands_executed": 3, "files_updated": "1"}`} {
		if c := state.ReadCounters(shelf{name: text}); !c.IsZero() {
			t.Errorf("%q: %+v", text, c)
		}
	}
	if !state.ReadCounters(shelf{}).IsZero() {
		t.Error("no counters are some")
	}
}

func TestSummaryName(t *testing.T) {
	for _, c := range []struct {
		about schema.Metadata
		want  string
	}{
		{schema.Metadata{SessionID: "session-2025-10-27-01", SessionStart: "2025-10-27T09:00:00Z"}, "2025-10-27-session-01-summary.md"},
		{schema.Metadata{SessionID: "conv-7f3k2q", SessionStart: "2025-10-28T00:30:00+01:00"}, "2025-10-27-session-7f3k2q-summary.md"},
		{schema.Metadata{SessionID: "x", Timestamp: "2025-10-27T09:00:00Z"}, "2025-10-27-session-x-summary.md"},
		{schema.Metadata{SessionID: "x"}, ""},
		{schema.Metadata{SessionID: "../x", Timestamp: "2025-10-27T09:00:00Z"}, ""},
		{schema.Metadata{Timestamp: "2025-10-27T09:00:00Z"}, ""},
	} {
		got, err := state.SummaryName(schema.State{Metadata: &c.about})
		if (err != nil) != (c.want == "") || c.want != "" && got != fs.Summaries+"/"+c.want {
			t.Errorf("%+v: %s, %v", c.about, got, err)
		}
	}
	if _, err := state.SummaryName(schema.State{}); err == nil {
		t.Error("a State without metadata has a summary's name")
	}
}
