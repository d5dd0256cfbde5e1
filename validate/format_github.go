package validate

import (
	"fmt"
	"io"
	"strings"

	"github.com/forgemind/forgemind/internal/text"
)

// writeGitHub writes a workflow command for each Finding, which GitHub shows
// at the line in question. GitHub shows ten errors and ten warnings a step.
func writeGitHub(w io.Writer, r Report) {
	// The runner decodes these escapes and no others.
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	for _, f := range r.Findings {
		message := visible(f.Message)
		if f.Hint != "" {
			message += "\nhint: " + visible(f.Hint)
		}
		fmt.Fprintf(w, "::%s file=%s,line=%d,col=%d,title=%s::%s\n", f.Severity,
			property.Replace(visible(slashed(f))), f.Line, f.Column, property.Replace(f.Rule), data.Replace(message))
	}
	if r.Ignored > 0 {
		fmt.Fprintf(w, "::notice title=forgemind::%s ignored\n", text.Count(r.Ignored, "finding"))
	}
}
