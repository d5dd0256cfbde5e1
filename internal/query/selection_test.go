package query_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/brief"
	"github.com/forgemind/forgemind/internal/query"
	"github.com/forgemind/forgemind/internal/session"
)

// plantOne makes a tree with facts of every kind in one home, as many as dice say.
func plantOne(t *testing.T, home string, dice *rand.Rand) (root string) {
	root = t.TempDir()
	const conversation = "conv-2026-03-02-abcdef"
	list := func(most int, item string) string {
		var all []string
		for i := range dice.IntN(most + 1) {
			all = append(all, strings.ReplaceAll(item, "%", fmt.Sprint(10+i)))
		}
		return "[" + strings.Join(all, ",\n") + "]"
	}
	at := `"created": "2026-03-02T08:00:00Z"`
	write(t, root, fs.ActiveSession, conversation+"\n")
	write(t, root, session.HotContext(conversation), `{
  "active_goals": `+list(4, `{"id": "goal-%", "goal": "Reach the stone %", "status": "in-progress", `+at+`}`)+`,
  "pending_actions": `+list(6, `{"id": "ACT-%", "action": "Carry the stone %", "blocked_by": ["Q-%"], `+at+`}`)+`,
  "important_constraints": `+list(5, `{"id": "con-%", "constraint": "No stone above %", `+at+`}`)+`,
  "open_questions": `+list(5, `{"id": "Q-%", "question": "Where does the stone % go?", "asked_at": "2026-03-02T08:00:00Z"}`)+`,
  "notes": `+list(5, `{"id": "note-%", "note": "The stone % is wet", `+at+`}`)+`,
  "key_decisions": []
}`)
	for i := range dice.IntN(40) {
		supersedes := ""
		if i > 0 && dice.IntN(3) == 0 {
			supersedes = fmt.Sprintf(`, "supersedes": ["DEC-%03d"]`, dice.IntN(i))
		}
		write(t, root, fmt.Sprintf("%s/%s/DEC-%03d.json", home, fs.DecisionsDir, i), fmt.Sprintf(
			`{"id": "DEC-%03d", "timestamp": %q, "decision": "The stone %d stays", "alternatives_rejected": ["It goes"], "immutable": true%s}`,
			i, morning.Add(time.Duration(i)*time.Hour).Format(time.RFC3339), i, supersedes))
	}
	var talk strings.Builder
	for i := range dice.IntN(session.WindowMessages) {
		who := []string{"user", "assistant"}[dice.IntN(2)]
		fmt.Fprintf(&talk, `{"msg_id": "msg-%03d", "timestamp": "2026-03-02T09:00:%02dZ", "agent": %q, "role": %q, "content": "We spoke of the stone %d at some length"}`+"\n", i, i, who, who, i)
	}
	write(t, root, session.Window(conversation), talk.String())
	for i := range dice.IntN(3) {
		write(t, root, fmt.Sprintf("%s/handoffs/handoff-%d.json", home, i), fmt.Sprintf(`{"id": "handoff-%d", "task": "Survey", "status": "open", %s}`, i, at))
	}
	return root
}

var anyID = regexp.MustCompile(`\b(?:DEC|goal|con|Q|ACT|note|handoff|msg)-[0-9]+\b`)

func idsIn(text string) map[string]bool {
	all := map[string]bool{}
	for _, id := range anyID.FindAllString(text, -1) {
		all[id] = true
	}
	return all
}

func missingIn(t *testing.T, what string, want, got map[string]bool) {
	t.Helper()
	for _, id := range slices.Sorted(maps.Keys(want)) {
		if !got[id] {
			t.Errorf("%s lacks %s", what, id)
		}
	}
}

// Whatever a tree holds, in either home: a brief and a context with room for it show the
// same, each time in the same bytes, and neither ever exceeds its budget.
func TestOneSelectionManyRenderings(t *testing.T) {
	const room = 60_000
	for seed := range uint64(12) {
		for _, home := range []string{fs.Forgemind, fs.Quaid} {
			t.Run(fmt.Sprint(home, seed), func(t *testing.T) {
				root := plantOne(t, home, rand.New(rand.NewPCG(seed, 1)))
				b := briefOf(t, root, query.BriefQuery{MaxTokens: room, Counter: "chars4"})
				c := put(t, root, query.ContextQuery{MaxTokens: room, Counter: "chars4"})
				missingIn(t, "the context", idsIn(b.Text()), idsIn(c.Text))
				missingIn(t, "the brief", idsIn(c.Text), idsIn(b.Text()))
				if again := put(t, root, query.ContextQuery{MaxTokens: room, Counter: "chars4"}); again.Text != c.Text {
					t.Errorf("again it is\n%s\nnot\n%s", again.Text, c.Text)
				}
				for _, most := range []int{1500, 3000} {
					small := put(t, root, query.ContextQuery{MaxTokens: most, Counter: "chars4"})
					if n := (len([]rune(small.Text)) + 3) / 4; n > most || small.Tokens > most {
						t.Errorf("%d tokens (%d said) of %d", n, small.Tokens, most)
					}
					inForce := map[string]bool{}
					for _, s := range [][]string{idsOf(b.Goals.Items), idsOf(b.Constraints.Items), idsOf(b.Questions.Items), idsOf(b.Next.Items)} {
						for _, id := range s {
							inForce[id] = true
						}
					}
					missingIn(t, fmt.Sprintf("a context of %d tokens", most), inForce, idsIn(small.Text))
				}
			})
		}
	}
}

func idsOf(items []brief.Item) (ids []string) {
	for _, i := range items {
		if i.ID != "" {
			ids = append(ids, i.ID)
		}
	}
	return ids
}
