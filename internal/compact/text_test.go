package compact

import "testing"

// Text that would begin another block inside a list is escaped; other text is unchanged.
func TestAPointOfAListBeginsNothingElse(t *testing.T) {
	for text, want := range map[string]string{
		"plain":                 "plain",
		"# a heading":           `\# a heading`,
		"- a point":             `\- a point`,
		"* a point":             `\* a point`,
		"* * *":                 `\* * *`,
		"***":                   `\***`,
		"```go":                 "\\```go",
		"``":                    "\\``",
		"<div>":                 `\<div>`,
		"12. twelfth":           `12\. twelfth`,
		"`GetAuthor` is right":  "`GetAuthor` is right",
		"**Global** config":     "**Global** config",
		"*perhaps* it is right": "*perhaps* it is right",
	} {
		if got := point(text); got != want {
			t.Errorf("%q is written %q, not %q", text, got, want)
		}
	}
}
