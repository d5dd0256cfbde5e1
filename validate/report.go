package validate

import "slices"

// A Report is the result of validating trees and files. Call Add for each file, then
// Finish; Write needs a finished Report.
type Report struct {
	Version  int       `json:"version"` // 1
	Files    int       `json:"files"`   // number of validated documents
	Errors   int       `json:"errors"`
	Warnings int       `json:"warnings"`
	Ignored  int       `json:"ignored"`  // findings that a setting, a comment or a Baseline accepts
	Findings []Finding `json:"findings"` // sorted

	By      string   `json:"-"` // the command that made the findings; "" means "validate"
	Checked []string `json:"-"` // the validated documents, sorted
	Hints   bool     `json:"-"` // print hints in text format too

	Suppressed []Finding `json:"-"` // the ignored findings, sorted
}

// Add adds a validated file and its findings.
func (r *Report) Add(file string, findings ...Finding) {
	r.Checked = append(r.Checked, file)
	r.Findings = append(r.Findings, findings...)
}

// Finish sorts and counts the findings. Equal findings are kept once, with the first
// hint.
func (r *Report) Finish() {
	slices.Sort(r.Checked)
	r.Checked = slices.Compact(r.Checked)
	for _, list := range []*[]Finding{&r.Findings, &r.Suppressed} {
		slices.SortStableFunc(*list, Compare)
		*list = slices.CompactFunc(*list, func(a, b Finding) bool {
			a.Hint = b.Hint
			return a == b
		})
	}
	r.Version, r.Files, r.Errors, r.Warnings, r.Ignored = 1, len(r.Checked), 0, 0, len(r.Suppressed)
	for _, f := range r.Findings {
		switch f.Severity {
		case Error:
			r.Errors++
		case Warning:
			r.Warnings++
		}
	}
}
