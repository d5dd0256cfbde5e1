package validate

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

const sarifSchemaFile = "testdata/sarif-schema-2.1.0.json"

func sarifSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile(sarifSchemaFile)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat = true
	if err := c.AddResource(sarifSchemaFile, bytes.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(sarifSchemaFile)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSARIFObeysItsPublishedSchema(t *testing.T) {
	s := sarifSchema(t)
	reports := map[string]Report{"sample": sample(), "without findings": {}}
	for name, r := range reports {
		for rules, list := range map[string][]Rule{"sample rules": sampleRules, "all rules": Rules()} {
			var b bytes.Buffer
			if err := writeSARIF(&b, r, list); err != nil {
				t.Fatal(err)
			}
			var log any
			if err := json.Unmarshal(b.Bytes(), &log); err != nil {
				t.Fatal(err)
			}
			if err := s.Validate(log); err != nil {
				t.Errorf("%s, %s: %#v", name, rules, err)
			}
			// The schema must be able to refuse.
			log.(map[string]any)["runs"].([]any)[0].(map[string]any)["columnKind"] = "bytes"
			if s.Validate(log) == nil {
				t.Errorf("%s: the schema takes anything", name)
			}
		}
	}
}

func TestSARIFCountsAsEditorsDo(t *testing.T) {
	// One character outside the basic plane stands before the value.
	r := Report{Findings: []Finding{{File: "a b/ü.json", Line: 1, Column: 7, Column16: 8, Rule: "mojibake", Severity: Warning}}}
	log := sarifOf(t, r)
	result := log.Runs[0].Results[0]
	place := result.Locations[0].Physical
	if place.Region != (sarifRegion{1, 8}) {
		t.Errorf("region is %+v", place.Region)
	}
	if place.Artifact != (sarifArtifact{"a%20b/%C3%BC.json", "%SRCROOT%"}) {
		t.Errorf("artifact is %+v", place.Artifact)
	}
	if name := log.Runs[0].Tool.Driver.Rules[*result.RuleIndex].ID; name != "mojibake" {
		t.Errorf("ruleIndex leads to %s", name)
	}
}

func TestSARIFNamesAbsoluteFilesAbsolutely(t *testing.T) {
	file, err := filepath.Abs("a b.json")
	if err != nil {
		t.Fatal(err)
	}
	log := sarifOf(t, Report{Findings: []Finding{{File: file, Line: 1, Column: 1, Rule: "of-no-known-rule"}}})
	result := log.Runs[0].Results[0]
	artifact := result.Locations[0].Physical.Artifact
	if artifact.BaseID != "" || !bytes.HasPrefix([]byte(artifact.URI), []byte("file:///")) ||
		!bytes.HasSuffix([]byte(artifact.URI), []byte("/a%20b.json")) {
		t.Errorf("artifact is %+v", artifact)
	}
	if result.RuleIndex != nil {
		t.Errorf("a rule that does not exist has index %d", *result.RuleIndex)
	}
}

func sarifOf(t *testing.T, r Report) (log sarifLog) {
	t.Helper()
	if err := json.Unmarshal(written(t, "sarif", r), &log); err != nil {
		t.Fatal(err)
	}
	return log
}
