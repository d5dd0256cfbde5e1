//go:build linux

package main

import (
	"testing"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/validate"
)

// TestCorpus holds that what is measured is what the rows say: valid States of
// 7 KB, of which a spoilt one breaks its schema and nothing else.
func TestCorpus(t *testing.T) {
	for n := range 200 {
		text, err := state(n, n%2 == 0)
		if err != nil {
			t.Fatal(err)
		}
		if size := len(text); size < stateSize*9/10 || size > stateSize*13/10 {
			t.Errorf("state %d has %d bytes", n, size)
		}
		for _, f := range validate.Bytes(snapshotName(n), text, validate.Options{}) {
			t.Errorf("state %d: %d:%d: %s [%s]", n, f.Line, f.Column, f.Message, f.Rule)
		}
		found := validate.Bytes(fs.State, spoil(text), validate.Options{})
		if len(found) != 1 || found[0].Rule != "schema" || found[0].Pointer != "/role/mode" {
			t.Errorf("state %d, spoilt: %v", n, found)
		}
	}
}

// TestFigure holds what a table says of samples and of a target.
func TestFigure(t *testing.T) {
	samples := []float64{9, 1, 5, 3, 7}
	if got := quantile(samples, 0.5); got != 5 {
		t.Errorf("median %v, want 5", got)
	}
	if got := quantile(samples, 0.99); got != 9 {
		t.Errorf("p99 %v, want 9", got)
	}
	for target, want := range map[string]bool{"<= 3": false, "<= 5": true, ">= 5": true, ">= 5.1": false, "== 5": true, "== 0": false} {
		if f := judged(Figure{Value: 5, Target: target}); f.Reached == nil || *f.Reached != want {
			t.Errorf("5 against %q: reached is not %v", target, want)
		}
	}
	if f := judged(Figure{Value: 5}); f.Reached != nil {
		t.Error("a figure without a target was judged")
	}
}
