package records

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// change returns a change from a line: id, at, the ids that it saw, and what it sets.
func change(id, at, after, set string) Change {
	c := Change{ID: id, At: at, After: strings.Fields(after)}
	if err := json.Unmarshal([]byte(set), &c.Set); err != nil {
		panic(err)
	}
	return c
}

func TestFold(t *testing.T) {
	base := Members{"id": json.RawMessage(`"Q-1"`), "question": json.RawMessage(`"Which?"`), "context": json.RawMessage(`"why"`)}
	for _, c := range []struct {
		name       string
		changes    []Change
		want       string
		concurrent string
		heads      string
	}{
		{"no change", nil, `{"context":"why","id":"Q-1","question":"Which?"}`, "", "[]"},
		{"what a change saw does not hold, whatever the clocks say", []Change{
			change("a", "2026-01-01T00:10:00Z", "", `{"context":"first"}`),
			change("b", "2026-01-01T00:00:00Z", "a", `{"context":"second"}`),
		}, `{"context":"second","id":"Q-1","question":"Which?"}`, "", "[b]"},
		{"through another that set something else", []Change{
			change("a", "2026-01-01T00:10:00Z", "", `{"context":"first"}`),
			change("b", "2026-01-01T00:00:00Z", "a", `{"priority":"high"}`),
			change("c", "2026-01-01T00:00:00Z", "b", `{"context":"third"}`),
		}, `{"context":"third","id":"Q-1","priority":"high","question":"Which?"}`, "", "[c]"},
		{"of concurrent texts the latest holds", []Change{
			change("a", "2026-01-01T00:10:00Z", "", `{"context":"late"}`),
			change("b", "2026-01-01T00:00:00Z", "", `{"context":"early","priority":"low"}`),
		}, `{"context":"late","id":"Q-1","priority":"low","question":"Which?"}`, "context: b a", "[a b]"},
		{"of concurrent statuses the last of the table holds", []Change{
			change("a", "2026-01-01T00:10:00Z", "", `{"status":"in-progress"}`),
			change("b", "2026-01-01T00:00:00Z", "", `{"status":"answered"}`),
		}, `{"context":"why","id":"Q-1","question":"Which?","status":"answered"}`, "status: a b", "[a b]"},
		{"concurrent sets are united", []Change{
			change("a", "2026-01-01T00:10:00Z", "", `{"blocking":["ACT-1","ACT-2"]}`),
			change("b", "2026-01-01T00:00:00Z", "", `{"blocking":["ACT-2","ACT-3"]}`),
		}, `{"blocking":["ACT-2","ACT-3","ACT-1"],"context":"why","id":"Q-1","question":"Which?"}`, "", "[a b]"},
		{"null removes a member", []Change{change("a", "", "", `{"context":null}`)}, `{"id":"Q-1","question":"Which?"}`, "", "[a]"},
		{"equal values are no difference", []Change{
			change("a", "2026-01-01T00:00:00Z", "", `{"context":"x"}`), change("b", "", "", `{"context":"x"}`),
		}, `{"context":"x","id":"Q-1","question":"Which?"}`, "", "[a b]"},
		{"a change whose parent is missing counts", []Change{change("a", "", "gone", `{"context":"x"}`)}, `{"context":"x","id":"Q-1","question":"Which?"}`, "", "[a]"},
		{"changes that name each other", []Change{
			change("a", "2026-01-01T00:00:00Z", "b", `{"context":"x"}`), change("b", "2026-01-02T00:00:00Z", "a", `{"context":"y"}`),
		}, `{"context":"y","id":"Q-1","question":"Which?"}`, "", "[]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := Fold(Question, base, c.changes)
			got, err := json.Marshal(s.Members)
			if err != nil || string(got) != c.want {
				t.Errorf("%s, %v\nwant %s", got, err, c.want)
			}
			var concurrent []string
			for name, values := range s.Concurrent {
				line := name + ":"
				for _, v := range values {
					line += " " + v.Change
				}
				concurrent = append(concurrent, line)
			}
			if got := strings.Join(concurrent, "; "); got != c.concurrent {
				t.Errorf("concurrent %q, want %q", got, c.concurrent)
			}
			if got := fmt.Sprint(s.Heads); got != c.heads {
				t.Errorf("heads %s, want %s", got, c.heads)
			}
		})
	}
}

// The order in which files are read does not matter, and no clock can put a change
// in front of one that it saw.
func TestFoldIsAFunctionOfTheFiles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var changes []Change
		for i := range rapid.IntRange(1, 12).Draw(t, "changes") {
			c := Change{ID: fmt.Sprint("c", i), At: fmt.Sprintf("2026-01-01T00:%02d:00Z", rapid.IntRange(0, 9).Draw(t, "at"))}
			for j := range i {
				if rapid.Bool().Draw(t, "saw") {
					c.After = append(c.After, fmt.Sprint("c", j))
				}
			}
			c.Set = Members{rapid.SampledFrom([]string{"context", "status", "blocking"}).Draw(t, "member"): json.RawMessage(fmt.Sprintf(`"%d"`, i))}
			changes = append(changes, c)
		}
		want, err := json.Marshal(Fold(Question, Members{}, changes))
		if err != nil {
			t.Fatal(err)
		}
		shuffled := rapid.Permutation(changes).Draw(t, "order")
		if got, _ := json.Marshal(Fold(Question, Members{}, shuffled)); string(got) != string(want) {
			t.Fatalf("%s in the order %v, else %s", got, shuffled, want)
		}
		last := changes[len(changes)-1]
		last.ID, last.After, last.At = "last", nil, "2000-01-01T00:00:00Z"
		for _, c := range changes {
			last.After = append(last.After, c.ID)
		}
		s := Fold(Question, Members{}, append(slices.Clone(changes), last))
		for name, value := range last.Set {
			if string(s.Members[name]) != string(value) && name != "blocking" {
				t.Fatalf("%s is %s, but the last change set %s", name, s.Members[name], value)
			}
		}
	})
}
