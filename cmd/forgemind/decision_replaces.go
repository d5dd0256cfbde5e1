package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/schema"
)

// surelyReplaced is the score of a decision that a new one most likely replaces.
const surelyReplaced = 0.45

// mostCompared is the number of documents that are compared.
const mostCompared = 2000

// A replacing is a document with what it may replace.
type replacing struct {
	ID       string     `json:"id"` // of the newer one: a message, or "" for the given text
	Replaces []replaced `json:"replaces"`
}

// A replaced is a decision or a message that may be replaced.
type replaced struct {
	ID    string  `json:"id"`
	Score float64 `json:"score"` // about 0.5 for the same matter, above 1 if one names the other
	Text  string  `json:"text"`
}

// listReplaces prints what a text may replace, or each message of the conversation.
func (p *program) listReplaces(c *cli.Context) error {
	most := c.Int("limit")
	if most < 1 {
		return &usageError{fmt.Sprintf("%s: --limit %d is not a number of decisions", c.Command.HelpName, most), usageLine(c.Command)}
	}
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	list := []replacing{}
	if c.NArg() > 0 {
		text := c.Args().First()
		if text == "-" {
			src, err := p.readAll()
			if err != nil {
				return err
			}
			text = string(src)
		}
		list = append(list, replacingOf(condense.Document{Text: text}, decisionDocuments(tree), most))
	} else if list, err = replacedMessages(tree, most); err != nil {
		return err
	}
	if wantsJSON(c) {
		return p.printList("replacements", list)
	}
	var lines strings.Builder
	for _, r := range list {
		for _, old := range r.Replaces {
			lines.WriteString(itemLine(old.ID, old.Text, r.ID, fmt.Sprintf("score %.2f", old.Score)))
		}
	}
	p.printLines(lines.String())
	return nil
}

// replacedMessages returns each message of the conversation that may replace earlier ones.
func replacedMessages(tree *fs.Tree, most int) ([]replacing, error) {
	messages, _, err := conversation(tree)
	if err == nil {
		messages, err = withLeft(tree, messages, true)
	}
	if err != nil {
		return nil, err
	}
	list := []replacing{}
	var docs []condense.Document
	for _, m := range messages[max(0, len(messages)-mostCompared):] {
		newer := condense.Document{ID: m.ID, Text: m.Content}
		if r := replacingOf(newer, docs, most); len(r.Replaces) > 0 {
			list = append(list, r)
		}
		docs = append(docs, newer)
	}
	return list, nil
}

func replacingOf(newer condense.Document, older []condense.Document, most int) replacing {
	r := replacing{ID: newer.ID, Replaces: []replaced{}}
	texts := map[string]string{}
	for _, d := range older {
		texts[d.ID] = d.Text
	}
	for _, o := range condense.Replaces(newer, older, most) {
		r.Replaces = append(r.Replaces, replaced{o.ID, float64(int(1000*o.Score)) / 1000, short(texts[o.ID], 200)})
	}
	return r
}

// decisionDocuments returns the decisions in force as documents.
func decisionDocuments(tree *fs.Tree) (docs []condense.Document) {
	all, _ := engine.Decisions(tree)
	inForce := schema.Current(all).Current()
	for _, d := range inForce[max(0, len(inForce)-mostCompared):] {
		docs = append(docs, condense.Document{ID: d.ID, Text: d.Decision + "\n" + d.Rationale})
	}
	return docs
}

// mayReplace returns a hint about the decision that a text most likely replaces, or "".
func mayReplace(tree *fs.Tree, text string) string {
	found := replacingOf(condense.Document{Text: text}, decisionDocuments(tree), 1).Replaces
	if len(found) == 0 || found[0].Score < surelyReplaced {
		return ""
	}
	return fmt.Sprintf("hint: it may replace %s: %s; 'forgemind decision supersede' records that", found[0].ID, found[0].Text)
}
