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

// A ruleView is a rule in JSON output.
type ruleView struct {
	ID       string            `json:"id"`
	Severity validate.Severity `json:"severity,omitempty"` // "" of a rule of audit
	Summary  string            `json:"summary"`
	Help     string            `json:"help,omitempty"`
}

func (p *program) explain(c *cli.Context) error {
	if c.NArg() == 0 {
		return p.listRules(wantsJSON(c))
	}
	name := strings.Trim(c.Args().First(), "[]") // in the form of findings
	rule, ok := validate.Lookup(name)
	if !ok {
		if i := slices.IndexFunc(audit.Kinds(), func(k audit.Kind) bool { return k.Name == name }); i >= 0 {
			return p.explainKind(c, audit.Kinds()[i])
		}
		return &usageError{
			fmt.Sprintf("explain: no rule %q", short(name, 60)),
			didYouMean(name, ruleNames(), "'forgemind explain' lists the rules"),
		}
	}
	if wantsJSON(c) {
		return p.printJSON("rule", ruleView{rule.Name, rule.Severity, rule.Summary, rule.Help})
	}
	p.printf("%s (%s): %s\n\n%s\n", rule.Name, rule.Severity, rule.Summary, strings.TrimSpace(rule.Help))
	return nil
}

// explainKind explains a kind of findings of audit.
func (p *program) explainKind(c *cli.Context, k audit.Kind) error {
	if wantsJSON(c) {
		return p.printJSON("rule", ruleView{ID: k.Name, Summary: k.Summary})
	}
	p.printf("%s (of 'forgemind audit'): %s\n\n%s\n", k.Name, k.Summary, "Each finding has its evidence after \"see\", and how to fix it after \"do\".")
	return nil
}

func (p *program) listRules(asJSON bool) error {
	rules := []ruleView{}
	for _, r := range validate.Rules() {
		rules = append(rules, ruleView{ID: r.Name, Severity: r.Severity, Summary: r.Summary})
	}
	if asJSON {
		return p.printList("rules", rules)
	}
	for _, r := range rules {
		p.printf("%-20s %-8s %s\n", r.ID, r.Severity, r.Summary)
	}
	return nil
}

func ruleNames() []string {
	var list []string
	for _, r := range validate.Rules() {
		list = append(list, r.Name)
	}
	for _, k := range audit.Kinds() {
		if !slices.Contains(list, k.Name) {
			list = append(list, k.Name)
		}
	}
	return list
}
