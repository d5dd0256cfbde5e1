package validate

import "io"

// gitlabIssue is one entry of a GitLab code quality report.
type gitlabIssue struct {
	Description string         `json:"description"`
	CheckName   string         `json:"check_name"`
	Fingerprint string         `json:"fingerprint"`
	Severity    string         `json:"severity"` // info, minor, major, critical or blocker
	Location    gitlabLocation `json:"location"`
}

type gitlabLocation struct {
	Path  string      `json:"path"`
	Lines gitlabLines `json:"lines"`
}

type gitlabLines struct {
	Begin int `json:"begin"`
}

// writeGitLab writes a code quality report: a list of issues.
func writeGitLab(w io.Writer, r Report) error {
	issues := make([]gitlabIssue, len(r.Findings))
	names := fingerprints(r.Findings)
	for i, f := range r.Findings {
		severity := "minor"
		if f.Severity == Error {
			severity = "major"
		}
		issues[i] = gitlabIssue{
			Description: f.Message,
			CheckName:   f.Rule,
			Fingerprint: names[i],
			Severity:    severity,
			Location:    gitlabLocation{Path: slashed(f), Lines: gitlabLines{Begin: f.Line}},
		}
	}
	return writeJSON(w, issues)
}
