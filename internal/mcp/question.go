package mcp

import (
	"fmt"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/operation"
	"github.com/forgemind/forgemind/schema"
)

func questionTool() tool {
	return tool{
		name: "question", title: "Ask or answer an open question",
		about: "A question that only the user can answer, kept until it is answered: ask one, or record the user's answer. work_list shows those that are open.",
		members: []member{
			{name: "action", kind: text, must: true, words: []string{"ask", "answer"}, about: "what to do"},
			{name: "text", kind: text, must: true, most: longText, about: "the question, or the answer"},
			{name: "id", kind: text, most: 200, about: "to answer: the question's id"},
			{name: "context", kind: text, most: longText, about: "to ask: what it is about, or why it matters"},
			{name: "priority", kind: text, words: []string{"high", "medium", "low"}, about: "to ask: how urgent it is"},
			{name: "blocks", kind: texts, most: manyText, about: "to ask: the ids of actions that wait for the answer"},
			{name: "by", kind: text, most: 100, about: "to answer: who answered; the user by default"},
		},
		writes: true,
		run:    (*call).question,
	}
}

type askedQuestion struct {
	Version int `json:"version"`
	schema.Question
}

type answeredQuestion struct {
	Version int `json:"version"`
	schema.Clarification
}

func (c *call) question() (answer, error) {
	action := c.text("action")
	if err := c.needs(action, map[string]string{"answer": "id"}); err != nil {
		return answer{}, err
	}
	return c.change(func(tree *engine.Tree) (string, any, engine.Outcome, error) {
		if action == "ask" {
			q, out, err := operation.Ask(c.ctx, tree, schema.Question{
				Question: c.text("text"), Context: c.text("context"), AskedBy: c.agent, Priority: c.text("priority"), Blocking: c.texts("blocks"),
			})
			q.Question, q.Context = clip(q.Question, 1000), clip(q.Context, 500)
			return fmt.Sprintf("asked %s: %s", q.ID, inline(q.Question, 400)), askedQuestion{1, q}, out, err
		}
		a, out, err := operation.Answer(c.ctx, tree, c.text("id"), c.text("text"), c.text("by"))
		a.Question, a.Context, a.Answer = clip(a.Question, 1000), clip(a.Context, 500), clip(a.Answer, 1000)
		return fmt.Sprintf("answered %s: %s", inline(a.ID, 200), inline(a.Answer, 400)), answeredQuestion{1, a}, out, err
	})
}
