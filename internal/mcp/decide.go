package mcp

import (
	"fmt"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/schema"
)

// decisionMembers are what a decision that is recorded says beside its text.
func decisionMembers(first ...member) []member {
	return append(first,
		member{name: "rationale", kind: text, most: longText, about: "why it was decided"},
		member{name: "alternatives", kind: texts, most: manyText, about: "what was rejected"},
		member{name: "impact", kind: texts, most: manyText, about: "what follows from it"},
		member{name: "files", kind: texts, most: manyText, about: "paths that it is about, relative to the project directory or in full"},
		member{name: "priority", kind: text, words: []string{"normal", schema.HighPriority}, about: "high is for what shapes the project; normal by default"},
		member{name: "maker", kind: text, most: 100, about: "who decided, such as the user; the agent that calls by default"})
}

func decisionAddTool() tool {
	return tool{
		name: "decision_add", title: "Record a decision",
		about: "Record what was decided, with why and what was rejected. It is never changed afterwards: what replaces it is recorded by decision_supersede.",
		members: decisionMembers(
			member{name: "decision", kind: text, must: true, most: longText, about: "what was decided, in one sentence"}),
		writes: true,
		run:    func(c *call) (answer, error) { return c.decide(nil) },
	}
}

func decisionSupersedeTool() tool {
	return tool{
		name: "decision_supersede", title: "Replace a decision by another",
		about: "Record a decision that takes the place of an earlier one. The earlier one stays in the ledger, marked as superseded.",
		members: decisionMembers(
			member{name: "id", kind: text, must: true, most: 200, about: "the decision that holds no more; decision_list gives ids"},
			member{name: "decision", kind: text, must: true, most: longText, about: "what holds instead, in one sentence"}),
		writes: true,
		run:    func(c *call) (answer, error) { return c.decide([]string{c.text("id")}) },
	}
}

// A recorded decision is what decision_add and decision_supersede answer.
type recordedDecision struct {
	Version int `json:"version"`
	listedDecision
}

func (c *call) decide(supersedes []string) (answer, error) {
	return c.change(func(tree *engine.Tree) (string, any, engine.Outcome, error) {
		var files []string
		for _, given := range c.texts("files") {
			file, err := pathIn(tree.Root(), given)
			if err != nil {
				return "", nil, engine.Outcome{}, err
			}
			files = append(files, file)
		}
		d, out, err := tree.Decide(c.ctx, schema.Decision{
			Decision:             c.text("decision"),
			Rationale:            c.text("rationale"),
			AlternativesRejected: c.texts("alternatives"),
			Impact:               c.texts("impact"),
			Files:                files,
			DecisionMaker:        c.text("maker"),
			RecordedBy:           c.agent,
			Supersedes:           supersedes,
			Origin:               schema.OriginExplicit,
			Priority:             schema.Word(c.text("priority")),
		})
		headline := fmt.Sprintf("recorded %s: %s", d.ID, inline(d.Decision, 400))
		if supersedes != nil {
			headline += fmt.Sprintf("\n%s is superseded", clip(supersedes[0], 100))
		}
		return headline, recordedDecision{1, listDecision(d, "", 600)}, out, err
	})
}

// change opens the tree, has do change it, and says what came of it.
func (c *call) change(do func(*engine.Tree) (headline string, item any, out engine.Outcome, err error)) (answer, error) {
	tree, err := c.edit()
	if err != nil {
		return answer{}, err
	}
	defer tree.Close()
	headline, item, out, err := do(tree)
	if err != nil {
		return answer{}, err
	}
	return record(headline, item, out)
}
