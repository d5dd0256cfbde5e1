package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/internal/audit"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/present"
	"github.com/forgemind/forgemind/internal/query"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/validate"
)

func (p *program) showCommand() *cli.Command {
	return &cli.Command{
		Name:      "show",
		Usage:     "Show anything that has an id, with its changes",
		ArgsUsage: "ID",
		Description: "Shows a record, discussion, session or message with its changes, what superseded it, and what refers to it. ID\n" +
			"may be a unique prefix of the id or a unique part of the title, the path of an artifact, or the name of a trigger\n" +
			"or a rule.\n'forgemind show DEC-7F3'",
		Flags:  []cli.Flag{formatFlag()},
		Action: takes(1, 1, p.show),
	}
}

func (p *program) show(c *cli.Context) error {
	which := c.Args().First()
	if strings.TrimSpace(which) == "" {
		return &usageError{c.Command.HelpName + ": the ID is empty", usageLine(c.Command)}
	}
	if isRule(which) {
		return p.explain(c)
	}
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	triggers, _ := engine.Triggers(tree) // validate reports an unreadable configuration
	if i := slices.IndexFunc(triggers, func(t engine.Standing) bool { return t.Name == which }); i >= 0 {
		return p.showTrigger(c, listTrigger(triggers[i]))
	}
	d, err := query.Show(tree, which)
	if err != nil {
		return showError(c, err, triggers)
	}
	if wantsJSON(c) {
		return p.printJSON(d.Kind, shownDetail{Detail: d})
	}
	p.printDetail(d)
	return nil
}

// isRule reports whether there is a rule with that name.
func isRule(name string) bool {
	_, ok := validate.Lookup(name)
	return ok || slices.ContainsFunc(audit.Kinds(), func(k audit.Kind) bool { return k.Name == name })
}

func (p *program) showTrigger(c *cli.Context, t listedTrigger) error {
	if !wantsJSON(c) {
		p.printTrigger(t)
		return nil
	}
	return p.printJSON("trigger", t)
}

// showError adds a suggestion to an error.
func showError(c *cli.Context, err error, triggers []engine.Standing) error {
	var unknown *session.UnknownError
	var several *session.AmbiguousError
	switch {
	case errors.As(err, &several):
		return withHint(&problemError{fmt.Sprintf("%s: %s matches %d things", c.Command.HelpName, quotedWord(several.Which), len(several.Among)), present.Problem{Kind: present.Conflict, Unmet: true}},
			"name one by its id:\n%s", strings.Join(firstLines(several.Among), "\n"))
	case errors.As(err, &unknown):
		known := append(unknown.Known, ruleNames()...)
		for _, t := range triggers {
			known = append(known, t.Name)
		}
		return withHint(missing(fmt.Sprintf("%s: no id or title matches %s", c.Command.HelpName, quotedWord(unknown.Which))),
			"%s", didYouMean(unknown.Which, known, "'forgemind search' searches texts, 'forgemind log' lists the newest entries"))
	}
	return err
}

func quotedWord(word string) string { return fmt.Sprintf("%q", short(word, 60)) }

// firstLines returns the first of many lines, cut to the width of a terminal.
func firstLines(all []string) []string {
	const most, columns = 10, 76
	var lines []string
	for _, line := range all[:min(len(all), most)] {
		lines = append(lines, short(line, columns))
	}
	if more := len(all) - most; more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	return lines
}

// printDetail prints an item with all that is known about it, indented below its heading.
func (p *program) printDetail(d query.Detail) {
	note := d.Status
	if d.SupersededBy != "" {
		note = "superseded by " + d.SupersededBy
	}
	p.printf("%s\n", headOf(d.Kind, d.ID, "", inline(note)))
	for _, f := range []struct{ name, value string }{{"title", d.Title}, {"time", d.Time}, {"by", d.By}, {"session", d.Session}} {
		if f.value != "" {
			p.printField(f.name, f.value)
		}
	}
	if d.File != "" {
		p.printField("file", fmt.Sprintf("%s:%d", d.File, d.Line))
	}
	if isProse(d.Kind) {
		p.printf("\n%s\n", setIn(d.Text))
	} else {
		p.printMembers(d)
	}
	p.printChanges(d)
	if len(d.NamedBy) > 0 {
		p.printf("  named by\n")
	}
	for _, r := range d.NamedBy {
		p.printf("%s%s\n", indent, short(headOf(r.Kind, r.ID, "", standsAs("", r.SupersededBy))+"  "+r.Title, p.width()-len(indent)))
	}
}

func (p *program) printField(name, value string) { p.printf("  %-12s  %s\n", name, inline(value)) }

// isProse reports whether items of a kind are a text without members.
func isProse(kind string) bool {
	return slices.Contains([]string{"thread", "condensation", "session", "fragment", "message", "chunk"}, kind)
}

// setIn returns a text with its lines indented.
func setIn(text string) string {
	return indent + strings.ReplaceAll(strings.TrimRight(text, "\r\n"), "\n", "\n"+indent)
}

// shownAbove lists the members that a heading shows already.
var shownAbove = []string{"id", "$schema", "session", "version"}

// printMembers prints the members of a record, each on a line.
func (p *program) printMembers(d query.Detail) {
	doc, err := jsonedit.Parse(d.Record)
	if err != nil || doc.Nodes[0].Kind != jsonedit.Object {
		return
	}
	for i := range doc.Children(0) {
		name := doc.Key(i)
		value, isText := doc.Str(i)
		if !isText {
			value = unspaced(d.Record[doc.Nodes[i].Start:doc.Nodes[i].End])
		}
		if !slices.Contains(shownAbove, name) && (name != "status" || value != d.Status) && value != d.Title && value != d.Time && value != d.By {
			p.printField(inline(name), value)
		}
	}
}

// unspaced returns a JSON value without white space.
func unspaced(value json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, value) != nil {
		return string(value)
	}
	return b.String()
}

// printChanges prints the changes of a record, and the concurrent values.
func (p *program) printChanges(d query.Detail) {
	if len(d.Changes) > 0 {
		p.printf("  changes\n")
	}
	for _, c := range d.Changes {
		var set []string
		for _, name := range slices.Sorted(maps.Keys(c.Set)) {
			set = append(set, name+" "+unspaced(c.Set[name]))
		}
		p.printf("%s%s  %s  %s: %s\n", indent, secondOf(c.Time), inline(c.By), inline(c.What), inline(strings.Join(set, ", ")))
	}
	for _, name := range slices.Sorted(maps.Keys(d.Concurrent)) {
		p.printf("  concurrent values of %s; the last one is in force\n", inline(name))
		for _, v := range d.Concurrent[name] {
			p.printf("%s%s  %s  %s\n", indent, secondOf(v.Time), inline(v.By), inline(unspaced(v.Value)))
		}
	}
}

// A shownDetail is the output of show with --format json. Its kind is that of the output.
type shownDetail struct {
	query.Detail
	Kind present.Hidden `json:"kind,omitzero"`
}
