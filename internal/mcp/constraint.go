package mcp

import (
	"cmp"
	"fmt"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/operation"
	"github.com/forgemind/forgemind/schema"
)

func constraintTool() tool {
	return tool{
		name: "constraint", title: "Add or remove a constraint",
		about: "A rule that the active session, and those that continue it, must keep: add one, or remove one that no longer applies. work_list shows them.",
		members: []member{
			{name: "action", kind: text, must: true, words: []string{"add", "remove"}, about: "what to do"},
			{name: "text", kind: text, most: longText, about: "the rule; needed to add"},
			{name: "id", kind: text, most: longText, about: "to remove: the constraint's id, or a part of its text that no other has"},
		},
		writes: true, again: true,
		run: (*call).constraint,
	}
}

// A plainConstraint is a constraint without its methods, so that it is an object.
type plainConstraint schema.Constraint

type changedConstraint struct {
	Version int `json:"version"`
	plainConstraint
}

func (c *call) constraint() (answer, error) {
	action := c.text("action")
	if err := c.needs(action, map[string]string{"add": "text", "remove": "id"}); err != nil {
		return answer{}, err
	}
	return c.change(func(tree *engine.Tree) (did string, item any, out engine.Outcome, err error) {
		var r schema.Constraint
		if action == "add" {
			did = "added"
			r, out, err = operation.AddConstraint(c.ctx, tree, schema.Constraint{Constraint: c.text("text"), Agent: c.agent})
		} else {
			did = "removed"
			r, out, err = operation.RemoveConstraint(c.ctx, tree, c.text("id"), c.agent)
		}
		r.ID, r.Constraint = cmp.Or(r.ID, r.Constraint), clip(r.Constraint, 1000)
		return fmt.Sprintf("%s %s: %s", did, clip(r.ID, 200), inline(r.Constraint, 400)), changedConstraint{1, plainConstraint(r)}, out, err
	})
}
