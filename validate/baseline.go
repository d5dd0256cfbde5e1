package validate

import (
	"errors"
	"fmt"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// A Baseline is a list of accepted findings. A finding is known by its rule, its file,
// and its pointer or its message, whatever its line.
type Baseline struct {
	Version  int        `json:"version"`
	Kind     string     `json:"kind"` // "baseline"
	Findings []Accepted `json:"findings"`
}

// An Accepted is a finding of a Baseline.
type Accepted struct {
	Rule    string `json:"rule"`
	File    string `json:"file"` // relative to the directory of the Baseline, with slashes
	Pointer string `json:"pointer,omitempty"`
	Message string `json:"message"`
}

// ReadBaseline reads a file that Baseline.Bytes made. The error names the line and the
// column.
func ReadBaseline(name string, src []byte) (Baseline, error) {
	var b Baseline
	doc, err := jsonedit.Parse(src)
	if e := (*jsonedit.SyntaxError)(nil); errors.As(err, &e) {
		line, column, _ := jsonedit.Position(src, e.Offset)
		return b, fmt.Errorf("%s:%d:%d: %s", name, line, column, e.Msg)
	}
	wrong := func(node int, expected string) error {
		line, column, _ := jsonedit.Position(src, int(doc.Nodes[node].Start))
		return fmt.Errorf("%s:%d:%d: not a baseline: expected %s", name, line, column, expected)
	}
	if kind, _ := doc.Str(doc.Member(0, "kind")); kind != "baseline" {
		return b, wrong(0, `an object with "kind": "baseline"`)
	}
	list := doc.Member(0, "findings")
	if list < 0 || doc.Nodes[list].Kind != jsonedit.Array {
		return b, wrong(max(list, 0), "a list of findings")
	}
	for c := range doc.Children(list) {
		var a Accepted
		for member, to := range map[string]*string{"rule": &a.Rule, "file": &a.File, "pointer": &a.Pointer, "message": &a.Message} {
			n := doc.Member(c, member)
			text, ok := doc.Str(n)
			if !ok && (n >= 0 || member != "pointer") {
				return b, wrong(max(n, c), "a finding with the strings rule, file and message")
			}
			*to = text
		}
		b.Findings = append(b.Findings, a)
	}
	return b, nil
}

// NewBaseline returns a Baseline of the findings in a finished Report that it can
// accept. refused is the number of others; see IsAcceptable. file returns the file of a
// finding as the Baseline names it.
func NewBaseline(r Report, file func(Finding) string) (b Baseline, refused int) {
	b = Baseline{Version: 1, Kind: "baseline", Findings: []Accepted{}}
	for _, f := range r.Findings {
		if !IsAcceptable(f) {
			refused++
			continue
		}
		b.Findings = append(b.Findings, Accepted{f.Rule, file(f), f.Pointer, f.Message})
	}
	return b, refused
}

// Bytes returns the file of a Baseline.
func (b Baseline) Bytes() ([]byte, error) {
	var out strings.Builder
	err := writeJSON(&out, b)
	return []byte(out.String()), err
}

// Accept moves the findings of r that b has from Findings to Suppressed, with a reason.
// Each Accepted accepts one finding: of those with its rule and file, the one with its
// pointer and its message, else one with either. In JSONL, where each line has pointers
// of its own, it is the message. Accept returns the number of Accepted without a
// finding. The caller calls Finish again.
func (b Baseline) Accept(r *Report, file func(Finding) string, reason string) (unused int) {
	used := make([]bool, len(b.Findings))
	taken := make([]bool, len(r.Findings))
	byFile := map[string][]int{}
	for k, a := range b.Findings {
		byFile[a.Rule+" "+a.File] = append(byFile[a.Rule+" "+a.File], k)
	}
	for _, exact := range []bool{true, false} {
		for i, f := range r.Findings {
			if taken[i] || !IsAcceptable(f) {
				continue
			}
			for _, k := range byFile[f.Rule+" "+file(f)] {
				a := b.Findings[k]
				same := a.Message == f.Message
				if exact {
					same = same && a.Pointer == f.Pointer
				} else if f.Pointer != "" && formOf(f.File) != formJSONL {
					same = same || a.Pointer == f.Pointer
				}
				if same && !used[k] {
					used[k], taken[i] = true, true
					break
				}
			}
		}
	}
	var kept []Finding
	for i, f := range r.Findings {
		if taken[i] {
			f.Reason = reason
			r.Suppressed = append(r.Suppressed, f)
		} else {
			kept = append(kept, f)
		}
	}
	r.Findings = kept
	for _, u := range used {
		if !u {
			unused++
		}
	}
	return unused
}
