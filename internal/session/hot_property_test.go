package session_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// A hotStep is an edit, and the members of a hot context that it may touch.
type hotStep struct {
	what    string
	edit    hotEdit
	touches []string // names of top-level members
	item    string   // id or text of the only item of touches[0] that it may touch; "" is any
	takes   bool     // off a list, so that there is nothing to take the second time
}

const hotTime = "2026-03-02T09:00:00Z"

// someStep draws an edit. Ids and texts are few, so that they meet.
func someStep(t *rapid.T) hotStep {
	n := func(label string) int { return rapid.IntRange(0, 6).Draw(t, label) }
	a, b := n("a"), n("b")
	goal, action := fmt.Sprintf("goal-%d", a), fmt.Sprintf("ACT-%d", a)
	opt := func(s ...string) *string {
		return rapid.SampledFrom(append([]*string{nil}, pointers(s)...)).Draw(t, "or")
	}
	switch rapid.SampledFrom(strings.Fields("goal goal update update complete action finish constraint free note forget touch entities ask answer decide")).Draw(t, "edit") {
	case "goal":
		g := schema.Goal{ID: goal, Goal: fmt.Sprintf("Reach %d", a), Agent: "x", Created: hotTime}
		if b < a {
			g.ParentGoalID = fmt.Sprintf("goal-%d", b)
		}
		return hotStep{"add " + goal, addGoal(g), []string{"active_goals"}, goal, false}
	case "update":
		change := session.GoalChange{
			Goal: opt("Reach more", "Reach <\"all\">"), Status: opt("pending", "in-progress"), Priority: opt("high", "low"),
			Parent: opt("", fmt.Sprintf("goal-%d", b)),
		}
		return hotStep{"update " + goal, updateGoal(goal, change), []string{"active_goals"}, goal, false}
	case "complete":
		return hotStep{"complete " + goal, completeGoal(goal), []string{"active_goals"}, goal, true}
	case "action":
		return hotStep{"add " + action, func(h *session.Hot) error {
			_, err := h.AddAction(schema.Action{ID: action, Action: fmt.Sprintf("Do %d", a), BlockedBy: schema.IDs{fmt.Sprintf("Q-%d", b)}})
			return err
		}, []string{"pending_actions", "open_questions"}, action, false}
	case "finish":
		return hotStep{"finish " + action, finishAction(action), []string{"pending_actions", "open_questions"}, "", true}
	case "constraint":
		return hotStep{"constraint", func(h *session.Hot) error {
			_, err := h.AddConstraint(schema.Constraint{Constraint: fmt.Sprintf("Keep %d", a)})
			return err
		}, []string{"important_constraints"}, fmt.Sprintf("Keep %d", a), false}
	case "free":
		return hotStep{"free", func(h *session.Hot) error { _, err := h.RemoveConstraint(fmt.Sprintf("keep %d ", a)); return err },
			[]string{"important_constraints"}, fmt.Sprintf("Keep %d", a), true}
	case "note":
		id := fmt.Sprintf("note-%d", a)
		return hotStep{"note", addNote(schema.Note{ID: id, Note: fmt.Sprintf("Know %d", a)}), []string{"notes"}, id, false}
	case "forget":
		id := fmt.Sprintf("note-%d", a)
		return hotStep{"forget", func(h *session.Hot) error { _, err := h.RemoveNote(id); return err }, []string{"notes"}, id, true}
	case "touch":
		return hotStep{"touch", touch(fmt.Sprintf("f%d.go", a), rapid.SampledFrom([]string{"", "Open"}).Draw(t, "function"), "x", hotTime),
			[]string{"current_file_context"}, "", false}
	case "entities":
		names := rapid.SliceOfN(rapid.SampledFrom(strings.Fields("a b c d e f g h i j k l m n")), 0, 13).Draw(t, "names")
		return hotStep{"entities", func(h *session.Hot) error {
			return h.AddEntities(map[string][]string{fmt.Sprintf("kind/%d", b%2): names})
		},
			[]string{"key_entities"}, "", false}
	case "ask":
		q := schema.Question{ID: fmt.Sprintf("Q-%d", a), Question: "Why?", Blocking: []string{fmt.Sprintf("ACT-%d", b)}}
		return hotStep{"ask", func(h *session.Hot) error { return h.Ask(q) }, []string{"open_questions", "pending_actions"}, q.ID, false}
	case "answer":
		id := fmt.Sprintf("Q-%d", a)
		return hotStep{"answer", func(h *session.Hot) error { _, err := h.Answer(id); return err }, []string{"open_questions", "pending_actions"}, "", true}
	}
	d := schema.Decision{ID: fmt.Sprintf("DEC-%d", a), Decision: "Use it", Timestamp: hotTime, Supersedes: schema.IDs{fmt.Sprintf("dec-%03d", b)}}
	return hotStep{"decide", func(h *session.Hot) error { return h.ShowDecision(d) }, []string{"key_decisions"}, "", false}
}

func pointers(list []string) []*string {
	var all []*string
	for _, s := range list {
		all = append(all, &s)
	}
	return all
}

// members are the texts of a hot context's top-level members by name; those of
// the list that one holds by the item's id or text.
func members(t *rapid.T, src []byte, list string) (all map[string]string, items map[string]string) {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	all, items = map[string]string{}, map[string]string{}
	for i := range doc.Children(0) {
		if doc.Key(i) != "version" {
			all[doc.Key(i)] = string(doc.Raw(i))
		}
		if doc.Key(i) == list && doc.Nodes[i].Kind == jsonedit.Array {
			for c := range doc.Children(i) {
				name, _ := doc.Str(c)
				for _, m := range []string{"goal_id", "id"} {
					if id, ok := doc.Str(doc.Member(c, m)); ok {
						name = id
					}
				}
				items[name] = string(doc.Raw(c))
			}
		}
	}
	return all, items
}

// Whatever is done to a hot context of either shape: the version rises by one
// exactly where the text is another, the same again changes nothing, a failure
// changes nothing, and what an edit is not about stays byte for byte.
func TestHotProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := []byte(rapid.SampledFrom([]string{example, class, "{}", `{"version":41 ,"notes":null}`}).Draw(t, "from"))
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			step := someStep(t)
			out, version, err := afterStep(t, src, step.edit)
			h, _ := session.ReadHot(src)
			before := h.Version()
			switch changed := !bytes.Equal(out, src); {
			case err != nil && changed:
				t.Fatalf("%s failed, and changed it: %v\n%s", step.what, err, out)
			case changed && version != before+1, !changed && version != before:
				t.Fatalf("%s: version %d after %d; changed: %v\n%s", step.what, version, before, changed, out)
			}
			if now, _ := session.ReadHot(out); now.Version() != version {
				t.Fatalf("%s: the text says %d, Version %d", step.what, now.Version(), version)
			}
			untouched(t, step, src, out)
			again, _, err2 := afterStep(t, out, step.edit)
			var unknown *session.Unknown
			if !bytes.Equal(again, out) || step.takes && err == nil && !errors.As(err2, &unknown) {
				t.Fatalf("%s twice: %v\n%s\n%s", step.what, err2, out, again)
			}
			src = out
		}
		var whole schema.HotContext
		if err := jsonedit.Decode(src, &whole); err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
	})
}

// Many edits at once raise the version by one.
func TestHotPropertyOfMany(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := []byte(rapid.SampledFrom([]string{example, class, "{}"}).Draw(t, "from"))
		one := src
		steps := rapid.IntRange(1, 8).Draw(t, "steps")
		h, _ := session.ReadHot(src)
		before := h.Version()
		for range steps {
			step := someStep(t)
			step.edit(h)
			one, _, _ = afterStep(t, one, step.edit)
		}
		text, err := h.Text()
		if err != nil {
			t.Fatal(err)
		}
		if rose := h.Version() - before; rose > 1 || (rose == 1) != !bytes.Equal(text, src) {
			t.Fatalf("rose by %d\n%s", rose, text)
		}
		a, _ := members(t, text, "")
		b, _ := members(t, one, "")
		if !maps.Equal(a, b) {
			t.Fatalf("at once\n%s\none by one\n%s", text, one)
		}
	})
}

func afterStep(t *rapid.T, src []byte, edit hotEdit) (out []byte, version int, err error) {
	h, fault := session.ReadHot(src)
	if fault != nil {
		t.Fatalf("%v\n%s", fault, src)
	}
	err = edit(h)
	out, fault = h.Text()
	if fault != nil {
		t.Fatal(fault)
	}
	return out, h.Version(), err
}

// untouched holds that step changed nothing but what it may.
func untouched(t *rapid.T, step hotStep, src, out []byte) {
	before, had := members(t, src, step.touches[0])
	after, has := members(t, out, step.touches[0])
	for name, text := range before {
		if !slices.Contains(step.touches, name) && after[name] != text {
			t.Fatalf("%s touched %s:\n%s\n%s", step.what, name, text, after[name])
		}
	}
	for name, text := range had {
		if step.item != "" && name != step.item && has[name] != text {
			t.Fatalf("%s touched %s of %s:\n%s\n%s", step.what, name, step.touches[0], text, has[name])
		}
	}
}
