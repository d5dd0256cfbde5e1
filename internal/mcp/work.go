package mcp

import (
	"cmp"
	"errors"
	"fmt"
	iofs "io/fs"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/schema"
)

// kindsOfWork are what work_list lists, in this order.
var kindsOfWork = []string{"goal", "constraint", "question", "action", "note"}

func workListTool() tool {
	return tool{
		name: "work_list", title: "List goals, constraints, questions, actions and notes",
		about: "What is open: goals, constraints, open questions, pending actions and notes of the active session and the project's state, each with the id by which other tools take it.",
		members: []member{
			{name: "kind", kind: text, words: slices.Clone(kindsOfWork), about: "only these; all by default"},
			limitMember(30, 100), offsetMember(),
		},
		plural: "items",
		run:    func(c *call) (answer, error) { return reading(c.server, c.listWork) },
	}
}

// A workItem is something that is open.
type workItem struct {
	ID       string `json:"id"`
	Kind     string `json:"kind"`
	Text     string `json:"text"`
	Status   string `json:"status,omitempty"`
	Priority string `json:"priority,omitempty"`
	Parent   string `json:"parent,omitempty"`
	Waits    string `json:"blocked_by,omitempty"`
	By       string `json:"by,omitempty"`
	Time     string `json:"time,omitempty"`
}

func (w *workItem) line() string {
	about := []string{w.Kind}
	for _, part := range []string{w.Status, w.Priority, w.By, w.Time} {
		if part != "" {
			about = append(about, part)
		}
	}
	if w.Waits != "" {
		about = append(about, "waits for "+w.Waits)
	}
	if w.Parent != "" {
		about = append(about, "part of "+w.Parent)
	}
	return fmt.Sprintf("%s (%s): %s", w.ID, strings.Join(about, ", "), w.Text)
}

func (c *call) listWork(tree *fs.Tree) (answer, error) {
	l := list{plural: "items", offset: c.number("offset", 0)}
	id, all, err := work(tree, &l)
	if err != nil {
		return answer{}, err
	}
	l.head = "the project's state; no session is active"
	if id != "" {
		l.head = "session " + inline(id, 80)
	}
	if kind := c.text("kind"); kind != "" {
		all = slices.DeleteFunc(all, func(w workItem) bool { return w.Kind != kind })
	}
	from, to := page(len(all), l.offset, c.number("limit", 30))
	l.offset = from
	for _, w := range all[from:to] {
		w.cut()
		if !l.add(w, w.line()) {
			break
		}
	}
	return l.answer(len(all))
}

// noteUnread notes that a view cannot be read in whole, if it cannot.
func noteUnread(tree *fs.Tree, l *list, name string) {
	if views.FindUnread(tree, name) != nil {
		l.note("%s cannot be read in whole; validate says more", name)
	}
}

// work is what is open in the active session, whose id it returns, and in the
// State. What cannot be read is noted.
func work(tree *fs.Tree, l *list) (id string, all []workItem, err error) {
	var s schema.State
	src, err := tree.Read(fs.State)
	if err == nil {
		err = jsonedit.Decode(src, &s)
	}
	if err != nil && !errors.Is(err, iofs.ErrNotExist) {
		l.note("%s cannot be read; validate says more", fs.State)
	} else {
		noteUnread(tree, l, fs.State)
	}
	var hot schema.HotContext
	if id, _, err = session.InForce(tree); err != nil {
		return "", nil, err
	}
	if id != "" {
		name := session.HotContext(id)
		src, err := tree.Read(name)
		var h *session.Hot
		if err == nil {
			h, err = session.ReadHot(src)
		}
		switch {
		case err == nil:
			noteUnread(tree, l, name)
			hot = h.Context()
		case errors.Is(err, iofs.ErrNotExist):
			id = ""
		default:
			l.note("%s cannot be read; validate says more", name)
		}
	}
	if id == "" {
		if hot, err = views.Project(tree); err != nil {
			return "", nil, err
		}
	}
	for _, g := range hot.ActiveGoals {
		all = append(all, workItem{ID: cmp.Or(g.ID, g.Goal), Kind: "goal", Text: g.Goal, Status: g.Status, Priority: g.Priority, Parent: g.ParentGoalID, By: g.Agent, Time: g.Created})
	}
	for _, r := range hot.ImportantConstraints {
		all = append(all, workItem{ID: cmp.Or(r.ID, r.Constraint), Kind: "constraint", Text: r.Constraint, By: r.Agent, Time: r.Created})
	}
	for _, q := range session.Questions(s.OpenQuestions, hot.OpenQuestions) {
		all = append(all, workItem{ID: cmp.Or(q.ID, q.Question), Kind: "question", Text: q.Question, Status: q.Status, Priority: q.Priority, By: q.AskedBy, Time: q.AskedAt})
	}
	for _, a := range session.Actions(s.PendingActions, hot.PendingActions) {
		all = append(all, workItem{ID: cmp.Or(a.ID, a.Action), Kind: "action", Text: a.Action, Priority: a.Priority, Waits: strings.Join(a.BlockedBy, ", "), By: cmp.Or(a.AssignedTo, a.CreatedBy), Time: a.Created})
	}
	for _, n := range hot.Notes {
		all = append(all, workItem{ID: cmp.Or(n.ID, n.Note), Kind: "note", Text: n.Note, By: n.Agent, Time: n.Created})
	}
	return id, all, nil
}

// cut shortens a stranger's texts for a list.
func (w *workItem) cut() {
	w.Text = inline(w.Text, 400)
	for _, short := range []*string{&w.ID, &w.Status, &w.Priority, &w.Parent, &w.Waits, &w.By, &w.Time} {
		*short = inline(*short, 100)
	}
}
