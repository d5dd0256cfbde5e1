package extract_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/internal/extract"
	"github.com/forgemind/forgemind/schema"
)

// A labeled text is one of testdata: what a reader says that it states.
type labeled struct {
	class    string // decision, rule or "" for neither
	kind     string // such as record, minutes, question
	language string
	text     string
}

// readLabeled returns the texts of a file in testdata. Every second one is for
// development, the others are held out: they measure.
func readLabeled(t *testing.T, name string) (development, heldOut []labeled) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(line, "\n")
		if line == "" || strings.HasPrefix(line, "#") && !strings.Contains(line[:2], "\t") {
			continue
		}
		fields := strings.Split(line, "\t")
		if len(fields) == 3 {
			fields = append([]string{""}, fields...)
		}
		if len(fields) != 4 {
			t.Fatalf("%s: %q has %d fields", name, line, len(fields))
		}
		one := labeled{fields[0], fields[1], fields[2], strings.ReplaceAll(fields[3], `\n`, "\n")}
		if n++; n%2 == 1 {
			development = append(development, one)
		} else {
			heldOut = append(heldOut, one)
		}
	}
	return development, heldOut
}

// classOf returns what a message of a user is said to state.
func classOf(text string) string {
	if _, ok := extract.Rule(text); ok {
		return "rule"
	}
	if _, ok := extract.Decision(text, schema.DefaultDecisionPhrases()); ok {
		return "decision"
	}
	return ""
}

// A tally counts the right and wrong answers of a class.
type tally struct{ right, wrong, missed int }

func (s tally) precision() float64 { return float64(s.right) / float64(max(1, s.right+s.wrong)) }
func (s tally) recall() float64    { return float64(s.right) / float64(max(1, s.right+s.missed)) }

// The precision and recall on texts that the rules were not developed with have a floor.
func TestLabeledStatements(t *testing.T) {
	positive, heldPositive := readLabeled(t, "statements_positive.tsv")
	negative, heldNegative := readLabeled(t, "statements_negative.tsv")
	measure := func(what string, all []labeled, show bool) map[string]tally {
		scores, kinds := map[string]tally{}, map[string]tally{}
		for _, one := range all {
			got := classOf(one.text)
			kind := one.kind + " " + one.language
			k, s := kinds[kind], scores[one.class]
			switch {
			case got == one.class:
				s.right++
				k.right++
			default:
				s.missed++
				k.missed++
				if got != "" {
					w := scores[got]
					w.wrong++
					scores[got] = w
				}
				if show {
					t.Logf("%s: %q is %q, want %q", what, one.text, got, one.class)
				}
			}
			scores[one.class], kinds[kind] = s, k
		}
		for kind, k := range kinds {
			t.Logf("%s: %-14s %d of %d", what, kind, k.right, k.right+k.missed)
		}
		return scores
	}
	measure("development", append(positive, negative...), true)
	scores := measure("held out", append(heldPositive, heldNegative...), false)
	for class, floor := range map[string]struct{ precision, recall float64 }{"decision": {0.93, 0.94}, "rule": {0.94, 0.94}} {
		s := scores[class]
		t.Logf("held out: %s: precision %.3f, recall %.3f", class, s.precision(), s.recall())
		if s.precision() < floor.precision || s.recall() < floor.recall {
			t.Errorf("held out: %s: precision %.3f, recall %.3f; expected at least %.3f and %.3f: %+v", class, s.precision(), s.recall(), floor.precision, floor.recall, s)
		}
	}
}

func TestRule(t *testing.T) {
	for _, c := range []struct {
		text, rule string
		imperative bool
	}{
		{"Never commit to main.", "Never commit to main", true},
		{"Thanks! From now on, every commit has a test.", "From now on, every commit has a test", false},
		{"Can you always put the summary first?", "Can you always put the summary first", true},
		{"- Constraint: no network", "Constraint: no network", false},
		{"Don’t ever push without asking.", "Don’t ever push without asking", true},

		{"```\nNever commit to main.\n```", "", false},
		{"> Never commit to main.", "", false},
		{strings.Repeat("Never commit to main. ", 1000), "", false}, // a document
	} {
		r, ok := extract.Rule(c.text)
		if ok != (c.rule != "") || r.Rule != c.rule || r.Imperative != c.imperative {
			t.Errorf("%.60q: got %+v %v, want %q", c.text, r, ok, c.rule)
		}
	}
}

func TestGoal(t *testing.T) {
	for _, c := range []struct{ text, goal string }{
		{"Our goal is to ship the importer in March.", "ship the importer in March"},
		{"Goal: half the build time", "half the build time"},
		{"**Goal:** one binary", "one binary"},
		{"We want to ship the beta by Friday.", "ship the beta by Friday"},
		{"We’re aiming to reach 80 % coverage before the release.", "reach 80 % coverage before the release"},
		{"Our main objective for this quarter is zero downtime", "zero downtime"},
		{"Unser Ziel ist es, bis Mai fertig zu sein.", "bis Mai fertig zu sein"},
		{"Wir wollen bis Ende Juni ausliefern.", "bis Ende Juni ausliefern"},
		{"我们的目标是三月发布。", "三月发布"},
		{"我们要在五月之前上线。", "在五月之前上线"},

		{"What is our goal?", ""},
		{"Our goal is unclear.", ""},
		{"If our goal is speed, we need Rust.", ""},
		{"She said her goal is to run a marathon.", ""},
		{"The goal was scored in the last minute.", ""},
		{"We want to go home.", ""},
		{"We want a dog by Christmas.", ""},
		{"> Our goal is to ship it.", ""},
		{"Wir wollen nach Hause.", ""},
	} {
		if g, ok := extract.Goal(c.text); ok != (c.goal != "") || g.Goal != c.goal {
			t.Errorf("%q: got %+v %v, want %q", c.text, g, ok, c.goal)
		}
	}
}
