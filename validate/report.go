package validate

import "slices"

// A Report is what judging trees and files came to. Add what was judged, then
// Finish it; Write wants a finished one.
type Report struct {
	Version  int       `json:"version"` // 1
	Files    int       `json:"files"`   // documents that were judged
	Errors   int       `json:"errors"`
	Warnings int       `json:"warnings"`
	Findings []Finding `json:"findings"` // sorted

	// Root is the directory, an absolute path, that the paths of files are relative to; sarif
	// says so. "" says nothing.
	Root    string   `json:"-"`
	By      string   `json:"-"` // the command whose findings these are; "validate" where it is ""
	Checked []string `json:"-"` // the documents that were judged, sorted
	Hints   bool     `json:"-"` // print hints in text too
}

// Add says that file was judged, and what was found in it.
func (r *Report) Add(file string, findings ...Finding) {
	r.Checked = append(r.Checked, file)
	r.Findings = append(r.Findings, findings...)
}

// Finish sorts and counts. What was added twice stands there once, with the first
// hint.
func (r *Report) Finish() {
	slices.Sort(r.Checked)
	r.Checked = slices.Compact(r.Checked)
	slices.SortStableFunc(r.Findings, Compare)
	r.Findings = slices.CompactFunc(r.Findings, func(a, b Finding) bool {
		a.Hint = b.Hint
		return a == b
	})
	r.Version, r.Files, r.Errors, r.Warnings = 1, len(r.Checked), 0, 0
	for _, f := range r.Findings {
		switch f.Severity {
		case Error:
			r.Errors++
		case Warning:
			r.Warnings++
		}
	}
}
