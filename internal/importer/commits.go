package importer

import (
	"cmp"
	"strings"

	"github.com/forgemind/forgemind/internal/extract"
	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/internal/secret"
	"github.com/forgemind/forgemind/internal/text"
	"github.com/forgemind/forgemind/schema"
)

// A CommitText is a commit whose message may state a decision.
type CommitText struct {
	ID, At, By, Message string
}

// Detected is the section of the notes with decisions that commits state.
const Detected = "Detected decisions"

var (
	mergeSubject  = lazyregexp.New(`^Merge (?:pull request (#\d+)|branch|remote-tracking|tag|merge request)`)
	pullSubject   = lazyregexp.New(`\((#\d+)\)\s*$`)
	trailer       = lazyregexp.New(`(?m)^(?:Signed-off-by|Co-authored-by|Reviewed-by|Acked-by|Change-Id|Fixes|Closes|Refs?|See-also|Cc|Tested-by|Reported-by)\s*:.*$`)
	decidingLabel = lazyregexp.New(`(?im)^\s*(?:[-*]\s*)?(?:\*\*)?(?:decision|decided|entscheidung|décision|decisión|decisão|决定|決定)(?:\*\*)?\s*[:：](?:\*\*)?\s*(\S.*)$`)
)

// Commits returns the decisions that the messages of commits and of merged pull requests state. They
// are notes: somebody has to promote them before they are decisions.
func Commits(all []CommitText) Result {
	res := Result{Format: Git}
	for _, c := range all {
		message, kinds := secret.Mask(c.Message)
		res.Masked += len(kinds)
		subject, body, _ := strings.Cut(message, "\n")
		pull := ""
		if m := mergeSubject.FindStringSubmatch(subject); m != nil {
			if pull = m[1]; strings.TrimSpace(body) == "" {
				continue
			}
			message = body
		} else if m := pullSubject.FindStringSubmatch(subject); m != nil {
			pull = m[1]
		}
		d, ok := statedIn(message)
		if !ok {
			continue
		}
		res.add(Item{
			Kind: Note, Text: d.Decision, Rationale: prose(d.Rationale), At: c.At, By: c.By, Confidence: d.Confidence, Section: Detected,
			Source: Source{Format: Git, Commit: c.ID, ID: cmp.Or(pull, c.ID[:min(len(c.ID), 12)])},
		}, c.ID)
	}
	return res
}

// statedIn returns the decision that a message states. An imperative subject, such as "Use RS256", is
// how commits are written and states none.
func statedIn(message string) (extract.StatedDecision, bool) {
	message = trailer.ReplaceAllString(message, "")
	if m := decidingLabel.FindStringSubmatch(message); m != nil {
		decision, why := extract.Because(text.Line(m[1]))
		return extract.StatedDecision{Decision: decision, Rationale: why, Confidence: 0.9}, true
	}
	d, ok := extract.Decision(message, schema.DefaultDecisionPhrases())
	return d, ok && !d.Imperative
}
