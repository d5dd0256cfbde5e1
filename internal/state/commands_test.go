package state_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/schema"
)

// catalogue has one command of each availability.
var catalogue = []schema.Command{
	{Command: "status", Description: "d", Availability: "always"},
	{Command: "clarify", Description: "d", Availability: "when_clarity_below_90"},
	{Command: "backtrack", Description: "d", Availability: "when_layer_above_0"},
	{Command: "update", Description: "d", Availability: "when_idea_loaded"},
	{Command: "dance", Description: "d", Availability: "on_sundays"},
}

func TestOfferListsWhatIsAvailable(t *testing.T) {
	for _, c := range []struct{ what, project, artifacts, listed, want string }{
		{"at the beginning", `"current_layer": 0, "clarity": 0`, ``, ``, "status clarify dance"},
		{"at the bound it is no longer below", `"current_layer": 0, "clarity": 90`, ``, ``, "status dance"},
		{"above layer 0", `"current_layer": 1, "clarity": 90`, ``, ``, "status backtrack dance"},
		{"an idea is loaded", `"current_layer": 0, "clarity": 90`, `{"type": "idea", "loaded": true}`, ``, "status update dance"},
		{"an idea is there, not loaded", `"current_layer": 0, "clarity": 90`, `{"type": "idea", "loaded": false}, {"type": "module", "loaded": true}`, ``, "status dance"},
		{"a person's own stays, and the order", `"current_layer": 0, "clarity": 90`, ``,
			`{"command": "backtrack"}, {"command": "ours"}, {"command": "status"}, {"command": "clarify"}, {"note": 1}`, "ours status dance"},
		{"nothing is known of the project", ``, ``, `{"command": "clarify"}, {"command": "backtrack"}`, "status dance"},
	} {
		src := `{"project": {` + c.project + `}, "loaded_artifacts": [` + c.artifacts + `], "available_commands": [` + c.listed + `]}`
		got, err := state.SetCommands([]byte(src), catalogue)
		if err != nil {
			t.Fatal(err)
		}
		if names := offered(got); names != c.want {
			t.Errorf("%s: %q, want %q\n%s", c.what, names, c.want, got)
		}
		if again, err := state.SetCommands(got, catalogue); err != nil || string(again) != string(got) {
			t.Errorf("%s, twice: %v\n%s", c.what, err, again)
		}
	}
}

func TestAvailableSaysWhy(t *testing.T) {
	const src = `{"project": {"current_layer": 0, "clarity": 92.5}, "loaded_artifacts": [{"type": "module", "loaded": true}]}`
	for _, c := range []struct {
		availability string
		ok           bool
		why          string
	}{
		{"always", true, "it is always available"},
		{"when_clarity_below_90", false, "the clarity is 92.5"},
		{"when_layer_above_0", false, "the layer is 0"},
		{"when_idea_loaded", false, `no artifact of type "idea" is loaded`},
		{"when_module_loaded", true, `an artifact of type "module" is loaded`},
		{"on_sundays", true, "it is always available"},
	} {
		if ok, why, err := state.Available([]byte(src), c.availability); ok != c.ok || why != c.why || err != nil {
			t.Errorf("%s: %v, %s, %v", c.availability, ok, why, err)
		}
	}
	if ok, why, err := state.Available([]byte(`{}`), "when_layer_above_0"); ok || why != "the State does not say the layer" || err != nil {
		t.Errorf("%v, %s, %v", ok, why, err)
	}
}

func TestOfferLeavesOtherStatesAlone(t *testing.T) {
	for _, src := range []string{`{}`, `{"available_commands": null}`, `{"available_commands": {"command": "status"}}`} {
		if got, err := state.SetCommands([]byte(src), catalogue); err != nil || string(got) != src {
			t.Errorf("%s: %v, %s", src, err, got)
		}
	}
}

// offered lists the commands of a State as they stand.
func offered(src []byte) string {
	var names []string
	for _, m := range regexp.MustCompile(`"command": ?"([^"]*)"`).FindAllSubmatch(src, -1) {
		names = append(names, string(m[1]))
	}
	return strings.Join(names, " ")
}
