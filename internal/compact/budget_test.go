package compact

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func budgeted(s scene, budget int) Plan {
	o := options(PSD, 0)
	o.Window, o.Budget = 0, budget
	return Make(s, o)
}

func TestABudgetIsABound(t *testing.T) {
	s := working()
	for budget := 1; budget < 450; budget += 3 {
		p := budgeted(s, budget)
		decisions := byWords(s[5].Content)
		if p.TokensAfter > budget && p.TokensAfter > decisions+pointerLimit {
			t.Errorf("budget %d: %d tokens after", budget, p.TokensAfter)
		}
		if budget >= decisions && p.TokensAfter > budget {
			t.Errorf("budget %d: %d tokens after, decisions take %d", budget, p.TokensAfter, decisions)
		}
		if p.Steps[5].Verdict != Kept {
			t.Errorf("budget %d: the decision leaves", budget)
		}
	}
}

func TestABudgetThatTheConversationKeepsToChangesNothing(t *testing.T) {
	s := working()
	total := cost(s, options("", 0))
	if p := budgeted(s, total); !p.Empty() || len(p.Notes) != 1 {
		t.Errorf("%+v", p)
	}
	if p := budgeted(s, total-1); p.Empty() {
		t.Errorf("a token above the budget: %q", p.Notes)
	}
}

func TestDecisionsAboveTheBudgetAreKeptAndToldOf(t *testing.T) {
	s := working()
	s.boss("Decision: " + filler(100))
	s.agent(filler(100))
	p := budgeted(s, 50)
	if got := kept(p); got != "m5 m22" {
		t.Errorf("it keeps %s", got)
	}
	if len(p.Notes) == 0 || !strings.Contains(p.Notes[len(p.Notes)-1], "decisions are never cut") {
		t.Errorf("it does not say so: %q", p.Notes)
	}
	if again := budgeted(carriedOut(s, p), 50); !again.Empty() {
		t.Errorf("it does it again: %+v", again)
	}
}

func TestHugeToolOutputsAmongTheLastLeaveFirst(t *testing.T) {
	s := working()
	s.tool("Bash", filler(500)) // m22
	s.agent("The build is green.")
	p := budgeted(s, 200)
	step := p.Steps[22]
	if step.Verdict != Dropped || !strings.Contains(step.Reason, "huge output of a tool (500 tokens)") {
		t.Errorf("%+v", step)
	}
	for _, s := range p.Steps[14:] {
		if s.Index != 22 && s.Verdict != Kept {
			t.Errorf("%+v leaves, and there was room", s)
		}
	}
	if !strings.Contains(kept(p), "m11") {
		t.Error("the open question leaves")
	}
}

func TestRoomGoesToWhatTellsMost(t *testing.T) {
	var s scene
	for i := range 60 {
		if i%2 == 0 {
			s.say("Ann", "user", "wow that is really great to hear, sounds lovely, good for you")
		} else {
			s.say("Bob", "assistant", fmt.Sprintf("I moved to Lisbon%d with my sister%d last month for a job at museum%d", i, i, i))
		}
	}
	for range recents {
		s.say("Ann", "user", "ok")
	}
	p := budgeted(s, 250)
	facts, chat := 0, 0
	for _, s := range p.Steps[:60] {
		if s.Verdict == Kept && s.Index%2 == 1 {
			facts++
		} else if s.Verdict == Kept {
			chat++
		}
	}
	if facts < 10 || chat > 1 {
		t.Errorf("%d facts and %d pleasantries are kept", facts, chat)
	}
	if p.Steps[1].Score <= p.Steps[0].Score {
		t.Errorf("a fact has score %v, a pleasantry %v", p.Steps[1].Score, p.Steps[0].Score)
	}
}

func TestEveryEditedFileIsListed(t *testing.T) {
	var s scene
	s.boss("Please rename the package.")
	var want []string
	for i := range 30 {
		m := s.agent(fmt.Sprintf(`Edit {"file_path":"/repo/pkg/file%d.go","old_string":"a","new_string":"\"path\": \"no/such\""}`, i))
		m.ToolName = "Edit"
		s.tool("Edit", filler(60))
		want = append(want, fmt.Sprintf("- /repo/pkg/file%d.go\n", i))
	}
	s.agent(`Read {"file_path":"/repo/only/read.go"}`).ToolName = "Read"
	s.agent("apply_patch {\"input\":\"*** Begin Patch\\n*** Update File: docs/a.md\\n@@\"}").ToolName = "apply_patch"
	want = append(want, "- docs/a.md\n")
	for range recents {
		s.agent("ok then")
	}
	o := options(PSD, 900)
	p := Make(s, o)
	mustContain(t, p.Summary, want...)
	if strings.Contains(p.Summary, "no/such") || strings.Contains(p.Summary, "only/read.go") {
		t.Errorf("it lists what nobody edited:\n%s", p.Summary)
	}
	p = budgeted(s, 2*cost(s, o)/10)
	listed := 0
	for _, line := range want {
		path := strings.Trim(line, "-\n ")
		if strings.Contains(p.Summary, path) || slices.ContainsFunc(p.Steps, func(step Step) bool {
			return step.Verdict == Kept && strings.Contains(s[step.Index].Content, path)
		}) {
			listed++
		}
	}
	if listed != len(want) {
		t.Errorf("%d of %d files are to be found at 20 %%:\n%s", listed, len(want), p.Summary)
	}
}
