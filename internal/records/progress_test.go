package records

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// back returns a change by which a project went back to an earlier layer.
func back(id, at, after, set string) Change {
	c := change(id, at, after, set)
	c.Command = schema.BacktrackCommand
	return c
}

// project returns the project with that file and those changes.
func project(t testing.TB, base string, changes ...Change) Record {
	t.Helper()
	r := Record{Kind: Project, ID: projectID}
	if base != "" {
		if err := json.Unmarshal([]byte(base), &r.Base); err != nil {
			t.Fatal(err)
		}
	}
	return r.with(changes).Derive()
}

// What was reached in each layer follows from the changes of layer and clarity.
func TestProgressFollowsFromChanges(t *testing.T) {
	const idea = `{"current_layer": 0, "clarity": 0, "status": "Not Started"}`
	for _, c := range []struct {
		name    string
		base    string
		changes []Change
		want    string // what was reached, and the status
	}{
		{"nothing moved", idea, nil, `{"status":"Not Started"}`},
		{"another member changed", idea, []Change{change("a", "2026-01-01T00:00:00Z", "", `{"current_idea":"I"}`)}, `{"status":"Not Started"}`},
		{"clarity", idea, []Change{change("a", "2026-01-01T00:00:00Z", "", `{"clarity":40}`), change("b", "2026-01-02T00:00:00Z", "a", `{"clarity":30}`)},
			`{"progress/0":{"clarity":30,"best":40,"invalidated":false},"status":"In Progress"}`},
		{"a layer is entered with the clarity of the time", idea, []Change{
			change("a", "2026-01-01T00:00:00Z", "", `{"clarity":40}`), change("b", "2026-01-02T00:00:00Z", "a", `{"current_layer":1}`), change("c", "2026-01-03T00:00:00Z", "b", `{"clarity":50}`),
		}, `{"progress/0":{"clarity":40,"best":40,"invalidated":false},"progress/1":{"entered":"2026-01-02T00:00:00Z","clarity":50,"best":50,"invalidated":false},"status":"In Progress"}`},
		{"layer and clarity at once", idea, []Change{change("a", "2026-01-01T00:00:00Z", "", `{"current_layer":1,"clarity":9}`)},
			`{"progress/1":{"entered":"2026-01-01T00:00:00Z","clarity":9,"best":9,"invalidated":false},"status":"In Progress"}`},
		{"a plain way back invalidates nothing", `{"current_layer": 1, "clarity": 60, "status": "Review"}`, []Change{change("a", "2026-01-01T00:00:00Z", "", `{"current_layer":0}`)},
			`{"progress/0":{"entered":"2026-01-01T00:00:00Z","clarity":60,"best":60,"invalidated":false},"status":"Review"}`},
		{"a backtrack returns to what was reached, and doubts what came after",
			`{"current_layer": 0, "clarity": 10, "progress/0": {"entered": "2026-01-09T00:00:00Z", "clarity": 10, "best": 70, "mine": 1}, "progress/4": {"clarity": 5}}`, []Change{
				change("a", "2026-01-01T00:00:00Z", "", `{"current_layer":1}`), change("b", "2026-01-02T00:00:00Z", "a", `{"clarity":50}`), back("c", "2026-01-03T00:00:00Z", "b", `{"current_layer":0,"clarity":10}`),
			}, `{"progress/0":{"entered":"2026-01-09T00:00:00Z","clarity":10,"best":70,"invalidated":false,"mine":1},"progress/1":{"entered":"2026-01-01T00:00:00Z","clarity":50,"best":50,"invalidated":true},` +
				`"progress/4":{"clarity":5,"best":0,"invalidated":true},"status":"In Progress"}`},
		{"a backtrack to where nothing is known", `{"current_layer": 2, "clarity": 10}`, []Change{back("a", "2026-01-01T00:00:00Z", "", `{"current_layer":1}`)},
			`{"progress/1":{"entered":"2026-01-01T00:00:00Z","clarity":10,"best":10,"invalidated":false},"progress/2":{"clarity":0,"best":0,"invalidated":true},"status":"In Progress"}`},
		{"what is in doubt is not once it is entered again", `{"current_layer": 0, "clarity": 20, "progress/1": {"entered": "2026-01-09T00:00:00Z", "clarity": 50, "best": 50, "invalidated": true}}`,
			[]Change{change("a", "2026-01-01T00:00:00Z", "", `{"current_layer":1}`)},
			`{"progress/1":{"entered":"2026-01-01T00:00:00Z","clarity":20,"best":50,"invalidated":false},"status":"In Progress"}`},
		{"what a change itself says holds, until the next", idea, []Change{
			change("a", "2026-01-01T00:00:00Z", "", `{"current_layer":1,"progress/1":{"entered":"2026-01-01T00:00:00Z","clarity":3,"best":3,"invalidated":false},"progress/0":{"clarity":7}}`),
			change("b", "2026-01-02T00:00:00Z", "a", `{"clarity":8}`),
		}, `{"progress/0":{"clarity":7},"progress/1":{"entered":"2026-01-01T00:00:00Z","clarity":8,"best":8,"invalidated":false},"status":"In Progress"}`},
		{"of concurrent changes the current layer has the clarity that holds", idea, []Change{
			change("a", "2026-01-03T00:00:00Z", "", `{"clarity":40}`), change("b", "2026-01-02T00:00:00Z", "", `{"current_layer":1}`), change("c", "2026-01-01T00:00:00Z", "a", `{"clarity":30}`), change("d", "2026-01-04T00:00:00Z", "b", `{"clarity":35}`),
		}, `{"progress/1":{"entered":"2026-01-02T00:00:00Z","clarity":35,"best":40,"invalidated":false},"status":"In Progress"}`},
		{"a word of a person's stays", `{"current_layer": 0, "clarity": 0, "status": "On hold"}`, []Change{change("a", "2026-01-01T00:00:00Z", "", `{"current_layer":2}`)},
			`{"progress/2":{"entered":"2026-01-01T00:00:00Z","clarity":0,"best":0,"invalidated":false},"status":"On hold"}`},
		{"changes alone", "", []Change{change("a", "2026-01-01T00:00:00Z", "", `{"clarity":5}`), change("b", "2026-01-02T00:00:00Z", "a", `{"current_layer":2}`)},
			`{"progress/0":{"clarity":5,"best":5,"invalidated":false},"progress/2":{"entered":"2026-01-02T00:00:00Z","clarity":5,"best":5,"invalidated":false},"status":"In Progress"}`},
		{"a change that forgets", idea, []Change{change("a", "2026-01-01T00:00:00Z", "", `{"current_layer":1}`), change("b", "2026-01-02T00:00:00Z", "a", `{"progress/1":null}`)}, `{"status":"In Progress"}`},
		{"no time, and names that are no layers", idea, []Change{change("a", "soon", "", `{"current_layer":1,"progress/01":{"best":9},"progress/x":{}}`)},
			`{"progress/1":{"clarity":0,"best":0,"invalidated":false},"status":"In Progress"}`},
		{"the layer that the project is in is in no doubt, whatever the clocks say", idea, []Change{
			change("a", "2026-01-03T00:00:00Z", "", `{"current_layer":3}`), back("c", "2026-01-01T00:00:00Z", "a", `{"current_layer":0}`), change("b", "2026-01-02T00:00:00Z", "", `{"current_layer":2}`),
		}, `{"progress/0":{"entered":"2026-01-01T00:00:00Z","clarity":0,"best":0,"invalidated":false},"progress/1":{"clarity":0,"best":0,"invalidated":true},` +
			`"progress/2":{"entered":"2026-01-02T00:00:00Z","clarity":0,"best":0,"invalidated":false},"progress/3":{"entered":"2026-01-03T00:00:00Z","clarity":0,"best":0,"invalidated":true},"status":"In Progress"}`},
		{"clarity is reached in the layer in which it was set, though another clone went back meanwhile", `{"current_layer": 1, "clarity": 50}`, []Change{
			change("a", "2026-01-01T00:00:00Z", "", `{"clarity":55}`), back("b", "2026-01-02T00:00:00Z", "a", `{"current_layer":0,"clarity":22}`),
			change("c", "2026-01-03T00:00:00Z", "a", `{"clarity":70}`), change("d", "2026-01-04T00:00:00Z", "b c", `{"clarity":23}`),
		}, `{"progress/0":{"entered":"2026-01-02T00:00:00Z","clarity":23,"best":23,"invalidated":false},"progress/1":{"clarity":70,"best":70,"invalidated":true},"status":"In Progress"}`},
		{"a status that somebody sets holds", idea, []Change{change("a", "2026-01-01T00:00:00Z", "", `{"clarity":5}`), change("b", "2026-01-02T00:00:00Z", "a", `{"status":"Not Started"}`)},
			`{"progress/0":{"clarity":5,"best":5,"invalidated":false},"status":"Not Started"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Members{}
			for name, value := range project(t, c.base, c.changes...).Members {
				if IsProgress(name) || name == "status" {
					got[name] = value
				}
			}
			text, err := json.Marshal(got)
			if err != nil {
				t.Fatal(err)
			}
			if !Same(text, json.RawMessage(c.want)) {
				t.Errorf("got  %s\nwant %s", text, c.want)
			}
		})
	}
}

// What a change is said to lead to is what it leads to once it is written.
func TestThenIsWhatTheWrittenChangeGives(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		all := []Change{}
		record := project(t, `{"current_layer": 0, "clarity": 0, "status": "Not Started", "name": "Orchard", "/role": {"mode": "x"}}`)
		for n := range rapid.IntRange(1, 8).Draw(rt, "changes") {
			set := map[string]any{}
			if rapid.Bool().Draw(rt, "moves") {
				set[Layer] = rapid.IntRange(0, 5).Draw(rt, "layer")
			}
			if rapid.Bool().Draw(rt, "clears") {
				set["clarity"] = rapid.IntRange(0, 100).Draw(rt, "clarity")
			}
			c := Change{At: schema.FormatTime(time.Date(2026, 1, 1+n, 0, 0, 0, 0, time.UTC))}
			if rapid.Bool().Draw(rt, "back") {
				c.Command = schema.BacktrackCommand
			}
			then, err := record.Then(c, set)
			if err != nil {
				rt.Fatal(err)
			}
			name, text, err := NewChange(record, c, set)
			if err != nil {
				rt.Fatal(err)
			}
			if name == "" {
				continue
			}
			written, err := decodeChange(text, name, name[len("x"):])
			if err != nil {
				rt.Fatal(err)
			}
			written.ID = string(rune('a' + n))
			written.After = nil
			if n := len(all); n > 0 {
				written.After = []string{all[n-1].ID}
			}
			all = append(all, written)
			record = project(t, string(marshalled(rt, record.Base)), slices.Clone(all)...)
			if a, b := marshalled(rt, then.Members), marshalled(rt, record.Members); string(a) != string(b) {
				rt.Fatalf("then    %s\nwritten %s", a, b)
			}
		}
	})
}

func marshalled(t *rapid.T, m Members) []byte {
	text, err := jsonedit.Value(m)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestRestored(t *testing.T) {
	for _, c := range []struct{ what, then, now, want string }{
		{"which artifacts were worked on, and the status",
			`{"status": "In Review", "current_idea": "I-1", "current_module": "M-1", "current_layer": 1}`,
			`{"status": "Stuck", "current_idea": "I-2", "current_module": "M-2", "current_domain": "D-1", "current_layer": 2}`,
			`{"status": "In Review", "current_idea": "I-1", "current_module": "M-1"}`},
		{"what was not said stays", `{"clarity": 3, "status": null}`, `{"clarity": 9, "current_idea": "I"}`, `{}`},
		{"what was not known is not known again", `{"current_module": null}`, `{"current_module": "M"}`, `{"current_module": null}`},
		{"what was reached is not its matter", `{"progress/1": {"clarity": 85}}`, `{"progress/1": {"clarity": 7}}`, `{}`},
		{"what has begun has", `{"status": "Not Started"}`, `{"status": "In Progress"}`, `{}`},
	} {
		then, err := Project.members([]byte(c.then))
		now, err2 := Project.members([]byte(c.now))
		want, err3 := Project.members([]byte(c.want))
		if err := errors.Join(err, err2, err3); err != nil {
			t.Fatal(err)
		}
		if got := now.Restored(then); !maps.EqualFunc(got, want, Same) {
			t.Errorf("%s: %s", c.what, got)
		}
	}
}
