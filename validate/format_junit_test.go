package validate

import (
	"encoding/xml"
	"strings"
	"testing"
)

func TestJUnitShowsEveryCheckedFile(t *testing.T) {
	var suites junitSuites
	if err := xml.Unmarshal(written(t, "junit", sample()), &suites); err != nil {
		t.Fatal(err)
	}
	if suites.Tests != 4 || suites.Failures != 3 || suites.Suite.Failures != 3 || len(suites.Suite.Cases) != 4 {
		t.Fatalf("counts are %+v", suites)
	}
	state := suites.Suite.Cases[2]
	if state.Name != ".forgemind/context/current-context.json" {
		t.Fatalf("the State's case is called %s", state.Name)
	}
	if state.Failure == nil || state.Failure.Type != "token-mismatch" || !strings.Contains(state.Failure.Text, "hint: say what") {
		t.Errorf("its failure is %+v", state.Failure)
	}
	if strings.Contains(state.Failure.Text, "mojibake") || state.Output == nil || !strings.Contains(state.Output.Text, "mojibake") {
		t.Errorf("a warning does not fail, it stands beside: %+v", state)
	}
	if config := suites.Suite.Cases[1]; config.Failure != nil || config.Output != nil {
		t.Errorf("config.json has nothing: %+v", config)
	}
}

func TestJUnitKeepsTextWhole(t *testing.T) {
	text := `<b>&amp; ]]> "quoted" 'single'`
	r := Report{Findings: []Finding{{File: text, Line: 1, Column: 1, Rule: "schema", Severity: Error, Message: text}}}
	var suites junitSuites
	if err := xml.Unmarshal(written(t, "junit", r), &suites); err != nil {
		t.Fatal(err)
	}
	c := suites.Suite.Cases[0]
	if c.Name != text || c.Failure.Message != text || !strings.Contains(c.Failure.Text, text) {
		t.Errorf("got %+v %+v", c, c.Failure)
	}
}
