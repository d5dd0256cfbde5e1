package state_test

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	forge "github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/state"
)

// past returns the text of a snapshot: a State at a layer, whose last checkpoint was on March 2 at
// the given hour.
func past(session string, hour, layer, clarity int) string {
	return fmt.Sprintf(`{"schema": "forgemind-context-v1", "metadata": {"session_id": %q, "timestamp": "2026-03-02T%02d:00:00.000Z"},
 "project": {"current_layer": %d, "clarity": %d}}`, session, hour, layer, clarity)
}

// kept returns a tree with snapshots, given as texts by id.
func kept(byID map[string]string) shelf {
	s := shelf{}
	for id, text := range byID {
		s[forge.History+"/"+id+".json"] = text
	}
	return s
}

func TestHistoryIsInOrderOfTime(t *testing.T) {
	all, err := state.History(kept(map[string]string{
		"session-a-layer-1-20260302T100000.000Z":     past("session-a", 10, 1, 5),
		"session-a-left-1-20260302T100000.000Z":      past("session-a", 10, 1, 85),
		"session-a-session_end-20260302T090000.000Z": past("session-a", 9, 0, 40),
		"session-2025-10-27-01":                      past("session-2025-10-27-01", 8, 0, 20), // the document's own form
		"session-a-by-hand-20260302T110000.000Z":     past("session-a", 11, 2, 0),
		"z-left-2-20260302T120000.000Z":              `{"project": `,
	}))
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, p := range all {
		fmt.Fprintf(&got, "%s %s %q %d %v %v\n", p.Time.Format("15"), p.Session, p.Reason, p.Layer, p.Clarity, p.Err == nil)
	}
	if want := `08 session-2025-10-27-01 "" 0 20 true
09 session-a "session_end" 0 40 true
10 session-a "layer-1" 1 5 true
10 session-a "left-1" 1 85 true
11 session-a "by-hand" 2 0 true
12 z "left-2" -1 0 false
`; got.String() != want {
		t.Errorf("got\n%swant\n%s", &got, want)
	}
	if last := all[len(all)-1]; last.ID != "z-left-2-20260302T120000.000Z" || last.Name != forge.History+"/"+last.ID+".json" {
		t.Errorf("%+v", last)
	}
}

// What cannot be gone back to is listed with its fault and stops nothing.
func TestHistoryListsWhatIsBroken(t *testing.T) {
	good := past("s", 9, 1, 50)
	for what, text := range map[string]string{
		"torn":                 good[:40],
		"empty":                "",
		"a list":               "[]",
		"another's document":   strings.Replace(good, "forgemind-context-v1", "context-v9", 1),
		"layer 6":              strings.Replace(good, `"current_layer": 1`, `"current_layer": 6`, 1),
		"half a layer":         strings.Replace(good, `"current_layer": 1`, `"current_layer": 1.5`, 1),
		"no layer":             strings.Replace(good, `"current_layer": 1,`, ``, 1),
		"a layer in words":     strings.Replace(good, `"current_layer": 1`, `"current_layer": "MODULE"`, 1),
		"too clear":            strings.Replace(good, `50`, `101`, 1),
		"no time":              strings.Replace(good, `2026-03-02T09`, `today `, 1),
		"a session that leads": strings.Replace(good, `"s"`, `"../s"`, 1),
		"a name twice":         strings.Replace(good, `"clarity": 50`, `"clarity": 50, "clarity": 60`, 1),
		"progress in words":    strings.Replace(good, `"clarity": 50`, `"clarity": 50, "progress": {"1": {"entered": "long ago"}}`, 1),
		"progress of 200 %":    strings.Replace(good, `"clarity": 50`, `"clarity": 50, "progress": {"1": {"best": 200}}`, 1),
	} {
		if text == good {
			t.Fatalf("%s: is no other text", what)
		}
		all, err := state.History(kept(map[string]string{"s-x-20260302T090000.000Z": text, "s-y-20260302T100000.000Z": good}))
		if err != nil || len(all) != 2 || all[0].Err == nil || all[1].Err != nil {
			t.Errorf("%s: %v, %+v", what, err, all)
			continue
		}
		if text := all[0].Err.Error(); strings.ContainsAny(text, "\n\x1b") || len(text) > 300 {
			t.Errorf("%s: the fault is no line: %q", what, text)
		}
	}
}

// A strict reader refuses to give one name twice.
type strict struct {
	shelf
	read map[string]bool
}

func (s strict) Read(name string) ([]byte, error) {
	if s.read[name] {
		return nil, errors.New(name + " was read before")
	}
	s.read[name] = true
	if strings.Contains(name, "locked") {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return s.shelf.Read(name)
}

func TestHistoryReadsEachOnce(t *testing.T) {
	all, err := state.History(strict{kept(map[string]string{
		"s-layer-1-20260302T090000.000Z": past("s", 9, 1, 0),
		"locked":                         past("s", 9, 1, 0),
		"s":                              past("s", 8, 0, 0),
	}), map[string]bool{}})
	if err != nil || len(all) != 3 {
		t.Fatalf("%v, %+v", err, all)
	}
	for _, p := range all {
		if locked := p.ID == "locked"; locked != errors.Is(p.Err, fs.ErrPermission) || !locked && p.Err != nil {
			t.Errorf("%+v", p)
		}
	}
}

func TestRecall(t *testing.T) {
	history := kept(map[string]string{"s-layer-1-20260302T090000.000Z": past("s", 9, 1, 7), "torn": "{"})
	p, src, err := state.Recall(history, "s-layer-1-20260302T090000.000Z")
	if err != nil || p.Err != nil || p.Clarity != 7 || string(src) != past("s", 9, 1, 7) {
		t.Errorf("%v, %+v\n%s", err, p, src)
	}
	if p, src, err := state.Recall(history, "torn"); err != nil || p.Err == nil || string(src) != "{" {
		t.Errorf("%v, %+v\n%s", err, p, src)
	}
	var unknown *state.UnknownError
	_, _, err = state.Recall(history, "../torn\x1b")
	if !errors.As(err, &unknown) || len(unknown.Known) != 2 || strings.Contains(err.Error(), "\x1b") {
		t.Errorf("%v", err)
	}
}

func TestNewest(t *testing.T) {
	for _, c := range []struct {
		what    string
		history map[string]string
		want    string // "" is none
		passed  string
	}{
		{"no history", nil, "", ""},
		{"another layer only", map[string]string{"s-layer-2-20260302T090000.000Z": past("s", 9, 2, 0)}, "", ""},
		{"the newest of several", map[string]string{
			"s-layer-1-20260302T090000.000Z": past("s", 9, 1, 0),
			"s-x-20260302T100000.000Z":       past("s", 10, 1, 0),
			"s-layer-2-20260302T110000.000Z": past("s", 11, 2, 0),
		}, "s-x-20260302T100000.000Z", ""},
		{"when it was left, rather than when it was entered", map[string]string{
			"s-layer-1-20260302T090000.000Z":   past("s", 9, 1, 0),
			"s-left-1-20260302T090000.000Z":    past("s", 9, 1, 85),
			"s-session-20260302T090000.000Z":   past("s", 9, 1, 0),
			"s-left-1-ish-20260302T090000.00Z": past("s", 7, 1, 0),
		}, "s-left-1-20260302T090000.000Z", ""},
		{"but not before what is newer", map[string]string{
			"s-left-1-20260302T090000.000Z":  past("s", 9, 1, 85),
			"t-layer-1-20260302T100000.000Z": past("t", 10, 1, 0),
		}, "t-layer-1-20260302T100000.000Z", ""},
		{"content counts, not the name", map[string]string{
			"s-layer-1-20260302T110000.000Z": past("s", 11, 3, 0),
			"s-layer-3-20260302T090000.000Z": past("s", 9, 1, 0),
		}, "s-layer-3-20260302T090000.000Z", ""},
		{"the document's own names have their time inside", map[string]string{
			"session-01":                     past("session-01", 10, 1, 0),
			"s-layer-1-20260302T090000.000Z": past("s", 9, 1, 0),
		}, "session-01", ""},
		{"what is broken is passed over", map[string]string{
			"s-left-1-20260302T120000.000Z":  past("s", 12, 1, 0)[:30],
			"s-x-20260302T110000.000Z":       past("s", 11, 1, 101),
			"s-y-20260302T103000.000Z":       past("s", 11, 2, 101), // of another layer: nobody asked
			"s-layer-1-20260302T090000.000Z": past("s", 9, 1, 0),
			"s-z-20260302T080000.000Z":       "", // older than what was found: nobody looked
		}, "s-layer-1-20260302T090000.000Z", "s-left-1-20260302T120000.000Z s-x-20260302T110000.000Z"},
	} {
		var passed []string
		history := kept(c.history)
		name, src, ok, err := state.Newest(history, 1, func(p state.SnapshotFile) { passed = append(passed, p.ID) })
		if err != nil || ok != (c.want != "") || ok && name != forge.History+"/"+c.want+".json" || strings.Join(passed, " ") != c.passed {
			t.Errorf("%s: %s, %v, %v; passed over %v", c.what, name, ok, err, passed)
		}
		if ok && string(src) != history[name] {
			t.Errorf("%s: other bytes:\n%s", c.what, src)
		}
		if again, _, _, err := state.Newest(history, 1, nil); err != nil || again != name {
			t.Errorf("%s, told nobody: %s, %v", c.what, again, err)
		}
	}
}

// What was kept when a layer was left is no transition into it.
func TestLeavingIsNotEntering(t *testing.T) {
	const src = `{"metadata": {"session_id": "x-layer-2", "timestamp": "2026-03-02T10:00:00Z"}, "project": {"current_layer": 2}}`
	if name, err := state.Snapshot([]byte(src), state.LeftReason(2)); err != nil || name != forge.History+"/x-layer-2-left-2-20260302T100000.000Z.json" {
		t.Errorf("%s, %v", name, err)
	}
	left := kept(map[string]string{"x-layer-2-left-2-20260302T090000.000Z": "{}", "x-left-2-20260302T090000.000Z": "{}"})
	if state.HasEnteredLayer(left, []byte(src)) {
		t.Error("entered by leaving")
	}
	left[forge.History+"/x-layer-2-20260302T080000.000Z.json"] = "{}"
	if !state.HasEnteredLayer(left, []byte(src)) {
		t.Error("leaving hid the entering")
	}
}

func BenchmarkHistory(b *testing.B) {
	history := shelf{}
	for n := range 10_000 {
		history[fmt.Sprintf("%s/s-x-20260302T%02d%02d%02d.000Z.json", forge.History, n/3600, n/60%60, n%60)] = past("s", 9, n%6, 50)
	}
	for b.Loop() {
		if all, err := state.History(history); err != nil || len(all) != 10_000 {
			b.Fatal(err, len(all))
		}
	}
}
