package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/internal/audit"
	"github.com/forgemind/forgemind/validate"
)

func (p *program) explainCommand() *cli.Command {
	return &cli.Command{
		Name:      "explain",
		Usage:     "Explain a rule of validate, or list the rules",
		ArgsUsage: "[RULE]",
		Flags:     []cli.Flag{formatFlag()},
		Action:    takes(0, 1, p.explain),
	}
}

// A ruleView is a rule as JSON shows it.
type ruleView struct {
	ID       string            `json:"id"`
	Severity validate.Severity `json:"severity"`
	Summary  string            `json:"summary"`
	Help     string            `json:"help,omitempty"`
}

func (p *program) explain(c *cli.Context) error {
	if c.NArg() == 0 {
		return p.listRules(wantsJSON(c))
	}
	name := strings.Trim(c.Args().First(), "[]") // as findings print it
	rule, ok := validate.Lookup(name)
	if !ok {
		if i := slices.IndexFunc(auditKinds(), func(k audit.Kind) bool { return k.Name == name }); i >= 0 {
			return p.explainKind(c, auditKinds()[i])
		}
		return &usageError{
			fmt.Sprintf("explain: no rule %q", short(name, 60)),
			didYouMean(name, ruleNames(), "'forgemind explain' lists the rules"),
		}
	}
	if wantsJSON(c) {
		return p.printJSON(struct {
			Version int `json:"version"`
			ruleView
		}{1, ruleView{rule.Name, rule.Severity, rule.Summary, rule.Help}})
	}
	p.printf("%s (%s): %s\n\n%s\n", rule.Name, rule.Severity, rule.Summary, strings.TrimSpace(rule.Help))
	return nil
}

// explainKind explains what 'audit' found. Each of its findings says itself what
// gave it away and what to do.
func (p *program) explainKind(c *cli.Context, k audit.Kind) error {
	if wantsJSON(c) {
		return p.printJSON(struct {
			Version int    `json:"version"`
			ID      string `json:"id"`
			Summary string `json:"summary"`
		}{1, k.Name, k.Summary})
	}
	more := "Each finding brings its evidence below \"see\", and below \"do\" how to mend it."
	if k.Name == audit.NotChecked.Name {
		more = "The warning says what was not checked, and why. With --strict it fails."
	}
	p.printf("%s (of 'forgemind audit'): %s\n\n%s\n", k.Name, k.Summary, more)
	return nil
}

func (p *program) listRules(asJSON bool) error {
	rules := []ruleView{}
	for _, r := range validate.Rules() {
		rules = append(rules, ruleView{ID: r.Name, Severity: r.Severity, Summary: r.Summary})
	}
	if asJSON {
		return p.printJSON(struct {
			Version int        `json:"version"`
			Rules   []ruleView `json:"rules"`
		}{1, rules})
	}
	for _, r := range rules {
		p.printf("%-20s %-8s %s\n", r.ID, r.Severity, r.Summary)
	}
	return nil
}

// auditKinds returns what the lines of 'forgemind audit' are called.
func auditKinds() []audit.Kind { return append(audit.Kinds(), audit.NotChecked) }

func ruleNames() []string {
	var list []string
	for _, r := range validate.Rules() {
		list = append(list, r.Name)
	}
	for _, k := range auditKinds() {
		if !slices.Contains(list, k.Name) {
			list = append(list, k.Name)
		}
	}
	return list
}
