package condense

import "strings"

// Knowledge returns the section of the project knowledge to which a condensation belongs, as
// the type of an entry in agents' memory. It returns "" if the decision is only a step of
// work. It considers the words of the decision.
func Knowledge(c Condensation) string {
	said := " " + lower(single(c.Decision)) + " "
	for _, k := range knowledgeSigns {
		for _, sign := range k.signs {
			if strings.Contains(said, sign) {
				return k.entry
			}
		}
	}
	return ""
}

// knowledgeSigns are tried in order, most reliable first.
var knowledgeSigns = [...]struct {
	entry string
	signs []string
}{
	{"glossary", []string{" means ", " stands for ", " is defined as ", " refers to ", " is what we call ", " by definition "}},
	{"known_issue", []string{" known issue", " workaround", " work around ", " known bug", " known limitation"}},
	{"constraint", []string{
		" must ", " must not ", " at most ", " at least ", " no more than ", " no less than ", " never ", " limit ", " budget ", " maximum ", " minimum ",
		" may not ", " cannot exceed ", " only support", " required ", " < ", " > ", " ≤ ", " ≥ ",
	}},
	{"integration_point", []string{" api ", " endpoint", " webhook", " interface ", " protocol ", " integrat", " callback url", " schema registry "}},
	{"business_rule", []string{
		" customer", " client ", " invoice", " price", " pricing", " refund", " licen", " contract", " supplier", " vendor", " tenant", " subscription",
		" material", " standard ", " regulation", " complian", " certif",
	}},
}
