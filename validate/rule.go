package validate

// A Rule is one thing that can be wrong. Each has a file of its own,
// rule_<name>.go, which also tells people about it.
type Rule struct {
	Name     string   // as in findings and config.json: "token-mismatch"
	Severity Severity // by default
	Summary  string   // one line for lists
	Help     string   // markdown for `forgemind explain`: what, why, an example, how to mend it
}
