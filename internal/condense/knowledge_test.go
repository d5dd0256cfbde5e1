package condense

import "testing"

// What a decision says about the domain goes to the section that its words name;
// a step of the work goes to none.
func TestKnowledge(t *testing.T) {
	for decision, want := range map[string]string{
		"WFE means wave front error.":                     "glossary",
		"The oven must not exceed 80 °C.":                 "constraint",
		"The valve is a known issue: we work around it.":  "known_issue",
		"Orders come in through the webhook of the shop.": "integration_point",
		"A customer gets the money back within 14 days.":  "business_rule",
		"We meet on Monday.":                              "",
		"":                                                "",
	} {
		if got := Knowledge(Condensation{Decision: decision}); got != want {
			t.Errorf("%q: %q, not %q", decision, got, want)
		}
	}
}
