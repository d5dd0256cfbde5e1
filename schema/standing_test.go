package schema_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/forgemind/forgemind/schema"
)

// decisions parses "a@1 b@2>a c@3>a,b": id @ minute > the ids that it supersedes.
func decisions(text string) []schema.Decision {
	var all []schema.Decision
	for _, word := range strings.Fields(text) {
		head, old, _ := strings.Cut(word, ">")
		id, minute, timed := strings.Cut(head, "@")
		d := schema.Decision{ID: id}
		if timed {
			d.Timestamp = fmt.Sprintf("2026-11-20T09:%02s:00Z", minute)
		}
		if old != "" {
			d.Supersedes = strings.Split(old, ",")
		}
		all = append(all, d)
	}
	return all
}

// show returns a Standing as text: ids in order, "a<b" if b superseded a.
func show(s schema.Standing) string {
	var words []string
	for _, d := range s.All() {
		word := d.ID
		if by, ok := s.SupersededBy(d.ID); ok {
			word += "<" + by
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

func TestWhichDecisionsHold(t *testing.T) {
	for _, c := range []struct{ name, given, want string }{
		{"none", "", ""},
		{"all hold", "a@1 b@2", "a b"},
		{"one is replaced", "a@1 b@2>a", "a<b b"},
		{"the order is that of time", "b@2>a a@1", "a<b b"},
		{"in one minute, the order given", "b@1 a@1", "b a"},
		{"without a time first", "b@2 a c@1", "a c b"},
		{"a chain", "a@1 b@2>a c@3>b", "a<b b<c c"},
		{"several at once", "a@1 b@2 c@3>a,b", "a<c b<c c"},
		{"the first to replace counts", "a@1 c@3>a b@2>a", "a<b b c"},
		{"itself", "a@1>a", "a"},
		{"what is not there", "a@1>x,", "a"},
		{"a circle of two: the older one's word does not count", "a@1>b b@2>a", "a<b b"},
		{"a circle of three", "a@1>c b@2>a c@3>b", "a<b b<c c"},
		{"what came later, without a circle (clocks differ)", "a@1>b b@2", "a b<a"},
		{"a circle in one minute", "a@1>b b@1>a", "a<b b"},
		{"one id twice: the first counts", "a@1 b@2>a b@3 b@1", "a<b b"},
		{"one id twice, the later one given first", "b@3 a@1 b@2>a", "a b"},
		{"without an id", "a@1 @2 @2>a", "a<  "},
	} {
		t.Run(c.name, func(t *testing.T) {
			given := decisions(c.given)
			s := schema.Current(given)
			if got := show(s); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			for _, d := range s.Current() {
				if by, ok := s.SupersededBy(d.ID); ok {
					t.Errorf("%s is current, and superseded by %s", d.ID, by)
				}
			}
		})
	}
}

// However decisions name each other, at least one is in force, none replaces itself
// through others, and the given slice is not changed.
func TestNoCircleIsEverMade(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "n")
		var words []string
		for i := range n {
			var old []string
			for range rapid.IntRange(0, 3).Draw(t, "supersedes") {
				old = append(old, fmt.Sprintf("d%d", rapid.IntRange(0, n-1).Draw(t, "old")))
			}
			words = append(words, fmt.Sprintf("d%d@%d>%s", i, rapid.IntRange(1, 9).Draw(t, "minute"), strings.Join(old, ",")))
		}
		given := decisions(strings.Join(words, " "))
		before := fmt.Sprint(given)
		s := schema.Current(given)
		if fmt.Sprint(given) != before {
			t.Fatal("the given decisions were changed")
		}
		if len(s.Current()) == 0 {
			t.Fatal("no decision holds")
		}
		for _, d := range s.All() {
			id, steps := d.ID, 0
			for by, ok := s.SupersededBy(id); ok; by, ok = s.SupersededBy(id) {
				if id, steps = by, steps+1; steps > n {
					t.Fatalf("%s leads in a circle", d.ID)
				}
			}
		}
	})
}

func TestALineThatNamesWhatHoldsNoMoreSaysSo(t *testing.T) {
	s := schema.Current(decisions("DEC-1@1 DEC-2@2>DEC-1 DEC-3@3"))
	for given, want := range map[string]string{
		"":                                     "",
		"Use pears [DEC-1]\n":                  "Use pears [DEC-1] (superseded by DEC-2)\n",
		"a\r\n- DEC-1.\r\n\r\nDEC-3 and DEC-2": "a\r\n- DEC-1. (superseded by DEC-2)\r\n\r\nDEC-3 and DEC-2",
		"DEC-2 supersedes DEC-1":               "DEC-2 supersedes DEC-1",
		"~~DEC-1~~ pears":                      "~~DEC-1~~ pears",
		"DEC-10, XDEC-1, DEC-1-b":              "DEC-10, XDEC-1, DEC-1-b",
		"DEC-1, then DEC-1":                    "DEC-1, then DEC-1 (superseded by DEC-2)",
		"“DEC-1”":                              "“DEC-1” (superseded by DEC-2)",
	} {
		if got := s.Mark(given); got != want {
			t.Errorf("%q became %q, not %q", given, got, want)
		}
		if got := s.Mark(s.Mark(given)); got != want {
			t.Errorf("%q twice became %q", given, got)
		}
	}
	if text := "DEC-1"; schema.Current(nil).Mark(text) != text || (schema.Standing{}).Mark(text) != text {
		t.Error("where nothing is superseded, something is marked")
	}
}

// The search ends for decisions that all name later ones, with chains behind them.
func TestAHostileLedgerEnds(t *testing.T) {
	const n = 20_000
	all := make([]schema.Decision, n)
	for i := range all {
		all[i] = schema.Decision{ID: fmt.Sprint(i), Supersedes: schema.IDs{fmt.Sprint(i - 1), fmt.Sprint(n - 1)}}
	}
	s := schema.Current(all)
	if current := s.Current(); len(current) != 1 || current[0].ID != fmt.Sprint(n-1) {
		t.Errorf("%d hold", len(current))
	}
}
