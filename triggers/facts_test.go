package triggers

import (
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/schema"
)

func noValues() Values { return Values{} }

// occurs checks that facts fire the triggers of want, and returns the Record.
func occurs(t *testing.T, s *Set, r Record, facts Facts, want string) Record {
	t.Helper()
	out := s.Occur(r, facts, func() Values { return Values{Layer: 2} })
	var names []string
	for _, f := range out.Firings {
		if !f.Again {
			names = append(names, f.Trigger)
		}
	}
	if got := strings.Join(names, ","); got != want {
		t.Errorf("%v fires %q, want %q", facts, got, want)
	}
	return out.Record
}

func TestFactsFireWhatUsesThemAlone(t *testing.T) {
	off := newTrigger("off", "project_changed")
	off.Enabled = false
	s := Load(append(Defaults(), newTrigger("idle", "thread_idle_days >= 7"), newTrigger("both", "project_changed AND current_layer == 2"),
		newTrigger("mixed", "project_changed AND thread_idle_days >= 1"), newTrigger("half", "1 / thread_idle_days > 0"), off))
	var r Record
	r = occurs(t, s, r, Facts{ThreadIdleDays: 7.0}, "idle,half")
	r = occurs(t, s, r, Facts{ThreadIdleDays: 7.0}, "idle,half") // another thread
	r = occurs(t, s, r, Facts{ProjectChanged: true}, "both")
	r = occurs(t, s, r, Facts{UserPrompted: true}, "")
	if out := s.Occur(r, Facts{ThreadIdleDays: 0.0}, noValues); len(out.Faults) != 1 || out.Faults[0].Trigger != "half" {
		t.Errorf("%+v", out.Faults)
	}
	out := s.Occur(r, Facts{ThreadIdleDays: 8.5}, noValues)
	if got := out.Firings[0].Reason; got != "thread_idle_days 8.5" {
		t.Errorf("reason %q", got)
	}
	// A change of the State asks none of them.
	at := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	for _, c := range []Change{{At: at}, {Now: Values{Layer: 2}, At: at}, {Now: Values{Layer: 2}, Event: Event{Command: "set"}, At: at}} {
		for _, f := range s.Fire(r, c).Firings {
			if f.Trigger == "both" || f.Trigger == "idle" {
				t.Errorf("%+v fires %s", c, f.Trigger)
			}
		}
	}
}

func TestAFactThatStaysTrueFiresOnce(t *testing.T) {
	s := Load([]schema.Trigger{newTrigger("long", "session_messages >= 3")})
	var r Record
	for n, want := range []string{"", "", "", "long", "", ""} {
		r = occurs(t, s, r, Facts{SessionMessages: float64(n)}, want)
	}
	r = s.Fire(r, Change{Now: Values{Layer: 1}}).Record // which keeps what Occur knows
	r = occurs(t, s, r, Facts{SessionMessages: 9.0}, "")
	r = occurs(t, s, r, Facts{SessionMessages: 0.0}, "") // another session
	occurs(t, s, r, Facts{SessionMessages: 4.0}, "long")
}
