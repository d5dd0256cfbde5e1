package engine_test

import (
	"testing"

	names "github.com/forgemind/forgemind/fs"
)

func TestMissingFieldIsReportedAndTheRoundGoesOn(t *testing.T) {
	t.Parallel()
	h := build(t)
	h.look()
	h.save(names.State, `"mode": "Boss Mode"`, `"motto": "none"`)
	h.save(names.State, `"current_layer": 0`, `"current_layer": 1`)
	if got := fired(h.look()); got != "layer_transition" {
		t.Errorf("fired %q", got)
	}
}

func TestStateThatDoesNotSayItsLayerFiresNothing(t *testing.T) {
	t.Parallel()
	h := build(t)
	h.layer(2)
	h.save(names.State, `"current_layer": 2,`, ``)
	if got := fired(h.look()); got != "" {
		t.Errorf("fired %q", got)
	}
}
