package session

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/extract"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/templates"
)

// An account holds the messages of a session and what was computed from them.
type account struct {
	messages []schema.Message        // spoken messages, in order
	lower    []string                // their contents in lower case
	work     []extract.WorkReport    // work reports of each message
	claims   []claim                 // claims of each message, computed when needed
	told     []templates.SummaryLine // lines of the objective and the key decisions
	said     []claim                 // claims of these lines
}

func listen(messages []schema.Message) *account {
	a := &account{}
	for _, m := range messages {
		if !isSpoken(m) {
			continue
		}
		a.messages = append(a.messages, m)
		a.lower = append(a.lower, strings.ToLower(m.Content))
		a.work = append(a.work, extract.Work(m.Content))
	}
	return a
}

// isSpoken reports whether m is what a user or an agent said. Summaries and messages of tools are
// not.
func isSpoken(m schema.Message) bool {
	return m.Kind != "summary" && m.Kind != "tool_output" && m.Role != "tool" && m.Role != "system" && m.ToolName == "" && m.Content != ""
}

// origin returns id, or else the source of text.
func (a *account) origin(id, text string) string {
	if id != "" {
		return id
	}
	return a.source(text)
}

// source returns the id of the first message that contains text, or else of the first whose words
// cover its claim. It returns "" if there is none.
func (a *account) source(text string) string {
	if i := a.naming(text); i >= 0 {
		return a.messages[i].ID
	}
	if len(a.claims) == 0 {
		for _, m := range a.messages {
			a.claims = append(a.claims, claimOf(head(m.Content)))
		}
	}
	c := claimOf(text)
	if i := slices.IndexFunc(a.claims, func(m claim) bool { return len(c.terms) > 0 && m.covers(c, 1) }); i >= 0 {
		return a.messages[i].ID
	}
	return ""
}

// sources returns the ids of the first messages that name the items.
func (a *account) sources(items []string) string {
	var ids []string
	for _, item := range items {
		if i := a.naming(item); i >= 0 {
			ids = union(ids, []string{a.messages[i].ID})
		}
	}
	return together(ids)
}

// together joins the first ids, at most three and at most as many as fit into a line.
func together(ids []string) string {
	text := ""
	for i, id := range ids[:min(len(ids), 3)] {
		if i > 0 && len(text)+len(id) > 100 {
			break
		}
		text = strings.TrimPrefix(text+", "+id, ", ")
	}
	return text
}

// before returns the number of messages before a time, or of all messages if the time is invalid.
func (a *account) before(at string) int {
	when, err := schema.ParseTime(at)
	if err != nil {
		return len(a.messages)
	}
	last := time.Time{}
	n := 0
	for _, m := range a.messages {
		if said, err := schema.ParseTime(m.Timestamp); err == nil {
			last = said
		}
		if last.After(when) {
			break
		}
		n++
	}
	return n
}

// decided returns the decision that m states: the one that was detected when it was added, or else
// the one that its text shows.
func decided(m schema.Message) string {
	if d, ok := DetectedIn(m); ok || len(m.Metadata) > 0 {
		return d.Decision
	}
	if d, ok := extract.Decision(head(m.Content), schema.DefaultDecisionPhrases()); ok && !d.Imperative {
		return d.Decision
	}
	return ""
}

// speaker returns the name of the author of m.
func speaker(m schema.Message) string { return cmp.Or(m.Agent, m.Role) }

// head returns the part of a text that is compared.
func head(text string) string {
	const most = 8 << 10
	return text[:min(len(text), most)]
}

// naming returns the first message that names a thing, or -1.
func (a *account) naming(thing string) int {
	thing = strings.ToLower(strings.TrimSpace(thing))
	return slices.IndexFunc(a.lower, func(text string) bool { return standsIn(text, thing) })
}

// names reports whether text names a thing, without regard to case.
func names(text, thing string) bool {
	return standsIn(strings.ToLower(text), strings.ToLower(strings.TrimSpace(thing)))
}

// standsIn reports whether text contains thing as a whole word.
func standsIn(text, thing string) bool {
	for from := 0; thing != ""; {
		i := strings.Index(text[from:], thing)
		if i < 0 {
			return false
		}
		i += from
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+len(thing):])
		if !wordly(before) && !wordly(after) {
			return true
		}
		_, size := utf8.DecodeRuneInString(thing)
		from = i + size
	}
	return false
}

func wordly(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) }
