package validate

import (
	"fmt"
	"math"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// tokenTolerance is the difference of the sums, in tokens, that rule set 2 allows.
const tokenTolerance = 1000

var tokenMismatch = Rule{
	Name:     "token-mismatch",
	Severity: Error,
	Summary:  "The window's used tokens are not what fills it.",
	Help: `Rule set 2, consistency: context_window.used_tokens is the sum of the tokens of
all loaded artifacts plus context_window.other_tokens, give or take 1,000.

The window also holds messages, the system prompt and tools. Record them in
other_tokens, an object of name to tokens. Without it only artifacts are counted,
as the rule is written.

Compaction goes by used_tokens: a wrong figure makes it come too early or too late.

Wrong:

    "used_tokens": 70000        with loaded artifacts of 10,500 tokens

Right:

    "used_tokens": 70000, "other_tokens": { "messages": 59500 }

To mend it, correct the figure that is wrong, or record what else fills the window.
` + "`forgemind validate --fix`" + ` records the difference as other_tokens.unattributed.
`,
	record: func(d *document) {
		if !d.isState() {
			return
		}
		sums, ok := windowSums(d)
		if !ok || math.Abs(sums.used-sums.artifacts-sums.other) <= tokenTolerance {
			return
		}
		parts := "loaded artifacts have " + grouped(sums.artifacts)
		if sums.hasOther {
			parts += " and other_tokens " + grouped(sums.other) + ", together " + grouped(sums.artifacts+sums.other)
		}
		hint := "correct the tokens of the artifacts and other_tokens, or used_tokens"
		if rest := sums.used - sums.artifacts - sums.other; rest > 0 {
			hint = fmt.Sprintf(`record what else fills the window, for example "other_tokens": {"messages": %.0f} in context_window, or run validate --fix`,
				rest+sums.messages)
		}
		d.at(sums.node, fmt.Sprintf("Token count mismatch: used_tokens is %s, but %s (tolerance %s)",
			grouped(sums.used), parts, grouped(tokenTolerance)), hint)
	},
}

// sums holds the values that rule set 2 compares.
type sums struct {
	node                   int // used_tokens
	used, artifacts, other float64
	messages               float64 // the part of other with the name messages
	hasOther               bool
}

// windowSums adds up the parts of a State's window. It returns false if a figure is
// missing or not a number, which other rules report.
func windowSums(d *document) (s sums, ok bool) {
	window := d.tape.Member(0, "context_window")
	s.node = d.member(window, "used_tokens")
	if s.used, ok = d.number(s.node); !ok || d.broken(s.node) {
		return s, false
	}
	artifacts := d.tape.Member(0, "loaded_artifacts")
	if artifacts >= 0 && d.kindOf(artifacts) != jsonedit.Array {
		return s, false
	}
	for a := d.first(artifacts); a >= 0; a = d.next(a) {
		if d.kindOf(d.tape.Member(a, "loaded")) != jsonedit.True {
			continue
		}
		tokens := d.tape.Member(a, "tokens")
		n, ok := d.number(tokens)
		if !ok && tokens >= 0 || d.broken(tokens) {
			return s, false
		}
		s.artifacts += n
	}
	other := d.member(window, "other_tokens")
	if other < 0 {
		return s, true
	}
	if d.kindOf(other) != jsonedit.Object {
		return s, false
	}
	s.hasOther = true
	for o := d.first(other); o >= 0; o = d.next(o) {
		n, ok := d.number(o)
		if !ok || d.broken(o) {
			return s, false
		}
		s.other += n
	}
	s.messages, _ = d.number(d.tape.Member(other, "messages"))
	return s, true
}
