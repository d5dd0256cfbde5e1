package compact

import (
	"strings"
	"testing"

	"github.com/forgemind/forgemind/schema"
)

func TestStrategies(t *testing.T) {
	for _, c := range []struct {
		story    string
		strategy string
		used     int
		level    string
		kept     string // before the last ten
		dropped  string
	}{
		{"psd waits for 70 %", PSD, 699, "", "m0 m1 m2 m3 m4 m5 m6 m7 m8 m9 m10 m11", ""},
		{"psd keeps decisions and what is open", PSD, 700, "medium", "m5 m11", "m2 m7"},
		{"a session summary keeps changes of the layer too", SessionSummary, 700, "medium", "m5 m6 m11", "m2 m7"},
		{"below 50 % nothing is done", Adaptive, 499, "", "m0 m1 m2 m3 m4 m5 m6 m7 m8 m9 m10 m11", ""},
		{"from 50 % old tool outputs leave", Adaptive, 500, "light", "m0 m1 m3 m4 m5 m6 m8 m9 m10 m11", "m2 m7"},
		{"where that is not enough, clarifications leave as well", Adaptive, 590, "medium", "m0 m1 m5 m6 m8 m9 m10 m11", "m2 m7"},
		{"and then the middle, but not what is important", Adaptive, 640, "aggressive", "m5 m6 m9 m11", "m2 m7"},
	} {
		t.Run(c.story, func(t *testing.T) {
			s := working()
			p := Make(s, options(c.strategy, c.used))
			if p.Level != c.level {
				t.Errorf("level %q, want %q; %v", p.Level, c.level, p.Notes)
			}
			if got, want := kept(p), c.kept+" "+lastTen; got != want {
				t.Errorf("kept    %s\nwant    %s", got, want)
			}
			if got := verdicts(p, Dropped); got != c.dropped {
				t.Errorf("dropped %s, want %s", got, c.dropped)
			}
			if p.Alert != "" {
				t.Errorf("an alert below the emergency band: %s", p.Alert)
			}
			if c.level == "" && (len(p.Notes) == 0 || p.Summary != "" || p.TokensAfter != p.TokensBefore || p.Ratio != 1) {
				t.Errorf("nothing is done, but %+v", p)
			}
		})
	}
}

// Where artifacts alone keep usage high, no level is taken for another.
func TestEachBandTakesItsOwnSteps(t *testing.T) {
	for _, c := range []struct {
		usage int
		level string
		kept  string
	}{
		{69, "light", "m0 m1 m3 m4 m5 m6 m8 m9 m10 m11"},
		{70, "medium", "m0 m1 m5 m6 m8 m9 m10 m11"},
		{79, "medium", "m0 m1 m5 m6 m8 m9 m10 m11"},
		{80, "aggressive", "m5 m6 m9 m11"},
		{89, "aggressive", "m5 m6 m9 m11"},
		{90, "emergency", "m5 m6 m11"},
	} {
		o := options(Adaptive, 0)
		s := working()
		o.Window, o.Used = 10000, 100*c.usage
		p := Make(s, o)
		if p.Level != c.level || kept(p) != c.kept+" "+lastTen {
			t.Errorf("%d %%: %s %s\nwant %s %s", c.usage, p.Level, kept(p), c.level, c.kept)
		}
		if (p.Alert != "") != (c.usage >= 90) {
			t.Errorf("%d %%: alert %q", c.usage, p.Alert)
		}
		if len(p.Notes) != 1 || !strings.Contains(p.Notes[0], "unload artifacts") {
			t.Errorf("%d %%: it does not say why usage stays high: %q", c.usage, p.Notes)
		}
	}
}

func TestThresholdsAreThePolicys(t *testing.T) {
	o := options(Adaptive, 400)
	if p := Make(working(), o); !p.Empty() {
		t.Error("forgemind compacts at 40 %")
	}
	o.Thresholds = schema.Policies()[schema.PolicyMemfas]
	if p := Make(working(), o); p.Empty() || p.Level != "light" {
		t.Errorf("memfas at 40 %%: %q %q", p.Level, p.Notes)
	}
}

func TestNothingFiresAgainWithinFivePoints(t *testing.T) {
	for _, strategy := range []string{PSD, SessionSummary, Adaptive} {
		o := options(strategy, 7490)
		o.Window, o.Floor = 10000, 70
		if p := Make(working(), o); !p.Empty() || !strings.Contains(strings.Join(p.Notes, ""), "ended at 70 %") {
			t.Errorf("%s fires 4.9 points above the last end: %q", strategy, p.Notes)
		}
		o.Used = 7500
		if p := Make(working(), o); p.Empty() {
			t.Errorf("%s does not fire 5 points above: %q", strategy, p.Notes)
		}
		o.Used, o.Force = 7100, true
		if p := Make(working(), o); p.Empty() {
			t.Errorf("%s cannot be forced: %q", strategy, p.Notes)
		}
	}
}

func TestAnUnknownWindowNeedsForceOrABudget(t *testing.T) {
	o := options(PSD, 0)
	o.Window = 0
	if p := Make(working(), o); !p.Empty() || len(p.Notes) == 0 {
		t.Errorf("it acts on nothing: %+v", p)
	}
	o.Force = true
	if p := Make(working(), o); p.Empty() {
		t.Errorf("it cannot be forced: %q", p.Notes)
	}
}

func TestWhatMakesNothingSmallerIsNotDone(t *testing.T) {
	var s scene
	for range 13 {
		s.agent("ok")
	}
	o := options(PSD, 0)
	o.Force = true
	if p := Make(s, o); !p.Empty() || len(p.Notes) != 1 || p.Summary != "" || p.Level != "" {
		t.Errorf("three words are summarised: %+v", p)
	}
	if p := Make(s[:10], o); !p.Empty() || len(p.Notes) != 1 {
		t.Errorf("the last ten leave: %+v", p)
	}
	if p := Make(nil, o); !p.Empty() || len(p.Notes) != 1 {
		t.Errorf("an empty conversation: %+v", p)
	}
	o.Strategy = "magic"
	if p := Make(working(), o); !p.Empty() || len(p.Notes) != 1 {
		t.Errorf("an unknown strategy: %+v", p)
	}
}

func TestStoredCountsAreBelieved(t *testing.T) {
	counted := 0
	o := options(PSD, 0)
	o.Count = func(text string) int { counted++; return byWords(text) }
	m := schema.Message{Content: "three words here", Tokens: 7, Counter: "words"}
	if p := Make([]schema.Message{m}, o); p.TokensBefore != 7 || counted != 0 {
		t.Errorf("%d tokens, counted %d times", p.TokensBefore, counted)
	}
	m.Counter = "other"
	if p := Make([]schema.Message{m}, o); p.TokensBefore != 3 || counted != 1 {
		t.Errorf("%d tokens by another counter, counted %d times", p.TokensBefore, counted)
	}
	m.Counter, m.Tokens = "words", 1<<53-1
	if p := Make([]schema.Message{m}, o); p.TokensBefore != 3 {
		t.Errorf("an impossible figure is believed: %d", p.TokensBefore)
	}
}
