package session

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/internal/text"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/templates"
)

// objective returns the purpose of the session: its main goal, in the words of a message that says
// it in more detail, or else what the first user wants.
func (a *account) objective(hot schema.HotContext, about schema.SessionMetadata) templates.SummaryLine {
	goal := mainGoal(hot, about)
	if strings.TrimSpace(goal.Goal) == "" {
		return a.intent()
	}
	c := claimOf(goal.Goal)
	for i := range a.messages {
		for _, text := range a.aims(i) {
			first, _, _ := strings.Cut(text, ", ")
			for _, text := range []string{first, text} {
				if more := claimOf(text); len(more.terms) > len(c.terms) && more.covers(c, 1) {
					return templates.SummaryLine{Text: text, From: a.messages[i].ID}
				}
			}
		}
	}
	return templates.SummaryLine{Text: goal.Goal, From: a.origin(goal.ID, goal.Goal)}
}

// mainGoal returns the goal that is the session's Objective. If there is none, it returns the most
// urgent completed goal, and of equally urgent ones the last.
func mainGoal(hot schema.HotContext, about schema.SessionMetadata) (main schema.Goal) {
	if text := Objective(hot); text != "" {
		return hot.ActiveGoals[slices.IndexFunc(hot.ActiveGoals, func(g schema.Goal) bool {
			return g.Goal == text && g.ParentGoalID == "" && g.Status != Complete
		})]
	}
	for _, d := range about.Completed {
		if d.Goal != "" && d.ParentGoalID == "" && (main.Goal == "" || urgency(d.Priority) <= urgency(main.Priority)) {
			main = schema.Goal{ID: d.ID, Goal: d.Goal, Priority: d.Priority, Status: Complete}
		}
	}
	return main
}

// aims returns the sentences of a message that say what is done or wanted.
func (a *account) aims(i int) []string {
	const longest = 160
	var aims []string
	for _, s := range a.work[i].Doing {
		text, _ := wanted(s)
		aims = append(aims, text)
	}
	if a.messages[i].Role == "user" || a.messages[i].Role == "" {
		for _, s := range sentences(head(a.messages[i].Content)) {
			if text, ok := wanted(s); ok {
				aims = append(aims, text)
			}
		}
	}
	return slices.DeleteFunc(aims, func(s string) bool { return len(s) > longest })
}

// intent returns what the first user wants, or else says, in as many words as are needed.
func (a *account) intent() templates.SummaryLine {
	var said templates.SummaryLine
	for _, m := range a.messages {
		if m.Role != "user" && m.Role != "" {
			continue
		}
		for _, s := range sentences(head(m.Content)) {
			if len(claimOf(s).terms) < 2 || leading.MatchString(s) {
				continue
			}
			if text, ok := wanted(s); ok {
				return templates.SummaryLine{Text: text, From: m.ID}
			}
			if said.Text == "" {
				said = templates.SummaryLine{Text: s, From: m.ID}
			}
		}
		if said.Text != "" {
			break
		}
	}
	return said
}

var (
	wanting = lazyregexp.New(`(?i)^(?:(?:hi|hello|hey|ok|okay|so|now|please|today|first)[,!]?\s+)*(?:` +
		`(?:objective|goal|aim|task)(?: is)?\s*:\s*(?:to\s+)?|let['’]?s\s+|let us\s+|please\s+|(?:can|could|would) (?:you|we)(?: please)?\s+|` +
		`help me(?: to)?\s+|(?:i|we)(?: would|['’]d) like(?: you)? to\s+|(?:i|we) (?:want|need|have|plan)(?: you)? to\s+|` +
		`(?:the |our |my )?(?:objective|goal|aim|task) is (?:to\s+)?|(?:i am|we are|i['’]m|we['’]re)(?: currently| now)?\s+(\p{L}+ing\s))`)
	leading = lazyregexp.New(`(?i)^(?:hi|hello|hey|good (?:morning|evening))\b.{0,24}$|:$`) // greetings, and lines that introduce a list
	gerund  = lazyregexp.New(`^\p{Lu}\p{L}+ing\s`)
)

// wanted returns the task that a sentence asks for, without the introduction.
func wanted(s string) (string, bool) {
	s = strings.TrimRight(s, ".!? ")
	if at := wanting.FindStringSubmatchIndex(s); at != nil {
		rest := s[at[1]:]
		if at[2] >= 0 {
			rest = s[at[2]:]
		}
		return capped(rest), rest != ""
	}
	return s, gerund.MatchString(s)
}

// capped returns text with a capital first letter.
func capped(text string) string {
	r, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[size:]
}

// sentences returns the sentences of a text, line by line.
func sentences(s string) (all []string) {
	for line := range strings.Lines(s) {
		line = strings.TrimLeft(strings.TrimSpace(line), "-*>#• ")
		all = append(all, text.Sentences(line)...)
	}
	return all
}
