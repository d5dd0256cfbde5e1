package validate

import "slices"

// A Rule is one thing that can be wrong. Each has a file of its own,
// rule_<name>.go, which also tells people about it.
type Rule struct {
	Name     string   // as in findings and config.json: "token-mismatch"
	Severity Severity // by default
	Summary  string   // one line for lists
	Help     string   // markdown for `forgemind explain`: what, why, an example, how to mend it

	// What the rule looks at: the bytes of a whole file, one JSON text (the
	// document, or one line of a JSONL document), or a tree with all its
	// documents. The engine knows which rule is at work, so that these
	// functions only say where and what.
	whole  func(*document)
	record func(*document)
	across func(*census)
}

// Rules returns every rule, in the order in which a document is judged.
func Rules() []Rule { return slices.Clone(rules) }

// Lookup returns the rule of that name.
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
