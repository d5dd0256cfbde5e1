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

// An account is what the messages of a session tell.
type account struct {
	messages []schema.Message        // those that somebody says, in order
	lower    []string                // what each says, in lower case
	work     []extract.WorkReport    // of each
	claims   []claim                 // of each; empty until asked for
	told     []templates.SummaryLine // the objective, and the key decisions
	said     []claim                 // of these
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

// isSpoken says whether a user or an agent says m: it is no summary, and no tool
// has to do with it.
func isSpoken(m schema.Message) bool {
	return m.Kind != "summary" && m.Kind != "tool_output" && m.Role != "tool" && m.Role != "system" && m.ToolName == "" && m.Content != ""
}

// origin is an id, or for want of it where a text comes from.
func (a *account) origin(id, text string) string {
	if id != "" {
		return id
	}
	return a.source(text)
}

// source is the id of the first message that says text, in these words or else in
// others that hold all of its claim; "" for none.
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

// sources are the ids of the first messages that name the items.
func (a *account) sources(items []string) string {
	var ids []string
	for _, item := range items {
		if i := a.naming(item); i >= 0 {
			ids = union(ids, []string{a.messages[i].ID})
		}
	}
	return together(ids)
}

// together is the first of ids, three at most, and no more than a line shows
// whole.
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

// before counts the messages that were said by a time; all where it cannot be
// read.
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

// decided is the decision that m states: as it was noted when it was said, else,
// where nothing was, as its text shows.
func decided(m schema.Message) string {
	if d, ok := DetectedIn(m); ok || len(m.Metadata) > 0 {
		return d.Decision
	}
	if d, ok := extract.Decision(head(m.Content), schema.DefaultDecisionPhrases()); ok && !d.Imperative {
		return d.Decision
	}
	return ""
}

// speaker is who says m.
func speaker(m schema.Message) string { return cmp.Or(m.Agent, m.Role) }

// head is as much of a text as is compared.
func head(text string) string {
	const most = 8 << 10
	return text[:min(len(text), most)]
}

// naming is the first of the messages that names a thing; -1 for none.
func (a *account) naming(thing string) int {
	thing = strings.ToLower(strings.TrimSpace(thing))
	return slices.IndexFunc(a.lower, func(text string) bool { return standsIn(text, thing) })
}

// names says whether text names a thing, in whatever case.
func names(text, thing string) bool {
	return standsIn(strings.ToLower(text), strings.ToLower(strings.TrimSpace(thing)))
}

// standsIn says whether thing stands in text with no letter or digit joined to it.
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
