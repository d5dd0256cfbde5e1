package compact

import "testing"

// What would begin something else within a list is escaped; the rest of the
// text reads as it was written.
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
