package validate

import (
	"fmt"
	iofs "io/fs"
	"iter"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
)

// pages is a tree in memory: Name → text.
type pages map[string]string

func (p pages) Read(name string) ([]byte, error) {
	if text, ok := p[name]; ok {
		return []byte(text), nil
	}
	return nil, fmt.Errorf("%s: %w", name, iofs.ErrNotExist)
}

func (p pages) Names(dir string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, name := range slices.Sorted(maps.Keys(p)) {
			inside := strings.HasPrefix(name, dir+"/") || dir == "." && (strings.HasPrefix(name, fs.Forgemind+"/") || strings.HasPrefix(name, fs.Quaid+"/"))
			if inside && !yield(name, nil) {
				return
			}
		}
	}
}

// with is p with some texts changed; "" removes a document.
func (p pages) with(changes ...string) pages {
	out := maps.Clone(p)
	for i := 0; i+1 < len(changes); i += 2 {
		if out[changes[i]] = changes[i+1]; changes[i+1] == "" {
			delete(out, changes[i])
		}
	}
	return out
}

// state is a State without a fault, its lines numbered by what stands in them.
const state = `{
  "schema": "forgemind-context-v1",
  "metadata": {"timestamp": "2025-10-27T10:00:00Z", "session_id": "s-1", "session_start": "2025-10-27T09:00:00Z"},
  "role": {"agent": "Facilitator", "agent_id": "L1", "mode": "Boss Mode"},
  "project": {"name": "P", "current_layer": 1, "layer_name": "MODULE", "clarity": 85},
  "context_window": {"total_tokens": 1000, "used_tokens": 350, "usage_percent": 35},
  "recent_decisions": [{"id": "DEC-001", "decision": "Keep six layers"}],
  "pending_actions": [{"id": "ACT-001", "action": "write", "created": "2025-10-27T09:00:00Z", "due": "2025-10-27T12:00:00Z"}]
}
`

// change is the State with the one place where old stands changed.
func change(t *testing.T, text string, pairs ...string) string {
	t.Helper()
	for i := 0; i+1 < len(pairs); i += 2 {
		if strings.Count(text, pairs[i]) != 1 {
			t.Fatalf("%q does not stand once in the text", pairs[i])
		}
		text = strings.Replace(text, pairs[i], pairs[i+1], 1)
	}
	return text
}

// asText returns findings for a comparison, one on each line.
func asText(findings []Finding) string {
	var b strings.Builder
	for _, f := range findings {
		fmt.Fprintf(&b, "%s:%d:%d: %s: %s [%s]\n", f.File, f.Line, f.Column, f.Severity, f.Message, f.Rule)
	}
	return b.String()
}

func judgeTree(t *testing.T, r fs.Reader) []Finding {
	t.Helper()
	report, err := Tree(r, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return report.Findings
}

// expect compares findings with lines such as
// "file:line:column: severity: message [rule]".
func expect(t *testing.T, what string, got []Finding, want ...string) {
	t.Helper()
	wanted := strings.Join(want, "\n")
	if wanted != "" {
		wanted += "\n"
	}
	if asText(got) != wanted {
		t.Errorf("%s: found\n%swanted\n%s", what, asText(got), wanted)
	}
}
