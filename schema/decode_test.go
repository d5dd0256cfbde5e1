package schema_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

func read[T any](t *testing.T, text string) T {
	t.Helper()
	var v T
	if err := jsonedit.Decode([]byte(text), &v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

func wrote(t *testing.T, v any, want string) {
	t.Helper()
	if got, err := jsonedit.Value(v); err != nil || string(got) != want {
		t.Errorf("written as %s, %v, want %s", got, err, want)
	}
}

func TestIntegersInEveryWritingOfThem(t *testing.T) {
	for text, want := range map[string]schema.Int{
		"70000": 70000, "70000.0": 70000, "7e4": 70000, "7.0E+4": 70000, "700000e-1": 70000, "-0": 0, "-3": -3, "null": 0,
		"9007199254740991": 1<<53 - 1,
	} {
		if got := read[schema.Int](t, text); got != want {
			t.Errorf("%s: got %d", text, got)
		}
	}
	for _, text := range []string{"0.5", "1e-1", "9007199254740993", "1e300", "1e3000000", `"7"`, "[]"} {
		var n schema.Int
		if err := jsonedit.Decode([]byte(text), &n); err == nil {
			t.Errorf("%s is taken for %d", text, n)
		}
	}
}

func TestOneOrSeveralIDs(t *testing.T) {
	for _, c := range []struct {
		text string
		want schema.IDs
		back string
	}{
		{`"DEC-1"`, schema.IDs{"DEC-1"}, `"DEC-1"`},
		{`["DEC-1"]`, schema.IDs{"DEC-1"}, `"DEC-1"`},
		{`["DEC-1","DEC-2"]`, schema.IDs{"DEC-1", "DEC-2"}, `["DEC-1","DEC-2"]`},
		{`[]`, schema.IDs{}, `[]`},
		{`null`, nil, `[]`},
	} {
		got := read[schema.IDs](t, c.text)
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %#v", c.text, got)
		}
		wrote(t, got, c.back)
	}
}

func TestBothShapesOfAHotContext(t *testing.T) {
	for _, text := range []string{
		`{"goal": "g", "id": "goal-1", "parent_goal_id": null}`,
		`{"description": "g", "goal_id": "goal-1"}`,
		`{"goal": "g", "description": "more of it", "id": "goal-1", "goal_id": "other"}`,
	} {
		got := read[schema.Goal](t, text)
		if want := (schema.Goal{ID: "goal-1", Goal: "g"}); got != want {
			t.Errorf("%s: got %+v", text, got)
		}
		wrote(t, got, `{"id":"goal-1","goal":"g"}`)
	}
	for _, text := range []string{
		`{"decision": "d", "id": "DEC-1", "supersedes": "DEC-0", "agent": "a"}`,
		`{"description": "d", "decision_id": "DEC-1", "supersedes": ["DEC-0"], "agent": "a"}`,
	} {
		got := read[schema.KeyDecision](t, text)
		if got.ID != "DEC-1" || got.Decision != "d" {
			t.Errorf("%s: got %+v", text, got)
		}
		wrote(t, got, `{"id":"DEC-1","decision":"d","agent":"a","supersedes":"DEC-0"}`)
		if r := got.Record(); r.ID != "DEC-1" || r.Decision != "d" || !r.Immutable || r.RecordedBy != "a" || len(r.Supersedes) != 1 {
			t.Errorf("as a record: %+v", r)
		}
	}
}

func TestTextOrObject(t *testing.T) {
	zero := schema.Int(0)
	for _, c := range []struct {
		text string
		want any
		back string
	}{
		{`"do"`, schema.Action{Action: "do"}, `"do"`},
		{`{"action": "do"}`, schema.Action{Action: "do"}, `"do"`},
		{`{"action": "do", "layer": 0}`, schema.Action{Action: "do", Layer: &zero}, `{"action":"do","layer":0}`},
		{`{"action": "do", "id": "ACT-1", "blocked_by": null}`, schema.Action{Action: "do", ID: "ACT-1"}, `{"id":"ACT-1","action":"do"}`},
		{`{"action": "do", "blocked_by": "a word"}`, schema.Action{Action: "do", BlockedBy: schema.IDs{"a word"}}, `{"action":"do","blocked_by":"a word"}`},
		{`"keep"`, schema.Constraint{Constraint: "keep"}, `"keep"`},
		{`"salt"`, schema.Note{Note: "salt"}, `"salt"`},
		{`{"constraint": "keep", "id": "c"}`, schema.Constraint{Constraint: "keep", ID: "c"}, `{"id":"c","constraint":"keep"}`},
		{`"a <b> & \"c\""`, schema.Constraint{Constraint: `a <b> & "c"`}, `"a <b> & \"c\""`},
	} {
		v := reflect.New(reflect.TypeOf(c.want))
		if err := jsonedit.Decode([]byte(c.text), v.Interface()); err != nil || !reflect.DeepEqual(v.Elem().Interface(), c.want) {
			t.Errorf("%s: got %+v, %v", c.text, v.Elem(), err)
		}
		wrote(t, c.want, c.back)
	}
}

func TestBothSpellingsOfAMessage(t *testing.T) {
	for _, text := range []string{
		`{"msg_id": "m", "timestamp": "2026-11-20T09:30:00Z", "content": "c", "metadata": {"a":1}}`,
		`{"id": "m", "ts": "2026-11-20T09:30:00Z", "content": "c", "metadata": {"a":1}}`,
		`{"msg_id": null, "id": "m", "ts": "2026-11-20T09:30:00Z", "content": "c", "metadata": {"a":1}, "CONTENT": "no"}`,
	} {
		wrote(t, read[schema.Message](t, text), `{"msg_id":"m","timestamp":"2026-11-20T09:30:00Z","content":"c","metadata":{"a":1}}`)
	}
}

// Member names are case-sensitive, and repeated ones are refused, also in types with
// their own UnmarshalJSON.
func TestNamesAreExact(t *testing.T) {
	if got := read[schema.Goal](t, `{"goal": "g", "Status": "x", "ID": "y"}`); got != (schema.Goal{Goal: "g"}) {
		t.Errorf("got %+v", got)
	}
	for _, text := range []string{`{"goal": "a", "goal": "b"}`, "{\"goal\": \"\xff\"}", `{"goal": 7}`, `7`, `{"goal": "a"`} {
		var g schema.Goal
		if err := jsonedit.Decode([]byte(text), &g); err == nil {
			t.Errorf("%q is taken for %+v", text, g)
		}
	}
}

func TestATriggerIsEnabledUnlessItSaysOtherwise(t *testing.T) {
	for text, want := range map[string]bool{`{}`: true, `{"enabled": null}`: true, `{"enabled": true}`: true, `{"enabled": false}`: false} {
		if got := read[schema.Trigger](t, text); got.Enabled != want {
			t.Errorf("%s: %v", text, got.Enabled)
		}
	}
}

func TestWhatTheStateLacksIsSeen(t *testing.T) {
	s := read[schema.State](t, `{"project": {}, "recent_decisions": []}`)
	if s.Metadata != nil || s.Project == nil || s.RecentDecisions == nil || s.OpenQuestions != nil {
		t.Errorf("got %+v", s)
	}
}

func TestPolicies(t *testing.T) {
	for _, c := range []struct {
		given                 *schema.Compaction
		policy                string
		compaction, emergency float64
	}{
		{nil, "forgemind", 70, 90},
		{&schema.Compaction{}, "forgemind", 70, 90},
		{&schema.Compaction{Policy: "unheard of"}, "forgemind", 70, 90},
		{&schema.Compaction{Policy: "quaid"}, "quaid", 80, 80},
		{&schema.Compaction{Policy: "memfas"}, "memfas", 50, 85},
		{&schema.Compaction{Thresholds: &schema.Thresholds{Medium: 60, HardLimit: 10}}, "forgemind", 60, 90},
	} {
		policy, thresholds := c.given.Resolve()
		compaction, emergency := thresholds.Window()
		if policy != c.policy || compaction != c.compaction || emergency != c.emergency {
			t.Errorf("%+v: got %s %v %v", c.given, policy, compaction, emergency)
		}
	}
	_, changed := (&schema.Compaction{Policy: "quaid", Thresholds: &schema.Thresholds{SummaryMessages: 20}}).Resolve()
	if got := fmt.Sprint(changed.SummaryMessages, changed.ClusterMessages, changed.ArchiveMessages); got != "20 50 100" {
		t.Error(got)
	}
}

// Each call returns new defaults: changing the result does not affect later calls.
func TestDefaultsAreFresh(t *testing.T) {
	for _, get := range []func() any{
		func() any { return schema.DefaultBosses() },
		func() any { return schema.DefaultDecisionPhrases() },
		func() any { return schema.DefaultPaths() },
		func() any { return schema.DefaultCommands() },
		func() any { return schema.LayerNames() },
		func() any { return schema.Names() },
	} {
		v := reflect.ValueOf(get())
		first := fmt.Sprint(v.Index(0))
		v.Index(0).SetZero()
		if again := fmt.Sprint(reflect.ValueOf(get()).Index(0)); again != first {
			t.Errorf("%q became %q", first, again)
		}
	}
}
