package validate

import (
	"fmt"
	"io"
)

// writeText writes a line for each Finding, as compilers do:
//
//	path:line:column: severity: message [rule]
//
// and below it, where hints are wanted, "  hint: …".
func writeText(w io.Writer, r Report) {
	for _, f := range r.Findings {
		fmt.Fprintln(w, line(f))
		if r.Hints && f.Hint != "" {
			fmt.Fprintf(w, "  hint: %s\n", visible(f.Hint))
		}
	}
}

// line returns a Finding as one line of text.
func line(f Finding) string {
	return fmt.Sprintf("%s:%d:%d: %s: %s [%s]",
		visible(f.File), f.Line, f.Column, f.Severity, visible(f.Message), f.Rule)
}
