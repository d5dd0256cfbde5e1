package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/validate"
)

// Whoever wrote the records, in whatever order their changes arrived, and whatever they
// say, every command can write; and so where somebody edited the views and validate finds
// nothing wrong.
func TestWhateverRecordsSayCommandsWrite(t *testing.T) {
	t.Parallel()
	trees, valid := seeds(t, 10), 0
	for seed := range trees {
		valid += validTrees(t, uint64(seed))
	}
	if valid < trees/2 || valid > trees*9/5 {
		t.Errorf("%d of %d trees are valid", valid, 2*trees)
	}
}

// validTrees writes into the tree of a seed and into a clone of it where they are valid,
// and returns how many of the two are.
func validTrees(t *testing.T, seed uint64) int {
	t.Helper()
	w := &foreignWriter{t: t, random: rand.New(rand.NewPCG(seed, 1)), root: t.TempDir(), changes: map[string][]string{}, written: map[string]string{}}
	w.tree()
	edited := seed%2 == 0
	if edited {
		w.edit()
	}
	valid := w.everybodyWrites(fmt.Sprintf("tree %d", seed), edited)
	for _, view := range []string{fs.State, ".forgemind/.local", ".quaid/context"} {
		if err := os.RemoveAll(filepath.Join(w.root, view)); err != nil {
			t.Fatal(err)
		}
	}
	return valid + w.everybodyWrites(fmt.Sprintf("clone of tree %d", seed), false)
}

// everybodyWrites writes into a tree, but where views were edited in a way that is not
// valid. It returns whether the tree is valid: 0 or 1.
func (w *foreignWriter) everybodyWrites(where string, edited bool) int {
	h := enter(w.t, w.root)
	defer h.Close()
	h.age(".forgemind/context") // a State that is not there is not being saved
	report, err := validate.Tree(h.Tree, validate.Options{})
	if err != nil {
		w.t.Fatal(err)
	}
	if report.Errors > 0 && edited {
		return 0
	}
	for what, err := range h.everyWrite() {
		if refused := (*validate.Refused)(nil); errors.As(err, &refused) {
			w.t.Errorf("%s: %s: %v\n%s", where, what, err, w.log)
		}
	}
	for name, text := range w.written {
		if now := h.read(name); now != text && fs.Place(name) != fs.DocState && fs.Place(name) != fs.DocHotContext {
			w.t.Errorf("%s: %s is %s\n%s", where, name, now, w.log)
		}
	}
	if report.Errors > 0 {
		return 0
	}
	return 1
}

// everyWrite writes something of each kind, and returns what came of it.
func (h *house) everyWrite() map[string]error {
	ctx, came := context.Background(), map[string]error{}
	_, _, came["goal add"] = h.AddGoal(ctx, schema.Goal{Goal: "Thin the pears"})
	_, _, came["goal update"] = h.UpdateGoal(ctx, "g-1", session.GoalChange{Status: new("in-progress")}, "ann")
	_, _, came["goal complete"] = h.CompleteGoal(ctx, "g-2", "ann")
	_, _, came["constraint add"] = h.AddConstraint(ctx, schema.Constraint{Constraint: "No copper"})
	_, _, came["remember"] = h.AddNote(ctx, schema.Note{Note: "The ladder is at the barn"})
	question, _, err := h.Ask(ctx, schema.Question{Question: "Which graft?"})
	came["question ask"] = err
	_, _, came["question answer"] = h.Answer(ctx, question.ID, "Whip and tongue", "ann")
	_, _, came["action add"] = h.AddAction(ctx, schema.Action{Action: "Sharpen the saw"})
	_, _, came["action done"] = h.FinishAction(ctx, "a-1", "ann", true)
	_, _, came["decision add"] = h.Decide(ctx, schema.Decision{Decision: "Prune in March", Priority: "high"})
	_, _, came["message add"] = h.Say(ctx, []schema.Message{{Content: "Decision: spray in May.", Agent: "user"}})
	_, came["layer"] = h.SetProject(ctx, map[string]any{records.Layer: 3})
	_, came["end session"] = h.KeepState(ctx, "ann", "end")
	return came
}

// A foreignWriter writes records, and changes of records, of which most are valid.
type foreignWriter struct {
	t       *testing.T
	random  *rand.Rand
	root    string
	changes map[string][]string // by record: the ids of its changes
	written map[string]string   // by name, which commands leave as they are
	log     string
}

func (w *foreignWriter) file(name, text string) {
	write(w.t, w.root, name, text)
	w.written[name] = text
	w.log += name + ": " + text + "\n"
}

func (w *foreignWriter) tree() {
	w.file(fs.Config, `{"format": 2, "views": "local"}`)
	if err := os.MkdirAll(w.root+"/"+fs.Quaid, 0o755); err != nil {
		w.t.Fatal(err)
	}
	name := `"name": "Orchard"`
	if w.random.IntN(4) == 0 {
		name = `"name": ` + string(w.value("name")) // which may be null, or a number
	}
	w.file(fs.ProjectFile, `{`+name+`, "id": "p1", "current_layer": 1, "layer_name": "MODULE", "clarity": 20, "status": "In Progress", "/x/y": 1}`)
	for n := 1; n <= 3; n++ {
		w.file(fmt.Sprintf(".forgemind/goals/g-%d.json", n), fmt.Sprintf(`{"id": "g-%d", "goal": "Goal %d", "status": "pending"}`, n, n))
		w.file(fmt.Sprintf(".forgemind/actions/a-%d.json", n), fmt.Sprintf(`{"id": "a-%d", "action": "Action %d"}`, n, n))
		w.file(fmt.Sprintf(".forgemind/questions/q-%d.json", n), fmt.Sprintf(`{"id": "q-%d", "question": "Question %d?"}`, n, n))
		w.file(fmt.Sprintf(".forgemind/notes/n-%d.json", n), fmt.Sprintf(`{"id": "n-%d", "note": "Note %d"}`, n, n))
		w.file(fmt.Sprintf(".forgemind/constraints/c-%d.json", n), fmt.Sprintf(`{"id": "c-%d", "constraint": "Constraint %d"}`, n, n))
	}
	for n := range 1 + w.random.IntN(8) {
		w.change(n)
	}
	if w.random.IntN(6) == 0 {
		for _, folder := range []string{"goals/g", "actions/a", "questions/q", "notes/n", "constraints/c"} {
			w.spoil(folder)
		}
	}
}

// spoil writes a record with a member that may be nothing that a view can show.
func (w *foreignWriter) spoil(folder string) {
	id := path.Base(folder) + "-4"
	text := strings.TrimSuffix(path.Dir(folder), "s")
	members := []string{text, "status", "priority", "layer", "blocking", "blocked_by", "parent_goal_id", "created", "estimated_time_minutes", "due", text + "_id", "description", "other"}
	name := members[w.random.IntN(len(members))]
	first := ""
	if name != text {
		first = fmt.Sprintf(`, %q: "Four"`, text)
	}
	w.file(".forgemind/"+path.Dir(folder)+"/"+id+".json", fmt.Sprintf(`{"id": %q%s, %q: %s}`, id, first, name, w.bad(name)))
}

// bad returns a value for a member that often is none that a view can show.
func (w *foreignWriter) bad(name string) json.RawMessage {
	values := []string{"5", "[1]", `{"a": 1, "a": 2}`, "1e400", "null", strings.Repeat("[", 126) + strings.Repeat("]", 126)}
	if n := w.random.IntN(2 * len(values)); n < len(values) {
		return json.RawMessage(values[n])
	}
	return w.value(name)
}

// change adds a change that saw some of the others.
func (w *foreignWriter) change(n int) {
	of, folder := "project", "progress"
	members := []string{"name", "id", "current_idea", "current_layer", "layer_name", "clarity", "status", "progress/1", "progress/x", "progress", "/role", "/x", "/x/y", "/x/z", "/notes", "/version", "/open_questions", "", "other"}
	if kind := w.random.IntN(9); kind < 5 {
		word := []string{"goal", "action", "question", "note", "constraint"}[kind]
		of, folder = fmt.Sprintf("%c-%d", word[0], 1+w.random.IntN(3)), word+"s"
		members = []string{word, "status", "priority", "layer", "blocking", "blocked_by", "parent_goal_id", "agent", "created", "estimated_time_minutes", "assigned_to", "due", "context", "other"}
	}
	set := map[string]json.RawMessage{}
	for range 1 + w.random.IntN(2) {
		name := members[w.random.IntN(len(members))]
		set[name] = w.value(name)
	}
	after := []string{}
	for _, id := range w.changes[of] {
		if w.random.IntN(2) == 0 {
			after = append(after, id)
		}
	}
	id := fmt.Sprintf("change%d", n)
	w.changes[of] = append(w.changes[of], id)
	text, err := json.Marshal(map[string]any{"of": of, "after": after, "at": fmt.Sprintf("2026-03-0%dT09:00:00Z", 1+w.random.IntN(9)), "by": "ben", "set": set})
	if err != nil {
		w.t.Fatal(err)
	}
	name := fmt.Sprintf(".forgemind/%s/%s.updated-%s.json", folder, of, id)
	if of == "project" {
		name = fmt.Sprintf(".forgemind/progress/20260302T09000000%dZ-%s.json", n, id)
	}
	w.file(name, string(text))
}

// edit changes a few values in the views, as somebody with an editor does.
func (w *foreignWriter) edit() {
	h := enter(w.t, w.root)
	defer h.Close()
	if _, _, err := h.AddGoal(context.Background(), schema.Goal{Goal: "Make views"}); err != nil {
		return // refused, and that is told by validate
	}
	hot := session.HotContext(h.active())
	for range 1 + w.random.IntN(3) {
		name, pointers := fs.State, []string{"/project/current_layer", "/project/layer_name", "/project/clarity", "/project/progress", "/project/name", "/role", "/x", "/x/y",
			"/pending_actions/0/action", "/pending_actions/1/blocked_by", "/open_questions/0/status", "/open_questions/1/blocking", "/open_questions/0/id", "/context_window/used_tokens"}
		if w.random.IntN(3) == 0 {
			name, pointers = hot, []string{"/active_goals/0/goal", "/active_goals/1/status", "/important_constraints/0/constraint", "/notes/0/note", "/pending_actions/0/id", "/version"}
		}
		pointer := pointers[w.random.IntN(len(pointers))]
		member := strings.TrimPrefix(strings.TrimPrefix(pointer[strings.LastIndexByte(pointer, '/'):], "/"), "x")
		text, err := jsonedit.Set([]byte(h.read(name)), pointer, w.value(member))
		if err != nil {
			continue // there is no such item
		}
		w.file(name, string(text))
		h.age(name)
	}
}

// value returns a value for a member: mostly one that suits it.
func (w *foreignWriter) value(name string) json.RawMessage {
	suits := map[string][]string{
		"current_layer": {"0", "3", "5", "2.0"}, "layer_name": {`"CODE"`, `"IDEA"`, `"DOMAIN"`}, "clarity": {"0", "55.5", "100"}, "layer": {"0", "5", "null"},
		"progress/1": {`{"clarity": 10, "best": 20, "invalidated": false}`, "null"}, "/role": {`{"agent": "A", "agent_id": "B", "mode": "C"}`},
		"blocking": {`["a-1"]`, `["a-2", "a-3"]`}, "blocked_by": {`["q-1"]`, `["a-1"]`, `["q-2", "weather"]`}, "parent_goal_id": {`"g-1"`, `"g-2"`},
		"created": {`"2026-03-01T09:00:00Z"`, "null"}, "due": {`"2026-04-01T09:00:00Z"`}, "estimated_time_minutes": {"15"},
		"status": {`"done"`, `"blocked"`, `"pending"`, `"complete"`, `"in-progress"`, `"removed"`, `"some day"`},
		"/x":     {"1", "null", `"text"`, "[1]"}, "/x/y": {"1", "null", "{}"},
	}
	if odd := w.random.IntN(12); odd == 0 {
		values := []string{"null", "true", "-1", "9", "200", "1e3", `""`, `"x"`, "[]", "[1]", `["a"]`, "{}", `{"a": {"b": 1}}`}
		return json.RawMessage(values[w.random.IntN(len(values))])
	}
	values, ok := suits[name]
	if !ok {
		values = []string{`"text"`, `"another"`}
	}
	return json.RawMessage(values[w.random.IntN(len(values))])
}
