package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// board makes a tree whose State has these two lists, as somebody wrote them: no item has
// a record.
func board(t *testing.T, actions, questions string) *house {
	t.Helper()
	h := build(t)
	h.save(fs.State, `"pending_actions": []`, `"pending_actions": [`+actions+`]`)
	h.save(fs.State, `"open_questions": []`, `"open_questions": [`+questions+`]`)
	return h
}

// lists returns the two lists of the State, without blanks.
func (h *house) lists() string {
	h.t.Helper()
	var s struct {
		Actions   json.RawMessage `json:"pending_actions"`
		Questions json.RawMessage `json:"open_questions"`
	}
	if err := json.Unmarshal([]byte(h.read(fs.State)), &s); err != nil {
		h.t.Fatal(err)
	}
	return squeezed(h.t, s.Actions) + squeezed(h.t, s.Questions)
}

func squeezed(t *testing.T, text json.RawMessage) string {
	t.Helper()
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

type step func(*house) error

func ask(id string, blocking ...string) step {
	return func(h *house) error {
		_, _, err := h.Ask(context.Background(), schema.Question{ID: id, Question: "Why " + id + "?", Status: "open", AskedBy: "ann", AskedAt: "2026-03-02T08:00:00Z", Blocking: blocking})
		return err
	}
}

func answer(id string) step {
	return func(h *house) error {
		_, _, err := h.Answer(context.Background(), id, "So.", "ann")
		return err
	}
}

func add(id string, blockedBy ...string) step {
	return func(h *house) error {
		_, _, err := h.AddAction(context.Background(), schema.Action{ID: id, Action: "Do " + id, CreatedBy: "ann", Created: "2026-03-02T08:00:00Z", BlockedBy: blockedBy})
		return err
	}
}

func finish(which string, force bool) step {
	return func(h *house) error {
		_, _, err := h.FinishAction(context.Background(), which, "ann", force)
		return err
	}
}

// What questions and actions say of one another, where a person wrote the State.
func TestQuestionsAndActionsOfAFormerTree(t *testing.T) {
	const asked = `"asked_at":"2026-03-02T08:00:00Z","asked_by":"ann",`
	const made = `"created":"2026-03-02T08:00:00Z","created_by":"ann",`
	for _, c := range []struct {
		what, actions, questions string
		step                     step
		wantActions, want        string
	}{
		{"a question that blocks nothing", ``, `{"id":"Q-0","question":"?"}`, ask("Q-1"),
			``, `{"id":"Q-0","question":"?"},{` + asked + `"id":"Q-1","question":"Why Q-1?","status":"open"}`},
		{"what waited for nothing waits for the question",
			`{"id":"A","action":"a","blocked_by":null},{"id":"B","action":"b"}`, ``, ask("Q-1", "A", "B", "A"),
			`{"action":"a","blocked_by":"Q-1","id":"A"},{"action":"b","blocked_by":"Q-1","id":"B"}`, `{` + asked + `"blocking":["A","B"],"id":"Q-1","question":"Why Q-1?","status":"open"}`},
		{"what waited for words waits for both",
			`{"id":"A","action":"a","blocked_by":"the boss","x":1.5}`, ``, ask("Q-1", "A"),
			`{"action":"a","blocked_by":["the boss","Q-1"],"id":"A","x":1.5}`, `{` + asked + `"blocking":["A"],"id":"Q-1","question":"Why Q-1?","status":"open"}`},
		{"an action that named the question before it was asked",
			`{"id":"A","action":"a","blocked_by":"Q-1"}`, ``, ask("Q-1"),
			`{"action":"a","blocked_by":"Q-1","id":"A"}`, `{` + asked + `"blocking":["A"],"id":"Q-1","question":"Why Q-1?","status":"open"}`},
		{"an answer frees what waited for it, and leaves words alone",
			`{"id":"A","action":"a","blocked_by":"Q-1"},{"id":"B","action":"b","blocked_by":["x","Q-1"]},{"id":"C","action":"c","blocked_by":"Q-1, and the boss"},{"id":"D","action":"d","blocked_by":["Q-1"]}`,
			`{"id":"Q-1","question":"?"},{"id":"Q-2","question":"??"}`, answer("Q-1"),
			`{"action":"a","blocked_by":null,"id":"A"},{"action":"b","blocked_by":["x"],"id":"B"},{"action":"c","blocked_by":"Q-1, and the boss","id":"C"},{"action":"d","blocked_by":[],"id":"D"}`,
			`{"id":"Q-2","question":"??"}`},
		{"an action that waits for questions and for words",
			``, `{"id":"Q-1","question":"?"},{"id":"Q-2","question":"??","blocking":["X"]}`, add("A", "Q-1", "Q-2", "the boss", "Q-1", ""),
			`{"action":"Do A","blocked_by":["Q-1","Q-2","the boss"],` + made + `"id":"A"}`,
			`{"blocking":["A"],"id":"Q-1","question":"?"},{"blocking":["X","A"],"id":"Q-2","question":"??"}`},
		{"an action that waits for an action", `{"id":"A","action":"a"}`, ``, add("B", "A"),
			`{"action":"a","id":"A"},{"action":"Do B","blocked_by":"A",` + made + `"id":"B"}`, ``},
		{"a decision is waited for without asking whether it is there", ``, ``, add("A", "DEC-9"),
			`{"action":"Do A","blocked_by":"DEC-9",` + made + `"id":"A"}`, ``},
		{"what is done frees what waited for it",
			`{"id":"A","action":"a"},{"id":"B","action":"b","blocked_by":"A"},{"id":"C","action":"c","blocked_by":["A","B"]}`, ``, finish("A", false),
			`{"action":"b","blocked_by":null,"id":"B"},{"action":"c","blocked_by":["B"],"id":"C"}`, ``},
		{"what is done all the same is blocked by nothing any more",
			`{"id":"A","action":"a","blocked_by":"Q-1"}`, `{"id":"Q-1","question":"?","blocking":["B","A"]}`, finish("A", true),
			``, `{"blocking":["B"],"id":"Q-1","question":"?"}`},
		{"an action without an id, by a part of its text", `{"action":"Prune the pear trees"},"Water the apples"`, ``, finish("PEAR", false), `"Water the apples"`, ``},
	} {
		h := board(t, c.actions, c.questions)
		if err := c.step(h); err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		if got, want := h.lists(), "["+c.wantActions+"]["+c.want+"]"; got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.what, got, want)
		}
	}
}

func TestQuestionsAndActionsThatAreRefused(t *testing.T) {
	for _, c := range []struct {
		what, err, known string
		step             step
	}{
		{"a question nobody asked", `there is no question "Q-3"`, "Q-1 Q-2", answer("Q-3")},
		{"an answer to a text of none", `there is no question "!"`, "Q-1 Q-2", answer("!")},
		{"an action is no question", `there is no question "ACT-1"`, "Q-1 Q-2", answer("ACT-1")},
		{"an action that nobody has to do", `there is no action "ACT-3"`, "ACT-1 ACT-2", finish("ACT-3", true)},
		{"blocking what is not pending", `there is no action "ACT-3"`, "ACT-1 ACT-2", ask("Q-3", "ACT-1", "ACT-3")},
		{"waiting for what is not there", `there is no question or action "Q-4"`, "Q-1 Q-2 ACT-1 ACT-2", add("ACT-3", "ACT-1", "Q-4")},
		{"waiting for itself", `there is no question or action "ACT-3"`, "Q-1 Q-2 ACT-1 ACT-2", add("ACT-3", "ACT-3")},
		{"an id twice", `question Q-1: the id is taken`, "", ask("Q-1")},
		{"an id twice, of another kind", `action Q-1: the id is taken`, "", add("Q-1")},
		{"no id at all", `"\x1b[31m" is no id`, "", ask("\x1b[31m")},
		{"blocked", `action "ACT-1" is blocked by Q-1, "the \x1bboss"`, "", finish("ACT-1", false)},
		{"blocked by a question that it does not name", `action "ACT-2" is blocked by Q-2`, "", finish("ACT-2", false)},
	} {
		h := board(t, `{"id":"ACT-1","action":"a","blocked_by":["Q-1","the \u001bboss"]},{"id":"ACT-2","action":"b","blocked_by":null}`,
			`{"id":"Q-1","question":"?","blocking":["ACT-1"]},{"id":"Q-2","question":"??","blocking":["ACT-2"]}`)
		before := h.files()
		err := c.step(h)
		if err == nil || err.Error() != c.err {
			t.Errorf("%s: %v", c.what, err)
		}
		var unknown *session.Unknown
		if errors.As(err, &unknown) != (c.known != "") || unknown != nil && strings.Join(unknown.Known, " ") != c.known {
			t.Errorf("%s: %+v", c.what, unknown)
		}
		if !maps.Equal(h.files(), before) {
			t.Errorf("%s: something was written", c.what)
		}
	}
	if err := (&engine.Blocked{ID: "A", By: strings.Fields("1 2 3 4 5 6 7")}).Error(); err != `action "A" is blocked by 1, 2, 3, 4, 5, 2 more` {
		t.Error(err)
	}
}

// In whatever order things are asked, answered, added and finished: what blocks and what
// is blocked say the same, nothing is blocked by what is gone, and words stay.
func TestBlockingIsConsistent(t *testing.T) {
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 1))
		some := func(all []string) (list []string) {
			for _, s := range all {
				if r.IntN(3) == 0 {
					list = append(list, s)
				}
			}
			return list
		}
		h := board(t, `{"id":"ACT-001","action":"a","blocked_by":["Boss decision","Q-001"]}`, `{"id":"Q-001","question":"?","blocking":["ACT-001"]}`)
		actions, questions := []string{"ACT-001"}, []string{"Q-001"}
		words := map[string][]string{"ACT-001": {"Boss decision"}}
		for n := range 12 {
			var err error
			switch do := r.IntN(4); {
			case do == 0:
				id := fmt.Sprintf("Q-%03d", 10+n)
				err = ask(id, some(actions)...)(h)
				questions = append(questions, id)
			case do == 1:
				id := fmt.Sprintf("ACT-%03d", 10+n)
				words[id] = some([]string{"the boss", "Tuesday"})
				err = add(id, append(some(slices.Concat(actions, questions)), words[id]...)...)(h)
				actions = append(actions, id)
			case do == 2 && len(questions) > 0:
				i := r.IntN(len(questions))
				err = answer(questions[i])(h)
				questions = slices.Delete(questions, i, i+1)
			case do == 3 && len(actions) > 0:
				i := r.IntN(len(actions))
				err = finish(actions[i], true)(h)
				actions = slices.Delete(actions, i, i+1)
			}
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			consistent(t, h.read(fs.State), actions, questions, words)
		}
	}
}

func consistent(t *testing.T, src string, actions, questions []string, words map[string][]string) {
	t.Helper()
	var s schema.State
	if err := json.Unmarshal([]byte(src), &s); err != nil {
		t.Fatal(err)
	}
	var pending, open []string
	blocking, blocked := map[string]bool{}, map[string]bool{}
	for _, q := range s.OpenQuestions {
		open = append(open, q.ID)
		for _, id := range q.Blocking {
			blocking[q.ID+" "+id] = true
		}
	}
	for _, a := range s.PendingActions {
		pending = append(pending, a.ID)
		var named []string
		for _, b := range a.BlockedBy {
			switch {
			case slices.Contains(questions, b):
				blocked[b+" "+a.ID] = true
			case !slices.Contains(actions, b):
				named = append(named, b)
			}
		}
		if !slices.Equal(named, words[a.ID]) {
			t.Fatalf("%s waits for %q, not for %q", a.ID, named, words[a.ID])
		}
	}
	if !slices.Equal(pending, actions) || !slices.Equal(open, questions) || !maps.Equal(blocking, blocked) {
		t.Fatalf("%v and %v are open, not %v and %v; blocking says %v, blocked_by %v", pending, open, actions, questions, blocking, blocked)
	}
}
