package validate

import "slices"

// A Rule is one check. Each has a file of its own, rule_<name>.go, with its
// documentation for people.
type Rule struct {
	Name     string   // as in findings and config.json, such as "token-mismatch"
	Severity Severity // the default
	Summary  string   // one line for lists
	Help     string   // markdown for `forgemind explain`: what, why, an example, how to fix it

	// The functions of a rule check the bytes of a whole file, one JSON text (the
	// document, or one line of a JSONL document), or a tree with all its documents. The
	// caller records the current rule, so the functions only report the place and the
	// message.
	whole  func(*document)
	record func(*document)
	across func(*treeFacts)
}

// Rules returns every rule, in the order of their checks.
func Rules() []Rule { return slices.Clone(rules) }

// Lookup returns the rule with the given name.
func Lookup(name string) (Rule, bool) {
	i := ruleIndex(name)
	if i < 0 {
		return Rule{}, false
	}
	return rules[i], true
}

func ruleIndex(name string) int {
	return slices.IndexFunc(rules, func(r Rule) bool { return r.Name == name })
}
