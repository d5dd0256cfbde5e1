package schema_test

import (
	"strings"
	"testing"

	"github.com/forgemind/forgemind/schema"
)

// Each decision says its words in the channel yard, unless it is in no channel. The proposal was made at minute 1.
func TestWhichProposalsAreAccepted(t *testing.T) {
	const waiting = "p"
	for _, c := range []struct{ name, given, words, want, accepted string }{
		{"nobody answers", "a@1", "elm", "a", waiting},
		{"who supersedes it and says the same", "a@2>p", "oak", "a", "a"},
		{"in another case, with a full stop", "a@2>p", "Oak.", "a", "a"},
		{"who supersedes it and says otherwise", "a@2>p", "elm", "a", waiting},
		{"two say the same: one decision", "a@2>p b@3>p", "oak oak", "a b<a", "a"},
		{"the older one counts", "b@3>p a@2>p", "oak oak", "a b<a", "a"},
		{"what superseded the first supersedes the second", "a@2>p b@3>p c@4>a", "oak oak elm", "a<c b<a c", "a"},
		{"the second superseded the first", "a@2>p b@3>p,a", "oak oak", "a<b b", "a"},
		{"declined, and accepted later", "a@2>p b@3>p", "elm oak", "a b", waiting},
		{"who says the same in its channel", "a@2", "oak", "a", "a"},
		{"and did so before", "a@0", "oak", "a", "a"},
		{"who says the same elsewhere", "a@2!", "oak", "a", waiting},
		{"who said the same when it was made", "a@0 b@2>a", "oak elm", "a<b b", "a"},
		{"who said the same, and held no more", "a@0 b@0>a", "oak elm", "a<b b", waiting},
		{"who said the same later, and holds no more", "a@2 b@3>a", "oak elm", "a<b b", "a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			all := decisions(strings.ReplaceAll(c.given, "!", ""))
			for i, word := range strings.Fields(c.words) {
				if all[i].Decision = word; !strings.Contains(strings.Fields(c.given)[i], "!") {
					all[i].Channel = "yard"
				}
			}
			p := decisions("p@1")[0]
			p.Decision, p.Channel, p.Status = "oak", "yard", schema.Proposed
			for range 2 {
				s := schema.Current(append([]schema.Decision{p}, all...))
				if got := show(s); got != c.want || s.Accepted("p") != c.accepted {
					t.Errorf("holding are %q, accepted by %s; wanted are %q, %s", got, s.Accepted("p"), c.want, c.accepted)
				}
				if by, answered := s.SupersededBy("p"); answered && s.Accepted("p") != waiting && by != s.Accepted("p") {
					t.Errorf("it is superseded by %s", by)
				}
				all = append(all, all[0]) // once more, under the same id
			}
		})
	}
	p, d := schema.Decision{ID: "p", Decision: "oak", Status: schema.Proposed}, schema.Decision{ID: "d", Decision: "oak"}
	if by := schema.Current([]schema.Decision{p, d}).Accepted("p"); by != "p" {
		t.Errorf("in no channel it is accepted by %s", by)
	}
	p, d = schema.Decision{Decision: "elm", Status: schema.Proposed, Channel: "yard"}, schema.Decision{ID: "d", Decision: "oak", Channel: "yard"}
	if s := schema.Current([]schema.Decision{d, p}); !s.Holds("d") {
		t.Error("a proposal without an id has something to say of others")
	}
}

// Two clones that supersede a decision by the same words took one decision.
func TestTheSameDecisionTwice(t *testing.T) {
	all := decisions("a@1 b@2>a c@3>a d@4>a")
	for i, words := range []string{"oak", "elm", "Elm.", "lime"} {
		all[i].Decision = words
	}
	if got := show(schema.Current(all)); got != "a<b b c<b d" {
		t.Errorf("holding are %q", got)
	}
}
