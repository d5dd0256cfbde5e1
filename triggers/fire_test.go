package triggers

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/schema"
)

// A scenario is a sequence of changes of one tree.
type scenario struct {
	t      *testing.T
	set    *Set
	record Record
	now    Values
	at     time.Time
}

func newScenario(t *testing.T, list ...schema.Trigger) *scenario {
	return &scenario{t: t, set: Load(list), at: time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)}
}

func newTrigger(name, condition string) schema.Trigger {
	return schema.Trigger{Name: name, Enabled: true, Condition: condition, Actions: []string{"curate"}}
}

func encode(t *testing.T, r Record) string {
	t.Helper()
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// change returns a change, one second after the last one, of the values that set sets.
func (s *scenario) change(set func(*Values)) Change {
	set(&s.now)
	s.at = s.at.Add(time.Second)
	return Change{Now: s.now, At: s.at}
}

// fires checks that c fires the triggers of want (names, separated by commas), and
// that the same values again fire nothing and leave the Record unchanged.
func (s *scenario) fires(c Change, want string) Outcome {
	s.t.Helper()
	before := encode(s.t, s.record)
	out := s.set.Fire(s.record, c)
	if encode(s.t, s.record) != before {
		s.t.Fatal("Fire changed its Record argument")
	}
	var names []string
	for _, f := range out.Firings {
		names = append(names, f.Trigger)
	}
	if got := strings.Join(names, ","); got != want {
		s.t.Errorf("%+v fires %q, want %q", c, got, want)
	}
	s.record = out.Record
	c.Event = Event{}
	again := s.set.Fire(s.record, c)
	if len(again.Firings) > 0 || encode(s.t, again.Record) != encode(s.t, s.record) {
		s.t.Errorf("the same values fire %v and give the Record\n%s, want\n%s",
			again.Firings, encode(s.t, again.Record), encode(s.t, s.record))
	}
	return out
}

func TestLayerTransition(t *testing.T) {
	s := newScenario(t, Defaults()...)
	s.fires(s.change(func(v *Values) { v.Layer, v.Clarity, v.Usage = 1, 75, 50 }), "") // the first values
	out := s.fires(s.change(func(v *Values) { v.Layer = 2 }), "layer_transition")
	f := out.Firings[0]
	if f.Reason != "current_layer 1 -> 2" || f.Previous.Layer != 1 || !slices.Equal(f.Actions, Defaults()[0].Actions) {
		t.Errorf("%+v", f)
	}
	s.fires(s.change(func(v *Values) { v.Status = "active" }), "")
	s.fires(s.change(func(v *Values) { v.Layer = 1 }), "layer_transition")
	s.fires(s.change(func(v *Values) { v.Layer, v.Clarity = 3, 20 }), "layer_transition,clarity_significant_change")
}

func TestClarityStepsAddUp(t *testing.T) {
	s := newScenario(t, Defaults()...)
	s.fires(s.change(func(v *Values) { v.Clarity = 70 }), "")
	for _, step := range []struct {
		clarity float64
		want    string
	}{
		{74, ""}, {79.5, ""}, {80, "clarity_significant_change"}, {89, ""}, {71, ""}, {70, "clarity_significant_change"}, {79, ""},
	} {
		s.fires(s.change(func(v *Values) { v.Clarity = step.clarity }), step.want)
	}
}

func TestUsageHysteresis(t *testing.T) {
	s := newScenario(t, newTrigger("window", "context_usage_percent > 70"))
	for _, step := range []struct {
		usage float64
		want  string
		why   string
	}{
		{60, "", "the first value"},
		{71, "window", "crosses the threshold"},
		{69, "", ""},
		{71, "", "2 above the lowest value since"},
		{73.9, "", "4.9 above it"},
		{74, "window", "5 above it"},
		{78, "", ""},
		{79, "window", "5 above 74"},
		{60, "", "after a compaction"},
		{70, "", "not above the threshold"},
		{70.5, "window", "fell to 60 and crosses the threshold"},
		{68, "", ""},
		{72.9, "", ""},
		{73.1, "window", ""},
	} {
		s.fires(s.change(func(v *Values) { v.Usage = step.usage }), step.want)
	}
}

func TestUsageBelowAThreshold(t *testing.T) {
	s := newScenario(t, newTrigger("room", "context_usage_percent < 30"))
	for _, step := range []struct {
		usage float64
		want  string
	}{{50, ""}, {29, "room"}, {31, ""}, {29, ""}, {50, ""}, {28, "room"}} {
		s.fires(s.change(func(v *Values) { v.Usage = step.usage }), step.want)
	}
}

func TestFirstChangeFiresOnlyWithBefore(t *testing.T) {
	full := Values{Layer: 2, Usage: 80}
	s := newScenario(t, Defaults()...)
	s.fires(Change{Now: full, At: s.at}, "")

	s = newScenario(t, Defaults()...)
	s.fires(Change{Before: &Values{Layer: 1, Usage: 60}, Now: full, At: s.at}, "layer_transition,context_window_threshold")

	s = newScenario(t, Defaults()...)
	s.fires(Change{Before: &Values{Layer: 2, Usage: 78}, Now: full, At: s.at}, "") // above before and after
	s.fires(Change{Before: &Values{Layer: 1, Usage: 10}, Now: full, At: s.at}, "") // the Record counts, not Before
}

func TestConditionFiresWhenItBecomesTrue(t *testing.T) {
	s := newScenario(t, newTrigger("code", "layer_name == 'CODE' AND status != 'blocked'"))
	s.fires(s.change(func(v *Values) { v.LayerName = "IDEA" }), "")
	out := s.fires(s.change(func(v *Values) { v.LayerName = "CODE" }), "code")
	if got := out.Firings[0].Reason; got != `layer_name "CODE", status ""` {
		t.Error(got)
	}
	s.fires(s.change(func(v *Values) { v.Status = "active" }), "")
	s.fires(s.change(func(v *Values) { v.Status = "blocked" }), "")
	s.fires(s.change(func(v *Values) { v.Status = "active" }), "code")
}

func TestEventsFireEachTime(t *testing.T) {
	s := newScenario(t, append(Defaults(), newTrigger("quiet", "priority != 'high'"), newTrigger("always", "priority == priority"))...)
	s.fires(s.change(func(v *Values) { v.Layer = 3 }), "")
	with := func(e Event) Change {
		c := s.change(func(*Values) {})
		c.Event = e
		return c
	}
	for range 2 {
		s.fires(with(Event{Command: "facilitator end session"}), "session_end,quiet,always")
		out := s.fires(with(Event{Message: "\x1b[2J go", Priority: "high", BossDecision: true}), "boss_major_decision,always")
		if got := out.Firings[0].Reason; got != `boss decision, priority "high"` {
			t.Error(got)
		}
		s.fires(with(Event{Message: "go", Priority: "high"}), "always")
		c := with(Event{Command: "facilitator backtrack"})
		c.Now.Layer = s.now.Layer - 1
		s.now = c.Now
		out = s.fires(c, "layer_transition,backtrack_initiated,quiet,always")
		if got := out.Firings[1].Reason; got != `command "facilitator backtrack"` {
			t.Error(got)
		}
	}
}

func TestOwnWritesSwitchTriggerOff(t *testing.T) {
	s := newScenario(t, newTrigger("ping", "current_layer != previous_layer"), newTrigger("pong", "status == 'never'"))
	flip := func(own bool) Change {
		c := s.change(func(v *Values) { v.Layer = 1 - v.Layer })
		c.Own = own
		return c
	}
	s.fires(flip(false), "")
	for range 5 {
		s.fires(flip(true), "ping")
	}
	s.fires(flip(false), "ping") // a change from outside
	for range 5 {
		s.fires(flip(true), "ping")
	}
	out := s.fires(flip(true), "")
	if !slices.Equal(out.Off, []string{"ping"}) {
		t.Fatalf("switched off: %q", out.Off)
	}
	if p, _ := s.record.Status("ping"); p.Off == nil || !p.Off.Since.Equal(s.at) || p.Off.Why == "" {
		t.Errorf("%+v", p)
	}
	if out := s.fires(flip(true), ""); out.Off != nil {
		t.Error("the switch-off is reported twice")
	}
	s.fires(flip(false), "") // off until Enable
	s.record = s.record.Enable("ping")
	s.fires(flip(false), "")
	s.fires(flip(false), "ping")
}

func TestSlowOwnWritesKeepTriggerOn(t *testing.T) {
	s := newScenario(t, newTrigger("ping", "current_layer != previous_layer"))
	s.fires(s.change(func(*Values) {}), "")
	for range 20 {
		c := s.change(func(v *Values) { v.Layer = 1 - v.Layer })
		s.at = s.at.Add(1100 * time.Millisecond)
		c.At, c.Own = s.at, true
		s.fires(c, "ping")
	}
}

func TestConfigurationChanges(t *testing.T) {
	layer, clarity := Defaults()[0], Defaults()[1]
	s := newScenario(t, layer, clarity)
	s.fires(s.change(func(v *Values) { v.Layer, v.Clarity = 1, 50 }), "")
	s.fires(s.change(func(v *Values) { v.Clarity = 55 }), "")

	clarity.Condition = "abs(current_clarity - previous_clarity) >= 5"
	s.set = Load([]schema.Trigger{layer, clarity})
	s.fires(s.change(func(*Values) {}), "") // a new condition does not fire by itself
	s.fires(s.change(func(v *Values) { v.Clarity = 60 }), "clarity_significant_change")

	layer.Enabled = false
	s.set = Load([]schema.Trigger{layer, clarity})
	s.fires(s.change(func(v *Values) { v.Layer = 4 }), "")
	if _, ok := s.record.Status("layer_transition"); !ok {
		t.Error("the Record lacks a disabled trigger")
	}
	layer.Enabled = true
	s.set = Load([]schema.Trigger{layer, clarity})
	s.fires(s.change(func(*Values) {}), "") // nor does enabling the trigger
	s.fires(s.change(func(v *Values) { v.Layer = 3 }), "layer_transition")

	s.set = Load([]schema.Trigger{clarity})
	s.fires(s.change(func(v *Values) { v.Layer = 2 }), "")
	if len(s.record.Triggers) != 1 {
		t.Errorf("the Record has a removed trigger: %+v", s.record)
	}
}

func TestFaultsAndDuplicateNames(t *testing.T) {
	s := newScenario(t,
		newTrigger("half", "1 / current_layer > 0"),
		newTrigger("bad", "launch()"),
		newTrigger("twice", "current_layer == 2"), newTrigger("twice", "current_layer == 3"))
	if faults := s.set.Faults(); len(faults) != 1 || faults[0].Trigger != "bad" {
		t.Errorf("%+v", faults)
	}
	out := s.fires(s.change(func(*Values) {}), "")
	if len(out.Faults) != 1 || out.Faults[0].Trigger != "half" || out.Faults[0].Err.Error() != "division by zero" {
		t.Errorf("%+v", out.Faults)
	}
	s.fires(s.change(func(v *Values) { v.Layer = 2 }), "half,twice")
	s.fires(s.change(func(v *Values) { v.Layer = 3 }), "")
}

func TestMaxTriggers(t *testing.T) {
	list := make([]schema.Trigger, MaxTriggers+1)
	for i := range list {
		list[i] = newTrigger(fmt.Sprint("bad-", i), "launch()")
	}
	list[MaxTriggers-1], list[MaxTriggers] = newTrigger("last", "current_layer == 2"), newTrigger("behind", "current_layer == 2")
	s := newScenario(t, Configured(schema.Config{RefreshTriggers: list})...)
	if faults := s.set.Faults(); len(faults) != MaxTriggers-1 {
		t.Errorf("got %d faults", len(faults))
	}
	s.fires(s.change(func(*Values) {}), "")
	s.fires(s.change(func(v *Values) { v.Layer = 2 }), "last")
}

func TestForce(t *testing.T) {
	s := newScenario(t, Defaults()...)
	s.fires(s.change(func(v *Values) { v.Layer, v.Clarity = 1, 50 }), "")
	c := s.change(func(v *Values) { v.Layer, v.Clarity = 2, 90 })
	firing, record, ok := s.set.Force(s.record, "layer_transition", c)
	if !ok || firing.Previous.Layer != 1 || firing.Reason != "asked for" {
		t.Errorf("%+v", firing)
	}
	s.record = record
	s.fires(c, "clarity_significant_change") // Force has recorded layer_transition
	if _, _, ok := s.set.Force(s.record, "nonsense", c); ok {
		t.Error("Force fired an unknown trigger")
	}
}

func TestRecordRoundTrip(t *testing.T) {
	s := newScenario(t, Defaults()...)
	s.fires(s.change(func(v *Values) { v.Layer, v.Usage = 1, 60.1 }), "")
	c := s.change(func(v *Values) { v.Layer, v.Usage = 2, 71 })
	c.Own = true
	s.fires(c, "layer_transition,context_window_threshold")
	var read Record
	if err := json.Unmarshal([]byte(encode(t, s.record)), &read); err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(encode(t, read)), encode(t, s.record); got != want {
		t.Errorf("%s\n%s", got, want)
	}
}

func TestEventWithoutAState(t *testing.T) {
	s := newScenario(t, Defaults()...)
	endOfSession := Change{Event: Event{Command: "facilitator end session"}, At: s.at, NoState: true}
	s.fires(endOfSession, "session_end")
	s.fires(s.change(func(v *Values) { v.Layer, v.Usage = 2, 50 }), "") // the first values
	s.fires(endOfSession, "session_end")
	s.fires(s.change(func(*Values) {}), "")
	s.fires(s.change(func(v *Values) { v.Layer = 3 }), "layer_transition")
}
