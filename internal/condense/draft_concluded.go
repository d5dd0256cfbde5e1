package condense

import (
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/internal/secret"
	"github.com/forgemind/forgemind/schema"
)

// How many messages may follow a conclusion, and how many are looked at.
const (
	mostAfter = 6
	mostHeard = 20 // whether it ends is seen at the end
	mostSaid  = 60 // for what was decided
)

var closing = lazyregexp.New(`^\W*(?:(?:that|this|it)(?:'s| is)? (?:settles? it|settled|resolved|solved|done|decided)|(?:ok(?:ay)?,? )?(?:we're|we are) (?:done|all set|good)(?: here)?|case closed|problem solved|resolved|solved|closing (?:this|as|the)|consider (?:this|it) (?:done|settled|resolved|closed)|(?:great|perfect|ok|okay|good),? (?:then )?(?:that's|we have a|sounds like a) (?:it|decision|plan|deal)\b|✅)`)

// Concluded finds where a discussion came to its conclusion by itself: the last
// thing that was decided, where somebody else agreed or somebody closed the
// matter, and nothing is open after it. What has been condensed already does not
// count. at is the message's place in messages, why says what gave it away. It
// proposes; nothing is condensed for it.
func Concluded(messages []schema.Message, bosses, phrases []string) (at int, why string, ok bool) {
	d := listen(since(messages, mostHeard), DraftOptions{Bosses: bosses, Phrases: phrases})
	if len(d.who) < 2 {
		return 0, "", false
	}
	for _, c := range slices.Backward(d.candidates()) {
		if !c.isClear() || len(d.messages)-1-c.at > mostAfter {
			continue
		}
		sealed, by := d.sealed(c)
		if !sealed || d.openAfter(c) {
			return 0, "", false
		}
		why = c.told()
		if by != "" {
			why = fmt.Sprintf("%s agreed to what %s said: %s", named(by), named(c.who), c.shown())
		}
		return d.place(messages, c.at), why, true
	}
	return 0, "", false
}

// Decided returns what was decided last in a discussion since it was condensed, and by whom, for people,
// whether or not somebody agreed; "" if nothing was.
func Decided(messages []schema.Message, bosses, phrases []string) string {
	d := listen(since(messages, mostSaid), DraftOptions{Bosses: bosses, Phrases: phrases})
	for _, c := range slices.Backward(d.candidates()) {
		if c.isClear() {
			return c.told()
		}
	}
	return ""
}

// isClear reports whether c says clearly that something was decided.
func (c candidate) isClear() bool { return c.sure >= 0.6 && c.score >= 1 }

// told returns what c says and who said it, for people.
func (c candidate) told() string { return fmt.Sprintf("%s decided: %s", named(c.who), c.shown()) }

// shown returns the beginning of what c says, without secrets.
func (c candidate) shown() string {
	masked, _ := secret.Mask(c.text)
	return shortened(masked, 80)
}

func named(who string) string {
	if who == "" {
		return "somebody"
	}
	return shortened(who, longestName)
}

// since returns what was said after the last condensation, of more than most messages the last.
func since(messages []schema.Message, most int) []schema.Message {
	all := Stretch(messages)
	return all[max(0, len(all)-most):]
}

// sealed says whether somebody else agreed to c, or somebody closed the matter;
// a decision that says so itself, or a boss's, needs nobody.
func (d *discussion) sealed(c candidate) (ok bool, by string) {
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

// openAfter says whether what follows c asks something that nobody answers, or
// objects.
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
		if (strings.HasSuffix(trimmed, "?") || strings.HasSuffix(trimmed, "？")) && !Asked(m) {
			asker, open = who, true
		}
	}
	return open
}

// place is where the message stands in what was given.
func (d *discussion) place(messages []schema.Message, at int) int {
	for i, m := range messages {
		if speaks(m) && m.ID == d.messages[at].ID && m.Content == d.messages[at].Content && m.Timestamp == d.messages[at].Timestamp {
			return i
		}
	}
	return 0
}
