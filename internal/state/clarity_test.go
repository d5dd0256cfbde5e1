package state_test

import (
	"testing"

	"github.com/forgemind/forgemind/internal/state"
)

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
