package mcp

import (
	"cmp"
	"fmt"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/operation"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

func goalTool() tool {
	return tool{
		name: "goal", title: "Add, update or complete a goal",
		about: "The goals of the active session: add one, change one, or complete one, which removes it from the list. work_list shows them.",
		members: []member{
			{name: "action", kind: text, must: true, words: []string{"add", "update", "complete"}, about: "what to do"},
			{name: "text", kind: text, most: longText, about: "the goal; needed to add"},
			{name: "id", kind: text, most: longText, about: "to update or complete: the goal's id, or a part of its text that no other has"},
			{name: "status", kind: text, words: []string{session.Pending, session.InProgress}, about: "its status"},
			{name: "priority", kind: text, words: []string{session.High, session.Medium, session.Low}, about: "how urgent it is"},
			{name: "parent", kind: text, most: longText, about: "the goal that it is a part of, by its id or text"},
		},
		writes: true, again: true,
		run: (*call).goal,
	}
}

// A plainGoal is a goal without its methods, so that it is an object.
type plainGoal schema.Goal

type changedGoal struct {
	Version int `json:"version"`
	plainGoal
}

func (c *call) goal() (answer, error) {
	action := c.text("action")
	if err := c.needs(action, map[string]string{"add": "text", "update": "id", "complete": "id"}); err != nil {
		return answer{}, err
	}
	given := func(name string) *string {
		if value := c.text(name); value != "" {
			return &value
		}
		return nil
	}
	change := session.GoalChange{Goal: given("text"), Status: given("status"), Priority: given("priority"), Parent: given("parent")}
	if action == "update" && change == (session.GoalChange{}) {
		return answer{}, misused("goal: what to change is missing: text, status, priority or parent")
	}
	return c.change(func(tree *engine.Tree) (did string, item any, out engine.Outcome, err error) {
		var g schema.Goal
		switch action {
		case "add":
			did = "added"
			g, out, err = operation.AddGoal(c.ctx, tree, schema.Goal{
				Goal: c.text("text"), Status: c.text("status"), Priority: c.text("priority"), ParentGoalID: c.text("parent"), Agent: c.agent,
			})
		case "update":
			did = "updated"
			g, out, err = operation.UpdateGoal(c.ctx, tree, c.text("id"), change, c.agent)
		default:
			did = "completed"
			g, out, err = operation.CompleteGoal(c.ctx, tree, c.text("id"), c.agent)
		}
		g.ID, g.Goal = cmp.Or(g.ID, g.Goal), clip(g.Goal, 1000)
		return fmt.Sprintf("%s %s: %s", did, clip(g.ID, 200), inline(g.Goal, 400)), changedGoal{1, plainGoal(g)}, out, err
	})
}

// needs returns an error if a member that an action requires was not given.
func (c *call) needs(action string, members map[string]string) error {
	name := members[action]
	if name == "" || c.text(name) != "" {
		return nil
	}
	how := ""
	if name == "id" {
		how = "; work_list gives ids"
	}
	return misused("action %s needs %s%s", action, name, how)
}
