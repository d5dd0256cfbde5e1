package refresh

import (
	"errors"
	"slices"
	"testing"
	"time"
)

// A watcher that is kept from its work for long fills no log: it says why once, and
// looks again ever more seldom. What else goes wrong, or goes wrong again, it says.
func TestAWatcherThatKeepsFailingSaysSoOnce(t *testing.T) {
	var told []string
	l := &loop{tree: &Tree{edge: Edge{Now: time.Now}}, tell: func(o Occurrence) { told = append(told, o.Message) }}
	var pauses []time.Duration
	fail := func(why string) {
		l.fail(errors.New(why))
		pauses = append(pauses, l.pause/time.Second)
	}
	for range 8 {
		fail("busy")
	}
	fail("full")
	l.failure = "" // a pass went well
	fail("full")
	if want := []string{"busy", "full", "full"}; !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
	if want := []time.Duration{1, 2, 4, 8, 16, 32, 60, 60, 60, 1}; !slices.Equal(pauses, want) {
		t.Errorf("it waited %d seconds, want %d", pauses, want)
	}
}
