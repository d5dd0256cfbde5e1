package state_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/validate"
)

// example is the State of the CMS document.
func example(t testing.TB) string {
	t.Helper()
	src, err := os.ReadFile("../../testdata/fixtures/valid-cms/" + fs.State)
	if err != nil {
		t.Fatal(err)
	}
	return string(src)
}

// board is a State with nothing but the two lists.
func board(actions, questions string) string {
	return "{\"pending_actions\": [" + actions + "],\r\n \"open_questions\": [" + questions + "]}"
}

func ask(id string, blocking ...string) edit {
	return func(src []byte) ([]byte, error) {
		return state.Ask(src, schema.Question{ID: id, Question: "?", Blocking: blocking})
	}
}

func answer(id string) edit {
	return func(src []byte) ([]byte, error) { out, _, err := state.Answer(src, id); return out, err }
}

func add(id string, blockedBy ...string) edit {
	return func(src []byte) ([]byte, error) {
		return state.AddAction(src, schema.Action{ID: id, Action: "!", BlockedBy: blockedBy})
	}
}

func finish(id string, force bool) edit {
	return func(src []byte) ([]byte, error) { out, _, err := state.FinishAction(src, id, force); return out, err }
}

func TestAskingAndFinishing(t *testing.T) {
	for _, c := range []struct {
		what      string
		src, want string
		edit      edit
	}{
		{"a question that blocks nothing",
			board(``, `{"id": "Q-0"}`), board(``, `{"id": "Q-0"}, {"id": "Q-1", "question": "?"}`), ask("Q-1")},
		{"what waited for nothing waits for the question",
			board(`{"id": "A", "blocked_by": null}, {"id": "B"}, {"id": "C", "blocked_by": ""}`, ``),
			board(`{"id": "A", "blocked_by": "Q-1"}, {"id": "B", "blocked_by": "Q-1"}, {"id": "C", "blocked_by": "Q-1"}`, `{"id": "Q-1", "question": "?", "blocking": ["A", "B", "C"]}`),
			ask("Q-1", "A", "B", "C", "A")},
		{"what waited for one thing waits for two",
			board(`{"id": "A", "blocked_by": "the boss" , "x": 1.50}`, ``),
			board(`{"id": "A", "blocked_by": ["the boss", "Q-1"] , "x": 1.50}`, `{"id": "Q-1", "question": "?", "blocking": ["A"]}`),
			ask("Q-1", "A")},
		{"a list gets longer",
			board(`{"id": "A", "blocked_by": ["Q-0",  "the boss"]}`, ``),
			board(`{"id": "A", "blocked_by": ["Q-0",  "the boss",  "Q-1"]}`, `{"id": "Q-1", "question": "?", "blocking": ["A"]}`),
			ask("Q-1", "A")},
		{"an action that named the question before it was asked",
			board(`{"id": "A", "blocked_by": "Q-1"}`, ``), board(`{"id": "A", "blocked_by": "Q-1"}`, `{"id": "Q-1", "question": "?", "blocking": ["A"]}`), ask("Q-1")},
		{"an answer frees what waited for it, and leaves words alone",
			board(`{"id": "A", "blocked_by": "Q-1"}, {"id": "B", "blocked_by": ["x", "Q-1",  "Q-1"]}, {"id": "C", "blocked_by": "Q-1, and the boss"}, "just words", {"id": "D", "blocked_by": ["Q-1"]}`,
				`{"id": "Q-1", "question": "?"}, {"id": "Q-2", "question": "?"}`),
			board(`{"id": "A", "blocked_by": null}, {"id": "B", "blocked_by": ["x"]}, {"id": "C", "blocked_by": "Q-1, and the boss"}, "just words", {"id": "D", "blocked_by": []}`,
				`{"id": "Q-2", "question": "?"}`),
			answer("Q-1")},
		{"an action that waits for a question and for words",
			board(``, `{"id": "Q-1", "question": "?"}, {"id": "Q-2", "question": "?", "blocking": ["X"]}`),
			board(`{"id": "A", "action": "!", "blocked_by": ["Q-1", "Q-2", "the boss"]}`, `{"id": "Q-1", "question": "?", "blocking": ["A"]}, {"id": "Q-2", "question": "?", "blocking": ["X", "A"]}`),
			add("A", "Q-1", "Q-2", "the boss", "Q-1", "")},
		{"an action that waits for an action",
			board(`{"id": "A"}`, ``), board(`{"id": "A"}, {"id": "B", "action": "!", "blocked_by": "A"}`, ``), add("B", "A")},
		{"a question that named the action before it was added",
			board(``, `{"id": "Q-1", "blocking": ["A"]}`), board(`{"id": "A", "action": "!", "blocked_by": "Q-1"}`, `{"id": "Q-1", "blocking": ["A"]}`), add("A")},
		{"a decision is waited for without asking whether it is there",
			board(``, ``), board(`{"id": "A", "action": "!", "blocked_by": "DEC-9"}`, ``), add("A", "DEC-9")},
		{"what is done frees what waited for it",
			board(`{"id": "A", "action": "!"}, {"id": "B", "blocked_by": "A"}, {"id": "C", "blocked_by": ["A", "B"]}`, ``),
			board(`{"id": "B", "blocked_by": null}, {"id": "C", "blocked_by": ["B"]}`, ``), finish("A", false)},
		{"what is done all the same is blocked by nothing any more",
			board(`{"id": "A", "action": "!", "blocked_by": "Q-1"}`, `{"id": "Q-1", "blocking": ["B", "A"]}`), board(``, `{"id": "Q-1", "blocking": ["B"]}`), finish("A", true)},
	} {
		got, err := c.edit([]byte(c.src))
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %v\ngot  %s\nwant %s", c.what, err, got, c.want)
		}
	}
}

// A long list of the same is no reason to hang.
func TestAnAnswerTakesOutOfLongLists(t *testing.T) {
	long := strings.Repeat(`"Q-1", `, 50_000)
	got, err := answer("Q-1")([]byte(board(`{"id": "A", "blocked_by": [`+long+`"x"]}`, `{"id": "Q-1", "question": "?"}`)))
	if want := board(`{"id": "A", "blocked_by": ["x"]}`, ``); err != nil || string(got) != want {
		t.Errorf("%v\n%.200s", err, got)
	}
}

func TestWhatIsUnknownIsNamed(t *testing.T) {
	const two = `{"id": "ACT-1", "action": "!", "blocked_by": ["Q-1", "the \u001bboss"]}, {"id": "ACT-2", "action": "!", "blocked_by": null}`
	src := board(two, `{"id": "Q-1", "question": "?", "blocking": ["ACT-1"]}, {"id": "Q-2", "question": "?", "blocking": ["ACT-2"]}`)
	for _, c := range []struct {
		what  string
		edit  edit
		err   string
		known string
	}{
		{"a question nobody asked", answer("Q-3"), `there is no question "Q-3"`, "Q-1 Q-2"},
		{"an action is no question", answer("ACT-1"), `there is no question "ACT-1"`, "Q-1 Q-2"},
		{"an action that nobody has to do", finish("ACT-3", true), `there is no action "ACT-3"`, "ACT-1 ACT-2"},
		{"blocking what is not pending", ask("Q-3", "ACT-1", "ACT-3"), `there is no action "ACT-3"`, "ACT-1 ACT-2"},
		{"waiting for what is not there", add("ACT-3", "ACT-1", "Q-4"), `there is no question or action "Q-4"`, "Q-1 Q-2 ACT-1 ACT-2"},
		{"waiting for itself", add("ACT-3", "ACT-3"), `there is no question or action "ACT-3"`, "Q-1 Q-2 ACT-1 ACT-2"},
		{"an id twice", ask("Q-1"), `question Q-1: the id is taken`, ""},
		{"an id twice, of another kind", add("Q-1"), `action Q-1: the id is taken`, ""},
		{"no id", add(""), `"" is no id`, ""},
		{"no id at all", ask("\x1b[31m"), `"\x1b[31m" is no id`, ""},
		{"blocked", finish("ACT-1", false), `action "ACT-1" is blocked by Q-1, "the \x1bboss"`, ""},
		{"blocked by a question that it does not name", finish("ACT-2", false), `action "ACT-2" is blocked by Q-2`, ""},
	} {
		out, err := c.edit([]byte(src))
		if err == nil || err.Error() != c.err || out != nil {
			t.Errorf("%s: %v\n%s", c.what, err, out)
		}
		var unknown *state.Unknown
		if errors.As(err, &unknown) != (c.known != "") || unknown != nil && strings.Join(unknown.Known, " ") != c.known {
			t.Errorf("%s: %+v", c.what, unknown)
		}
	}
	var blocked *state.Blocked
	if err := (&state.Blocked{ID: "A", By: strings.Fields("1 2 3 4 5 6 7")}).Error(); err != `action "A" is blocked by 1, 2, 3, 4, 5, 2 more` {
		t.Error(err)
	}
	if _, err := finish("ACT-1", false)([]byte(src)); !errors.As(err, &blocked) || !slices.Equal(blocked.By, []string{"Q-1", "the \x1bboss"}) {
		t.Errorf("%+v", blocked)
	}
}

// The document's own State: what it says in words stays as it is.
func TestTheDocumentsOwnForms(t *testing.T) {
	src := example(t)
	want := change(t, src, `"blocked_by": null`, `"blocked_by": "Q-002"`)
	want = change(t, want, `"blocking": ["ACT-001"]
    }
  ],`, `"blocking": ["ACT-001"]
    },
    {
      "id": "Q-002",
      "question": "?",
      "blocking": ["ACT-002"]
    }
  ],`)
	asked, err := ask("Q-002", "ACT-002")([]byte(src))
	if err != nil || string(asked) != want {
		t.Fatalf("%v\n%s", err, asked)
	}
	if findings := validate.Bytes(fs.State, asked, validate.Options{}); len(findings) > 0 {
		t.Errorf("%+v", findings)
	}
	answered, q, err := state.Answer(asked, "Q-002")
	if err != nil || string(answered) != src {
		t.Errorf("asked and answered, yet not as before: %v\n%s", err, answered)
	}
	if q.Question != "?" || !slices.Equal(q.Blocking, []string{"ACT-002"}) {
		t.Errorf("%+v", q)
	}
	if _, _, err := state.FinishAction(answered, "ACT-001", false); err == nil {
		t.Error("waits for words and a question, and is done")
	}
	if _, a, err := state.FinishAction(answered, "ACT-002", false); err != nil || a.AssignedTo != "Architect Agent" {
		t.Errorf("%+v, %v", a, err)
	}
}

// In whatever order things are asked, answered, added and finished: what
// blocks and what is blocked say the same, nothing is blocked by what is gone,
// words stay, and so does every byte of the rest.
func TestBlockingIsConsistent(t *testing.T) {
	start := example(t)
	start = change(t, start, `"blocked_by": "Boss decision on git automation inclusion"`, `"blocked_by": ["Boss decision",   "Q-001"]`)
	rapid.Check(t, func(rt *rapid.T) {
		src := []byte(start)
		texts := map[string][]string{"ACT-001": {"Boss decision"}} // what actions wait for besides
		for n := range rapid.IntRange(1, 25).Draw(rt, "steps") {
			now := decoded(rt, src)
			actions, questions := actionIDs(now), questionIDs(now)
			var out []byte
			var err error
			switch rapid.IntRange(0, 3).Draw(rt, "what") {
			case 0:
				out, err = ask(fmt.Sprintf("Q-%03d", 10+n), some(rt, actions)...)(src)
			case 1:
				id, words := fmt.Sprintf("ACT-%03d", 10+n), some(rt, []string{"the boss", "Tuesday"})
				texts[id] = words
				out, err = add(id, append(some(rt, append(actions, questions...)), words...)...)(src)
			case 2:
				if len(questions) == 0 {
					continue
				}
				out, err = answer(rapid.SampledFrom(questions).Draw(rt, "question"))(src)
			case 3:
				if len(actions) == 0 {
					continue
				}
				out, err = finish(rapid.SampledFrom(actions).Draw(rt, "action"), true)(src)
			}
			if err != nil {
				rt.Fatal(err)
			}
			if rest(rt, out) != rest(rt, src) {
				rt.Fatalf("other bytes have changed:\n%s", out)
			}
			src = out
			consistent(rt, decoded(rt, src), texts)
		}
		if findings := validate.Bytes(fs.State, src, validate.Options{}); len(findings) > 0 {
			rt.Fatalf("%+v\n%s", findings, src)
		}
	})
}

func consistent(t *rapid.T, s schema.State, texts map[string][]string) {
	blocking := map[string]bool{}
	there := map[string]bool{}
	for _, q := range s.OpenQuestions {
		there[q.ID] = true
		for _, id := range q.Blocking {
			blocking[q.ID+" "+id] = true
		}
	}
	for _, a := range s.PendingActions {
		there[a.ID] = true
	}
	blocked := map[string]bool{}
	for _, a := range s.PendingActions {
		var words []string
		for _, b := range a.BlockedBy {
			switch {
			case strings.HasPrefix(b, "Q-"):
				blocked[b+" "+a.ID] = true
				fallthrough
			case strings.HasPrefix(b, "ACT-"):
				if !there[b] {
					t.Fatalf("%s is blocked by %s, which is gone", a.ID, b)
				}
			default:
				words = append(words, b)
			}
		}
		if !slices.Equal(words, texts[a.ID]) {
			t.Fatalf("%s waits for %q, not for %q", a.ID, words, texts[a.ID])
		}
	}
	if !maps.Equal(blocking, blocked) {
		t.Fatalf("blocking says %v, blocked_by %v", blocking, blocked)
	}
}

// some is some of all, in their order.
func some(t *rapid.T, all []string) []string {
	var list []string
	for _, s := range all {
		if rapid.IntRange(0, 2).Draw(t, s) == 0 {
			list = append(list, s)
		}
	}
	return list
}

// rest is a State without its two lists.
func rest(t *rapid.T, src []byte) string {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		t.Fatal(err)
	}
	a, q := doc.Nodes[doc.Find("/pending_actions")], doc.Nodes[doc.Find("/open_questions")]
	return string(src[:a.Start]) + string(src[a.End:q.Start]) + string(src[q.End:])
}

func decoded(t interface{ Fatal(...any) }, src []byte) schema.State {
	var s schema.State
	if err := jsonedit.Decode(src, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

func actionIDs(s schema.State) (ids []string) {
	for _, a := range s.PendingActions {
		ids = append(ids, a.ID)
	}
	return ids
}

func questionIDs(s schema.State) (ids []string) {
	for _, q := range s.OpenQuestions {
		ids = append(ids, q.ID)
	}
	return ids
}
