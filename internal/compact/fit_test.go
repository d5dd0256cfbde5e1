package compact

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/schema"
)

func fitted(s scene, budget int, prompt string) Plan {
	o := options(Relevance, 0)
	o.Window, o.Budget, o.Prompt, o.Compare = 0, budget, prompt, byOverlap
	return Make(s, o)
}

func keeps(p Plan, id string) bool { return slices.Contains(strings.Fields(kept(p)), id) }

func TestABudgetIsNeverExceededByRelevance(t *testing.T) {
	s := working()
	s.boss("Decision: " + filler(40)) // m22
	s.agent("Done.")
	for budget := 1; budget < cost(s, options("", 0)); budget++ {
		if p := fitted(s, budget, "refunds"); p.TokensAfter > budget || p.Empty() {
			t.Errorf("budget %d: %d tokens after", budget, p.TokensAfter)
		}
	}
}

func TestPinsAboveTheBudgetAreARefusal(t *testing.T) {
	s := working()
	s[1].Priority, s[2].Metadata = "critical", []byte(`{"pinned": true}`)
	pins := byWords(s[1].Content) + byWords(s[2].Content)
	for _, strategy := range []string{SessionSummary, PSD, Adaptive, Relevance} {
		o := options(strategy, 0)
		o.Budget, o.Compare = pins-1, byOverlap
		p := Make(s, o)
		if !p.Empty() || p.Summary != "" || p.Refused == "" {
			t.Errorf("%s: %+v", strategy, p)
		}
		mustContain(t, p.Refused, "2 messages are pinned", fmt.Sprintf("at %d tokens", pins), fmt.Sprintf("the budget is %d", pins-1))
	}
	if p := fitted(s, pins, "refunds"); p.Refused != "" || kept(p) != "m1 m2" || p.TokensAfter > pins {
		t.Errorf("with room for the pins it keeps %s; %q", kept(p), p.Refused)
	}
	if p := fitted(s, cost(s, options("", 0)), ""); p.Refused != "" || !p.Empty() {
		t.Errorf("with room for all: %+v", p)
	}
}

// Decisions stay as far as they fit, the newest first; the others are named.
func TestDecisionsWithoutRoomAreNamed(t *testing.T) {
	var s scene
	for i := range 30 {
		s.boss(fmt.Sprintf("Decision: row %d gets %s", i, filler(20))) // 24 words each
		s.agent("Noted. " + filler(10))
	}
	total := 30 * byWords(s[0].Content)
	p := fitted(s, total, "")
	for i := 0; i < 60; i += 2 {
		if p.Steps[i].Verdict != Kept {
			t.Errorf("there is room for all decisions, and %s leaves", p.Steps[i].ID)
		}
	}
	for _, budget := range []int{total - 1, total / 2, 200, 100} {
		p := fitted(s, budget, "")
		newest := true
		named := strings.ReplaceAll(p.Summary[strings.Index(p.Summary, "## "+outsideTitle)+1:], ",", " ")
		for i := 58; i >= 0; i -= 2 {
			id := p.Steps[i].ID
			if p.Steps[i].Verdict == Kept {
				if !newest {
					t.Errorf("budget %d: %s is kept, and a newer one is not", budget, id)
				}
				continue
			}
			if newest = false; budget > 100 && !slices.Contains(strings.Fields(named), id) {
				t.Errorf("budget %d: %s leaves and is not named:\n%s", budget, id, p.Summary)
			}
		}
		if newest || len(p.Notes) == 0 {
			t.Errorf("budget %d: %s; %q", budget, kept(p), p.Notes)
		}
	}
	// And the next compaction goes on naming them.
	p = fitted(s, 300, "")
	after := scene(carriedOut(s, p))
	for range 20 {
		after.agent("more of it " + filler(10))
	}
	again := fitted(after, 300, "")
	for _, id := range []string{"m0", "m30"} {
		if named := strings.Fields(strings.ReplaceAll(again.Summary, ",", " ")); !slices.Contains(named, id) {
			t.Errorf("%s is not named:\n%s", id, again.Summary)
		}
	}
}

// What answers the prompt stays, and what a tool gave goes first.
func TestABudgetGoesToWhatAnswersThePrompt(t *testing.T) {
	var s scene
	for i := range 40 {
		s.agent(fmt.Sprintf("Orchard row %d has pears%d that ripen in week%d", i, i, i))
	}
	s.agent("The refund of invoice 12 was paid twice")             // m40
	s.tool("Grep", "refund invoice refund.go invoice.go")          // m41
	m := s.say("user", "user", "refunds wait for invoice and tax") // m42: an answer in a tool's result
	m.ToolName = "AskUserQuestion"
	for i := range 20 {
		s.agent(fmt.Sprintf("Orchard lane %d has apples%d that ripen in month%d", i, i, i))
	}
	p := fitted(s, 180, "the refund of an invoice")
	if !keeps(p, "m40") || !keeps(p, "m42") || keeps(p, "m41") || p.Steps[41].Reason != "tool_output" {
		t.Errorf("keeps %s; %+v", kept(p), p.Steps[41])
	}
	if p := fitted(s, 180, "which apples ripen in month3"); !keeps(p, "m46") || keeps(p, "m40") {
		t.Errorf("keeps %s", kept(p))
	}
	if reasons := p.Steps[0]; reasons.Verdict != Dropped || reasons.Reason != "low_relevance" {
		t.Errorf("%+v", reasons)
	}
}

// What is said elsewhere in the kept text gives way to what is not.
func TestASmallBudgetKeepsWhatIsNotSaidTwice(t *testing.T) {
	var s scene
	for range 2 {
		s.agent("Quarterly tonnage: Lisbon warehouse, thermometer 7, calibrated yesterday; my forklift leaks")
	}
	s.agent("the keys of the terrace are under a stone")
	for range 40 {
		s.agent("on and on")
	}
	p := fitted(s, 28, "")
	if !keeps(p, "m2") || keeps(p, "m0") == keeps(p, "m1") {
		t.Errorf("keeps %s", kept(p))
	}
}

// What answers some of a prompt, though too little for the cutoff, goes before
// what answers none of it.
func TestBelowTheCutoffTheScoreStillCounts(t *testing.T) {
	var s scene
	for i := range 30 {
		s.agent(fmt.Sprintf("pears%d apples%d cherries%d plums%d", i, i, i, i))
	}
	s.agent("pears apples cherries tonnage")
	for i := range 30 {
		s.agent(fmt.Sprintf("ladder%d basket%d terrace%d stone%d", i, i, i, i))
	}
	for range 5 {
		s.agent("ok")
	}
	o := options(Relevance, 0)
	o.Window, o.Budget, o.Prompt, o.Compare = 0, 40, "the tonnage that the forklift of Lisbon moves", byOverlap
	o.Now, _ = schema.ParseTime("2027-01-01T00:00:00Z")
	if p := Make(s, o); !keeps(p, "m30") || p.Steps[30].Score >= 0.3 {
		t.Errorf("keeps %s; %+v", kept(p), p.Steps[30])
	}
}

func TestAMessageAboveTheBudgetLeaves(t *testing.T) {
	var s scene
	s.boss("Please read this. " + filler(900) + " Refund invoices by the tax office.")
	s.agent("I read it.")
	p := fitted(s, 60, "")
	if kept(p) != "m1" || p.TokensAfter > 60 || !strings.Contains(p.Summary, "Please read this.") && !strings.Contains(p.Summary, "cold storage") {
		t.Errorf("keeps %s:\n%s", kept(p), p.Summary)
	}
}

// An earlier summary that is larger than the budget gives way as well.
func TestAnOldSummaryAboveTheBudgetIsCut(t *testing.T) {
	s := working()
	after := scene(carriedOut(s, fitted(s, 200, "")))
	p := fitted(after, 70, "")
	if p.TokensAfter > 70 || p.Empty() {
		t.Errorf("%+v", p)
	}
	mustContain(t, p.Summary, "in cold storage")
}

// A message that states a decision in a few of many words gives way to what others say,
// and so do the last messages. What it decides is quoted.
func TestLongDecisionsShareATwentieth(t *testing.T) {
	var s scene
	for i := range 10 {
		s.boss(fmt.Sprintf("Here is file%d. %s. Let's use engine%d. %s.", i, filler(100), i, filler(100)))
		s.boss(fmt.Sprintf("My tractor%d broke in week%d", i, i))
		s.agent("Noted. " + filler(40))
	}
	s.boss("We decided on diesel") // m30
	for range 5 {
		s.agent(filler(60)) // the last messages
	}
	o := options(Relevance, 0)
	o.Window, o.Budget, o.Compare, o.Phrases = 0, 1100, byOverlap, []string{"let's use", "decided"}
	p := Make(s, o)
	for i := range 10 {
		if id := fmt.Sprintf("m%d", 3*i+1); !keeps(p, id) {
			t.Errorf("%s leaves: %s", id, kept(p))
		}
		if id := fmt.Sprintf("m%d", 3*i); !keeps(p, id) {
			mustContain(t, strings.NewReplacer(",", " ", "\n", " ").Replace(p.Summary), " "+id+" ")
		}
	}
	mustContain(t, p.Summary, "\n- m27: Let's use engine9.\n")
	if !keeps(p, "m30") {
		t.Errorf("keeps %s", kept(p))
	}
}
