package validate

import (
	"cmp"
	"io"
	"net/url"
	"path/filepath"
	"strings"
)

// The parts of SARIF 2.1.0 (OASIS) that a Report needs.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool                `json:"tool"`
		Bases      map[string]sarifArtifact `json:"originalUriBaseIds,omitempty"`
		Results    []sarifResult            `json:"results"`
		ColumnKind string                   `json:"columnKind"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               string             `json:"id"`
		ShortDescription sarifMessage       `json:"shortDescription"`
		Help             *sarifHelp         `json:"help,omitempty"`
		Configuration    sarifConfiguration `json:"defaultConfiguration"`
	}
	sarifHelp struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown"`
	}
	sarifConfiguration struct {
		Level string `json:"level"`
	}
	sarifMessage struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID              string            `json:"ruleId"`
		RuleIndex           *int              `json:"ruleIndex,omitempty"`
		Level               string            `json:"level"`
		Message             sarifMessage      `json:"message"`
		Locations           []sarifLocation   `json:"locations"`
		PartialFingerprints map[string]string `json:"partialFingerprints"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI    string `json:"uri"`
		BaseID string `json:"uriBaseId,omitempty"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
	}
)

// writeSARIF writes a log with one run. rules are all that forgemind knows: a
// reader sees what was looked for even when nothing was found.
func writeSARIF(w io.Writer, r Report, rules []Rule) error {
	run := sarifRun{
		Tool: sarifTool{sarifDriver{
			Name:           "forgemind",
			InformationURI: "https://github.com/forgemind/forgemind",
			Rules:          make([]sarifRule, 0, len(rules)),
		}},
		Results:    make([]sarifResult, 0, len(r.Findings)),
		ColumnKind: "utf16CodeUnits",
	}
	if r.Root != "" {
		root := fileURI(filepath.ToSlash(r.Root))
		run.Bases = map[string]sarifArtifact{sourceRoot: {URI: strings.TrimSuffix(root, "/") + "/"}}
	}
	index := make(map[string]*int, len(rules))
	for i, rule := range rules {
		index[rule.Name] = &i
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRuleOf(rule))
	}
	names := fingerprints(r.Findings)
	for i, f := range r.Findings {
		run.Results = append(run.Results, sarifResult{
			RuleID:    f.Rule,
			RuleIndex: index[f.Rule],
			Level:     sarifLevel(f.Severity),
			Message:   sarifMessage{sarifText(f)},
			Locations: []sarifLocation{{sarifPhysical{
				Artifact: sarifPlace(f),
				Region:   sarifRegion{StartLine: f.Line, StartColumn: cmp.Or(f.Column16, f.Column)},
			}}},
			// The usual key, primaryLocationLineHash, is left to the uploader,
			// which knows the text of the line.
			PartialFingerprints: map[string]string{"forgemindPointer/v1": names[i]},
		})
	}
	return writeJSON(w, sarifLog{
		Schema:  "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		Version: "2.1.0",
		Runs:    []sarifRun{run},
	})
}

func sarifRuleOf(rule Rule) sarifRule {
	out := sarifRule{
		ID:               rule.Name,
		ShortDescription: sarifMessage{rule.Summary},
		Configuration:    sarifConfiguration{sarifLevel(rule.Severity)},
	}
	if rule.Help != "" {
		out.Help = &sarifHelp{Text: rule.Help, Markdown: rule.Help}
	}
	return out
}

func sarifLevel(s Severity) string {
	switch s {
	case Error:
		return "error"
	case Warning:
		return "warning"
	}
	return "none"
}

// sarifText is the message with its hint. A message may quote what somebody
// wrote; the backslash keeps "[text](address)" from becoming a link.
func sarifText(f Finding) string {
	text := f.Message
	if f.Hint != "" {
		text += "\nhint: " + f.Hint
	}
	return strings.ReplaceAll(text, "](", `\](`)
}

// sourceRoot names the directory that paths are relative to.
const sourceRoot = "%SRCROOT%"

// sarifPlace says where a file is: relative to the source root, or absolute if that is
// how it was named.
func sarifPlace(f Finding) sarifArtifact {
	p := slashed(f)
	if filepath.IsAbs(f.File) {
		return sarifArtifact{URI: fileURI(p)}
	}
	u := url.URL{Path: p}
	return sarifArtifact{URI: u.String(), BaseID: sourceRoot}
}

// fileURI returns the URI of an absolute path with slashes.
func fileURI(path string) string {
	u := url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(path, "/")}
	return u.String()
}
