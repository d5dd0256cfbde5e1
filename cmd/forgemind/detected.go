package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/extract"
	"github.com/forgemind/forgemind/internal/operation"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// A detectedStatement is a decision, a rule or a goal in a message that nobody recorded.
type detectedStatement struct {
	ID         string  `json:"id"` // of the message
	Class      string  `json:"class"`
	Text       string  `json:"text"`
	Rationale  string  `json:"rationale,omitempty"`
	Confidence float64 `json:"confidence"` // ratio
	Timestamp  string  `json:"timestamp,omitempty"`
	Agent      string  `json:"agent,omitempty"`
}

// detectedFlag returns `--detected` of the lists of what messages state.
func detectedFlag(what string) cli.Flag {
	return &cli.BoolFlag{Name: "detected", Usage: "only " + what + " that messages state and nobody recorded", DisableDefaultText: true}
}

// promoteCommand returns the command that records what a message states.
func promoteCommand(what string, action cli.ActionFunc) *cli.Command {
	return &cli.Command{
		Name:      "promote",
		Usage:     "Record a " + what + " that was detected in a message",
		ArgsUsage: "MESSAGE",
		Description: "'forgemind " + what + " list --detected' lists them. The one who said it is its author unless --agent names " +
			"another.\n'forgemind " + what + " promote msg-7f3k2q'",
		Flags:  hotFlags(),
		Action: takes(1, 1, action),
	}
}

// listDetected prints the statements of a class that messages make and nobody recorded.
func (p *program) listDetected(c *cli.Context, class string) error {
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	recorded, err := p.recordedStatements(tree, class)
	if err != nil {
		return err
	}
	found, err := detectedStatements(tree, class)
	if err != nil {
		return err
	}
	list := []detectedStatement{}
	var lines strings.Builder
	for _, d := range found {
		if recorded[strings.ToLower(d.Text)] {
			continue
		}
		m := d.Message
		list = append(list, detectedStatement{m.ID, class, d.Text, d.Rationale, d.Confidence, m.Timestamp, m.Agent})
		lines.WriteString(itemLine(m.ID, d.Text, m.Agent, fmt.Sprintf("confidence %v", d.Confidence)))
	}
	if wantsJSON(c) {
		return p.printList("detected", list)
	}
	p.printLines(lines.String())
	return nil
}

// detectedStatements returns the statements of a class in the whole conversation, with the
// messages that left it.
func detectedStatements(tree *fs.Tree, class string) ([]engine.Detection, error) {
	messages, _, err := conversation(tree)
	if err != nil {
		return nil, err
	}
	if messages, err = withLeft(tree, messages, true); err != nil {
		return nil, err
	}
	return engine.Detections(tree, messages, class)
}

// recordedStatements returns the texts that are recorded, in lower case.
func (p *program) recordedStatements(tree *fs.Tree, class string) (map[string]bool, error) {
	hot, err := p.hotOf(tree)
	if err != nil {
		return nil, err
	}
	recorded := map[string]bool{}
	switch class {
	case extract.ClassDecision:
		return recordedTexts(tree, hot), nil
	case extract.ClassRule:
		for _, c := range hot.ImportantConstraints {
			recorded[strings.ToLower(c.Constraint)] = true
		}
	case extract.ClassGoal:
		for _, g := range hot.ActiveGoals {
			recorded[strings.ToLower(g.Goal)] = true
		}
	}
	return recorded, nil
}

// detectedIn returns the statement of a class in the message that the first argument names.
func (p *program) detectedIn(c *cli.Context, class string) (engine.Detection, error) {
	tree, err := p.readTree(c)
	if err != nil {
		return engine.Detection{}, err
	}
	defer tree.Close()
	found, err := detectedStatements(tree, class)
	if err != nil {
		return engine.Detection{}, err
	}
	id := c.Args().First()
	i := slices.IndexFunc(found, func(d engine.Detection) bool { return d.Message.ID == id })
	if i < 0 {
		known := make([]string, len(found))
		for i, d := range found {
			known[i] = d.Message.ID
		}
		return engine.Detection{}, changeError(&session.UnknownError{What: "message with a detected " + class, Which: id, Known: known})
	}
	d := found[i]
	if agent := c.String("agent"); agent != "" {
		d.Message.Agent = agent
	}
	return d, nil
}

// promoteConstraint records a rule that a message states as a constraint.
func (p *program) promoteConstraint(c *cli.Context) error {
	d, err := p.detectedIn(c, extract.ClassRule)
	if err != nil {
		return err
	}
	return p.onTree(c, func(tree *engine.Tree) error {
		added, out, err := operation.AddConstraint(c.Context, tree, schema.Constraint{Constraint: d.Text, Agent: d.Message.Agent})
		if err != nil {
			return err
		}
		return p.changedHot(c, out, "added "+named(added.ID, added.Constraint), item{"constraint", plainConstraintOf(added)})
	})
}

// promoteGoal records a goal that a message states.
func (p *program) promoteGoal(c *cli.Context) error {
	d, err := p.detectedIn(c, extract.ClassGoal)
	if err != nil {
		return err
	}
	return p.onTree(c, func(tree *engine.Tree) error {
		added, out, err := operation.AddGoal(c.Context, tree, schema.Goal{Goal: d.Text, Agent: d.Message.Agent})
		if err != nil {
			return err
		}
		return p.changedGoal(c, out, "added", added)
	})
}
