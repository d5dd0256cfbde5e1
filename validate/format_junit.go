package validate

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
)

type junitSuites struct {
	XMLName  xml.Name   `xml:"testsuites"`
	Name     string     `xml:"name,attr"`
	Tests    int        `xml:"tests,attr"`
	Failures int        `xml:"failures,attr"`
	Errors   int        `xml:"errors,attr"`
	Suite    junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Ignored  *junitCount `xml:"properties>property"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCount struct {
	Name  string `xml:"name,attr"`
	Value int    `xml:"value,attr"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	Failure *junitFailure `xml:"failure"`
	Output  *junitText    `xml:"system-out"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",cdata"`
}

type junitText struct {
	Text string `xml:",cdata"`
}

// writeJUnit writes a test case for each file that was judged, so that a run without
// findings lists the files. Readers of this format count one failure per test case, so
// the errors of a file are one failure; warnings are printed beside it.
func writeJUnit(w io.Writer, r Report) error {
	errors, warnings := make(map[string][]Finding), make(map[string][]Finding)
	files := slices.Clone(r.Checked)
	for _, f := range r.Findings {
		files = append(files, f.File)
		if f.Severity == Error {
			errors[f.File] = append(errors[f.File], f)
		} else {
			warnings[f.File] = append(warnings[f.File], f)
		}
	}
	slices.Sort(files)
	files = slices.Compact(files)

	suite := junitSuite{Name: "forgemind " + cmp.Or(r.By, "validate"), Tests: len(files), Failures: len(errors)}
	if r.Ignored > 0 {
		suite.Ignored = &junitCount{"ignored", r.Ignored}
	}
	for _, file := range files {
		c := junitCase{Name: visible(file), Class: "forgemind"}
		if found := errors[file]; len(found) > 0 {
			c.Failure = &junitFailure{Message: failureMessage(found), Type: found[0].Rule, Text: lines(found)}
		}
		if found := warnings[file]; len(found) > 0 {
			c.Output = &junitText{lines(found)}
		}
		suite.Cases = append(suite.Cases, c)
	}

	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	err := enc.Encode(junitSuites{Name: suite.Name, Tests: suite.Tests, Failures: suite.Failures, Suite: suite})
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, "\n")
	return err
}

// failureMessage returns the errors of a file in one line.
func failureMessage(found []Finding) string {
	if len(found) == 1 {
		return visible(found[0].Message)
	}
	return fmt.Sprintf("%s (and %d more)", visible(found[0].Message), len(found)-1)
}

// lines returns Findings as text with their hints.
func lines(found []Finding) string {
	var b strings.Builder
	writeText(&b, Report{Findings: found, Hints: true})
	return "\n" + b.String()
}
