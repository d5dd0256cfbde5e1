package state_test

import (
	"testing"

	"github.com/forgemind/forgemind/internal/state"
)

// at returns a State at layer 1 whose last checkpoint was at nine, with the given progress.
func at(clarity, progress string) string {
	return `{"metadata": {"timestamp": "2026-03-02T09:00:00.000Z"}, "project": {"current_layer": 1, "clarity": ` + clarity + progress + `}}`
}

func layer1(entered, clarity, best, invalidated string) string {
	return `, "progress": {"1": {"entered": "2026-03-02T0` + entered + `:00:00.000Z", "clarity": ` + clarity + `, "best": ` + best + `, "invalidated": ` + invalidated + `}}`
}

func TestEnterLayer(t *testing.T) {
	for _, c := range []struct{ what, src, want string }{
		{"entered again later, the best stays", at("30", layer1("8", "80", "80", "false")), at("30", layer1("9", "30", "80", "false"))},
		{"entered at that very time: nothing", at("30", layer1("9", "10", "10", "false")), at("30", layer1("9", "10", "10", "false"))},
		{"what was invalid is valid again", at("30", layer1("9", "10", "40", "true")), at("30", layer1("9", "30", "40", "false"))},
	} {
		if got, err := state.EnterLayer([]byte(c.src)); err != nil || string(got) != c.want {
			t.Errorf("%s: %v\ngot  %s\nwant %s", c.what, err, got, c.want)
		}
	}
}

func TestTrackProgress(t *testing.T) {
	for _, c := range []struct{ what, src, want string }{
		{"more", at("90", layer1("8", "80", "80", "false")), at("90", layer1("8", "90", "90", "false"))},
		{"less, the best stays", at("30", layer1("8", "80", "80", "true")), at("30", layer1("8", "30", "80", "true"))},
		{"as it is", at("80", layer1("8", "80", "85", "false")), at("80", layer1("8", "80", "85", "false"))},
	} {
		if got, err := state.TrackProgress([]byte(c.src)); err != nil || string(got) != c.want {
			t.Errorf("%s: %v\ngot  %s\nwant %s", c.what, err, got, c.want)
		}
	}
}

// The first record of a layer has all that is known, under both.
func TestProgressBegins(t *testing.T) {
	for what, begin := range map[string]func([]byte) ([]byte, error){"EnterLayer": state.EnterLayer, "TrackProgress": state.TrackProgress} {
		got, err := begin([]byte(at("30", "")))
		if err != nil {
			t.Fatal(err)
		}
		again, err := begin(got)
		if err != nil || string(again) != string(got) {
			t.Errorf("%s, twice: %v\n%s\n%s", what, err, got, again)
		}
		if same, err := begin([]byte(at("30", layer1("9", "30", "30", "false")))); err != nil || string(same) != at("30", layer1("9", "30", "30", "false")) {
			t.Errorf("%s: %v\n%s", what, err, same)
		}
	}
	for _, src := range []string{`{}`, `{"project": {"current_layer": 1}}`, `{"project": {"clarity": 1}}`} {
		if got, err := state.TrackProgress([]byte(src)); err != nil || string(got) != src {
			t.Errorf("%s: %v, %s", src, err, got)
		}
	}
}

func TestTrackArtifactFollowsTheLayersOwnArtifact(t *testing.T) {
	const src = `{"project": {"current_layer": 1, "clarity": 40, "current_idea": "I", "current_module": "M"},
 "loaded_artifacts": [{"id": "I", "clarity": 90}, {"id": "M", "clarity": 10}, {"id": "X"}]}`
	got, err := state.TrackArtifact([]byte(src))
	if want := change(t, src, `"clarity": 10`, `"clarity": 40`); err != nil || string(got) != want {
		t.Errorf("%v\n%s", err, got)
	}
	for what, src := range map[string]string{
		"no artifact is named":   `{"project": {"current_layer": 1, "clarity": 40}, "loaded_artifacts": [{"id": "", "clarity": 90}]}`,
		"it is not loaded":       `{"project": {"current_layer": 1, "clarity": 40, "current_module": "M"}, "loaded_artifacts": [{"id": "I"}]}`,
		"there are no artifacts": `{"project": {"current_layer": 1, "clarity": 40, "current_module": "M"}}`,
		"artifacts are no list":  `{"project": {"current_layer": 1, "clarity": 40, "current_module": "M"}, "loaded_artifacts": "M"}`,
	} {
		if got, err := state.TrackArtifact([]byte(src)); err != nil || string(got) != src {
			t.Errorf("%s: %v\n%s", what, err, got)
		}
	}
}
