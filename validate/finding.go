package validate

import "cmp"

// A Severity is the weight of a Finding.
type Severity string

// The severities. Off disables a rule.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Off     Severity = "off"
)

// A Finding is a problem in a document.
type Finding struct {
	File     string   `json:"file"`              // the Name, or the path as given
	Line     int      `json:"line"`              // 1-based
	Column   int      `json:"column"`            // 1-based, in characters
	Pointer  string   `json:"pointer,omitempty"` // RFC 6901; "" is the whole document
	Rule     string   `json:"rule"`
	Severity Severity `json:"severity"`
	Message  string   `json:"message"`
	Hint     string   `json:"hint,omitempty"` // what to do

	Column16 int    `json:"-"` // 1-based, in UTF-16 code units, as SARIF counts
	Reason   string `json:"-"` // why the finding is ignored; only of those in Report.Suppressed
	InSource bool   `json:"-"` // a comment in the document says so
}

// Compare orders findings by file, line, column, rule and message.
func Compare(a, b Finding) int {
	return cmp.Or(
		cmp.Compare(a.File, b.File),
		cmp.Compare(a.Line, b.Line),
		cmp.Compare(a.Column, b.Column),
		cmp.Compare(a.Rule, b.Rule),
		cmp.Compare(a.Message, b.Message),
	)
}
