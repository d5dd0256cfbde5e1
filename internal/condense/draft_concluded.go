package condense

import (
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/schema"
)

// Limits for a conclusion.
const (
	leastMessages = 3
	mostAfter     = 6   // messages that may follow it
	mostHeard     = 200 // messages that are examined, from the end
)

var closing = lazyregexp.New(`^\W*(?:(?:that|this|it)(?:'s| is)? (?:settles? it|settled|resolved|solved|done|decided)|(?:ok(?:ay)?,? )?(?:we're|we are) (?:done|all set|good)(?: here)?|case closed|problem solved|resolved|solved|closing (?:this|as|the)|consider (?:this|it) (?:done|settled|resolved|closed)|(?:great|perfect|ok|okay|good),? (?:then )?(?:that's|we have a|sounds like a) (?:it|decision|plan|deal)\b|✅)`)

// Concluded finds the point at which a discussion reached a conclusion: its last decision, if
// somebody else agreed or closed the matter and nothing is open after it. It ignores what was
// condensed already. The result at is the index of the message, and why names the reason. The
// result is a proposal; nothing is condensed because of it.
func Concluded(messages []schema.Message, bosses, phrases []string) (at int, why string, ok bool) {
	d := listen(since(messages), DraftOptions{Bosses: bosses, Phrases: phrases})
	if len(d.messages) < leastMessages || len(d.who) < 2 {
		return 0, "", false
	}
	all := d.candidates()
	for _, c := range slices.Backward(all) {
		if c.sure < 0.6 || c.score < 1 || len(d.messages)-1-c.at > mostAfter {
			continue
		}
		sealed, by := d.isAgreed(c)
		if !sealed || d.openAfter(c) {
			return 0, "", false
		}
		what := shortened(c.text, 80)
		switch {
		case by == "":
			why = fmt.Sprintf("%s decided: %s", named(c.who), what)
		default:
			why = fmt.Sprintf("%s agreed to what %s said: %s", named(by), named(c.who), what)
		}
		return d.place(messages, c.at), why, true
	}
	return 0, "", false
}

// Decided returns the last sentence that states a decision since the last condensation, whether or
// not anybody agreed to it. It returns "" if there is none.
func Decided(messages []schema.Message, bosses, phrases []string) string {
	d := listen(since(messages), DraftOptions{Bosses: bosses, Phrases: phrases})
	for _, s := range slices.Backward(d.sentences) {
		if s.sure >= 0.8 && !s.asked {
			return shortened(s.text, 80)
		}
	}
	return ""
}

func named(who string) string {
	if who == "" {
		return "somebody"
	}
	return shortened(who, longestName)
}

// since returns the messages after the last condensation, or the end of them if there are many.
func since(messages []schema.Message) []schema.Message {
	all := MessagesSinceCondensed(messages)
	return all[max(0, len(all)-mostHeard):]
}

// isAgreed reports whether somebody else agreed to c or closed the matter. An explicit decision, or
// one of a boss, needs no agreement.
func (d *discussion) isAgreed(c candidate) (ok bool, by string) {
	for i := c.at + 1; i < len(d.messages); i++ {
		low := d.head(i)
		who := single(d.messages[i].Agent)
		switch {
		case closing.MatchString(low):
			return true, ""
		case who == c.who:
		case objecting.MatchString(low):
			return false, ""
		case agreeing.MatchString(low):
			return true, who
		}
	}
	return c.sure >= 0.9 || d.boss[lower(c.who)] && c.sure >= 0.6 || closing.MatchString(d.head(c.at)), ""
}

// openAfter reports whether there is an unanswered question or an objection after c.
func (d *discussion) openAfter(c candidate) bool {
	asker, open := "", false
	for i := c.at; i < len(d.messages); i++ {
		m := d.messages[i]
		who, low := single(m.Agent), d.head(i)
		if i > c.at && who != c.who && objecting.MatchString(low) {
			return true
		}
		if who != asker {
			open = false
		}
		trimmed := strings.TrimRight(m.Content, " \t\r\n)*_\"'")
		if (strings.HasSuffix(trimmed, "?") || strings.HasSuffix(trimmed, "？")) && !IsCondenseRequest(m) {
			asker, open = who, true
		}
	}
	return open
}

// place returns the index of the message in the caller's list.
func (d *discussion) place(messages []schema.Message, at int) int {
	for i, m := range messages {
		if speaks(m) && m.ID == d.messages[at].ID && m.Content == d.messages[at].Content && m.Timestamp == d.messages[at].Timestamp {
			return i
		}
	}
	return 0
}
