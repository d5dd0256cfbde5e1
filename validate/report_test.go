package validate

import (
	"reflect"
	"testing"
)

func TestReportIsInOrderWhateverTheOrderOfWork(t *testing.T) {
	first := Finding{File: "a.json", Line: 2, Column: 9, Rule: "schema", Severity: Error, Message: "wrong"}
	second := Finding{File: "a.json", Line: 10, Column: 1, Rule: "mojibake", Severity: Warning, Message: "odd"}
	third := Finding{File: "b.json", Line: 1, Column: 1, Rule: "encoding", Severity: Error, Message: "no"}

	var r Report
	r.Add("c.json")
	r.Add("b.json", third)
	r.Add("a.json", second, first)
	r.Add("b.json", third) // named twice on the command line
	r.Finish()

	want := Report{
		Version: 1, Files: 3, Errors: 2, Warnings: 1,
		Findings: []Finding{first, second, third},
		Checked:  []string{"a.json", "b.json", "c.json"},
	}
	if !reflect.DeepEqual(r, want) {
		t.Errorf("got  %+v\nwant %+v", r, want)
	}
	r.Finish()
	if !reflect.DeepEqual(r, want) {
		t.Errorf("a second Finish changed it: %+v", r)
	}
}
