package sync

import (
	"reflect"
	"testing"
)

func TestPlan(t *testing.T) {
	t.Parallel()
	const goal, config, about = ".forgemind/goals/goal-1.json", ".forgemind/config.json", ".forgemind/projects/api/about.md"
	for _, c := range []struct {
		name                string
		agreed, here, there Blobs
		want                Plan
	}{
		{"both have it", nil, Blobs{goal: "1"}, Blobs{goal: "1"}, Plan{}},
		{"new here", nil, Blobs{goal: "1"}, Blobs{}, Plan{Publish: []string{goal}}},
		{"new there", nil, Blobs{}, Blobs{goal: "1"}, Plan{Take: []string{goal}}},
		{"removed here", Blobs{goal: "1"}, Blobs{}, Blobs{goal: "1"}, Plan{Take: []string{goal}}},
		{"removed there", Blobs{goal: "1"}, Blobs{goal: "1"}, Blobs{}, Plan{Publish: []string{goal}}},
		{"a record with other contents", Blobs{goal: "1"}, Blobs{goal: "1"}, Blobs{goal: "2"}, Plan{Different: []string{goal}}},
		{"edited here", Blobs{config: "1"}, Blobs{config: "2"}, Blobs{config: "1"}, Plan{Publish: []string{config}}},
		{"edited there", Blobs{config: "1"}, Blobs{config: "1"}, Blobs{config: "2"}, Plan{Take: []string{config}}},
		{"edited on both sides", Blobs{about: "1"}, Blobs{about: "2"}, Blobs{about: "3"}, Plan{Merge: []string{about}}},
		{"edited alike", Blobs{about: "1"}, Blobs{about: "2"}, Blobs{about: "2"}, Plan{}},
		{"added on both sides", nil, Blobs{about: "2"}, Blobs{about: "3"}, Plan{Merge: []string{about}}},
		{"not shared", nil, Blobs{".forgemind/.local/acted.json": "1"}, Blobs{
			".forgemind/.local/acted.json": "2", ".forgemind/context/current-context.json": "2", ".forgemind/.gitattributes": "2",
			".quaid/context/sessions/s/messages.jsonl": "2", "README.md": "2",
		}, Plan{}},
	} {
		if got := makePlan(c.agreed, c.here, c.there); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestMergeJSON(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, base, ours, theirs, want, conflicts string }{
		{"each has its own", `{"a": 1}`, `{"a": 1, "b": 2}`, `{"a": 1, "c": 3}`, `{"a": 1, "b": 2, "c": 3}`, ""},
		{"they changed it", `{"a": 1}`, `{"a": 1}`, `{"a": 2}`, `{"a": 2}`, ""},
		{"they removed it", `{"a": 1, "b": 2}`, `{"a": 1, "b": 2}`, `{"b": 2}`, `{"b": 2}`, ""},
		{"we changed it", `{"a": 1}`, `{"a": 2}`, `{"a": 1}`, `{"a": 2}`, ""},
		{"we removed it", `{"a": 1}`, `{}`, `{"a": 1}`, `{}`, ""},
		{"both changed it alike", `{"a": 1}`, `{"a": 2}`, `{"a": 2.0}`, `{"a": 2}`, ""},
		{"both changed it", `{"a": 1}`, `{"a": 2}`, `{"a": 3}`, `{"a": 2}`, "/a"},
		{"inside of an object", `{"o": {"a": 1, "b": 1}}`, `{"o": {"a": 2, "b": 1}}`, `{"o": {"a": 1, "b": 2}}`, `{"o": {"a": 2, "b": 2}}`, ""},
		{"a name with a slash", `{"a/b": 1}`, `{"a/b": 1}`, `{"a/b": 2}`, `{"a/b": 2}`, ""},
	} {
		got, conflicts, ok := mergeJSON([]byte(c.base), []byte(c.ours), []byte(c.theirs))
		if !ok || string(got) != c.want || len(conflicts) > 1 || len(conflicts) == 1 && conflicts[0] != c.conflicts || len(conflicts) == 0 && c.conflicts != "" {
			t.Errorf("%s: %s %q %v, want %s %q", c.name, got, conflicts, ok, c.want, c.conflicts)
		}
	}
	if _, _, ok := mergeJSON([]byte("{}"), []byte("[]"), []byte("{}")); ok {
		t.Error("a list was merged")
	}
}
