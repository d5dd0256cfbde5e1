package state_test

import (
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/validate"
)

var morning = time.Date(2026, 11, 20, 9, 0, 0, 0, time.FixedZone("CET", 3600))

func TestNewStatesAreValid(t *testing.T) {
	for what, begin := range map[string]func(string, string, time.Time) ([]byte, error){"New": state.New, "NewFull": state.NewFull} {
		src, err := begin(`Ünïcode "quoted"`, "session-2026-11-20-000000", morning)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range validate.Bytes(fs.State, src, validate.Options{}) {
			t.Errorf("%s: %d:%d: %s [%s]\n%s", what, f.Line, f.Column, f.Message, f.Rule, src)
		}
		var s schema.State
		if err := jsonedit.Decode(src, &s); err != nil {
			t.Fatal(err)
		}
		if s.Project.Name != `Ünïcode "quoted"` || s.Project.CurrentLayer != 0 || s.Project.LayerName != "IDEA" || s.Project.Clarity != 0 {
			t.Errorf("%s: the project is %+v", what, s.Project)
		}
		if s.Metadata.Timestamp != "2026-11-20T08:00:00.000Z" || s.Metadata.SessionStart != s.Metadata.Timestamp {
			t.Errorf("%s: times in UTC are wanted, got %+v", what, s.Metadata)
		}
		if !strings.HasPrefix(string(src), "{\n  \"version\": ") || !strings.HasSuffix(string(src), "}\n") {
			t.Errorf("%s: not laid out as new documents are:\n%s", what, src)
		}
	}
}

// TestNewOffersWhatIsAvailable: the catalogue has nothing to add to or take
// from a new State, so the first trigger writes no more than it must.
func TestNewOffersWhatIsAvailable(t *testing.T) {
	src, err := state.New("x", "s-1", morning)
	if err != nil {
		t.Fatal(err)
	}
	offered, err := state.SetCommands(src, schema.DefaultCommands())
	if err != nil {
		t.Fatal(err)
	}
	if string(offered) != string(src) {
		t.Errorf("got\n%s\nwant\n%s", offered, src)
	}
	if !strings.Contains(string(src), `"facilitator status"`) {
		t.Errorf("no command is offered:\n%s", src)
	}
}
