package session

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/extract"
	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/internal/text"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/templates"
)

const (
	filesMost       = 8
	namesMost       = 8
	constraintsMost = 5
	remindersMost   = 5
)

// critical returns what somebody must know to continue: the files, their dependencies, the
// constraints that no other line has, what somebody asked to remember, and the next steps.
func (a *account) critical(hot schema.HotContext, about schema.SessionMetadata) (lines []templates.SummaryLine) {
	if files := newestNames(a.files(hot), filesMost); len(files) > 0 {
		lines = append(lines, templates.SummaryLine{Text: "Working files: " + enumerate(files, ", "), From: a.sources(files)})
	}
	if names := newestNames(a.dependencies(hot), namesMost); len(names) > 0 {
		lines = append(lines, templates.SummaryLine{Text: "Dependencies: " + enumerate(names, ", "), From: a.sources(names)})
	}
	lines = append(lines, a.constraints(hot)...)
	lines = append(lines, a.reminders()...)
	if next, from := a.next(hot, about); len(next) > 0 {
		lines = append(lines, templates.SummaryLine{Text: "Next: " + enumerate(next, " + "), From: from})
	}
	return lines
}

func newestNames(all []string, most int) []string { return all[max(0, len(all)-most):] }

// files returns the current files in the order of their first edit, from the hot context or else
// from the messages.
func (a *account) files(hot schema.HotContext) (files []string) {
	if hot.CurrentFileContext != nil && len(hot.CurrentFileContext.Files) > 0 {
		return hot.CurrentFileContext.Files
	}
	for _, w := range a.work {
		files = union(files, w.Edited)
	}
	return files
}

var (
	depending = lazyregexp.New(`(?im)\bdependenc(?:y|ies)(?: (?:is|are|so far))?\s*:\s*(.+)$`)
	between   = lazyregexp.New("[,;+&`*]+|\\s+and\\s+|\\.\\s|\\.$")
	aName     = lazyregexp.New(`^[\p{L}\d@][\p{L}\d._@/+-]{0,39}$`)
)

// dependencies returns what messages list as dependencies, or else the technologies that the
// objective and the decisions do not name.
func (a *account) dependencies(hot schema.HotContext) (listed []string) {
	for _, m := range a.messages {
		for _, list := range depending.FindAllStringSubmatch(m.Content, -1) {
			for _, item := range between.Split(list[1], -1) {
				if item = strings.TrimSpace(item); aName.MatchString(item) && !strings.EqualFold(item, "none") {
					listed = union(listed, []string{item})
				}
			}
		}
	}
	if len(listed) > 0 {
		return listed
	}
	all := hot.KeyEntities[extract.Technologies]
	if len(all) == 0 {
		for _, m := range a.messages {
			all = union(all, extract.Entities(head(m.Content), nil)[extract.Technologies])
		}
	}
	for _, name := range all {
		if !slices.ContainsFunc(a.told, func(l templates.SummaryLine) bool { return names(l.Text, name) }) {
			listed = union(listed, []string{name})
		}
	}
	return listed
}

// constraints returns the newest constraints that no other line has.
func (a *account) constraints(hot schema.HotContext) (lines []templates.SummaryLine) {
	untold := slices.DeleteFunc(slices.Clone(hot.ImportantConstraints), func(c schema.Constraint) bool {
		rule := claimOf(c.Constraint)
		return strings.TrimSpace(c.Constraint) == "" || len(rule.terms) > 0 &&
			slices.ContainsFunc(a.said, func(said claim) bool { return said.covers(rule, 1) })
	})
	for _, c := range untold[max(0, len(untold)-constraintsMost):] {
		lines = append(lines, templates.SummaryLine{Text: "Constraint: " + c.Constraint, From: a.origin(c.ID, c.Constraint)})
	}
	return lines
}

// IsReminder reports whether a message is short and asks to remember something.
func IsReminder(m schema.Message) bool {
	const most = 1000 // bytes
	return len(m.Content) <= most && extract.AsksToRemember(m.Content)
}

// reminders returns what users asked last to remember, as far as no other line has it.
func (a *account) reminders() (lines []templates.SummaryLine) {
	for _, m := range slices.Backward(a.messages) {
		if m.Role != "user" && m.Role != "" || !IsReminder(m) || len(lines) == remindersMost {
			continue
		}
		asked := claimOf(m.Content)
		if !slices.ContainsFunc(a.said, func(said claim) bool { return said.covers(asked, 1) }) {
			lines = append(lines, templates.SummaryLine{Text: text.Head(text.OneLine(m.Content), 200), From: m.ID})
		}
	}
	slices.Reverse(lines)
	return lines
}

// next returns the next steps and the ids of their sources: the pending actions by priority, and
// what each agent last announced and has not done. Of two equal ones it keeps the shorter.
func (a *account) next(hot schema.HotContext, about schema.SessionMetadata) (texts []string, from string) {
	actions := slices.Clone(hot.PendingActions)
	slices.SortStableFunc(actions, func(a, b schema.Action) int {
		return cmp.Compare(urgency(a.Priority), urgency(b.Priority))
	})
	var kept []statement
	add := func(s statement) {
		i := slices.IndexFunc(kept, func(k statement) bool { return k.claim.finishes(s.claim) || s.claim.finishes(k.claim) })
		switch {
		case len(s.claim.terms) == 0:
		case i < 0:
			kept = append(kept, s)
		case utf8.RuneCountInString(s.text) < utf8.RuneCountInString(kept[i].text):
			kept[i] = s
		}
	}
	for _, act := range actions {
		add(stated(act.Action, a.origin(cmp.Or(act.Message, act.ID), act.Action), 0, 1))
	}
	for _, s := range a.announced(a.done(hot, about)) {
		add(s)
	}
	var ids []string
	for _, s := range kept {
		texts = append(texts, uncapped(s.text))
		ids = union(ids, []string{s.from})
	}
	return texts, together(ids)
}

// announced returns what each agent last announced as next, latest first, without what was done
// since.
func (a *account) announced(done []statement) (all []statement) {
	last := map[string]bool{}
	for i, m := range slices.Backward(a.messages) {
		who := speaker(m)
		if len(a.work[i].Next) == 0 || last[who] {
			continue
		}
		last[who] = true
		for _, text := range a.work[i].Next {
			s := stated(text, m.ID, i, importance(m))
			if !slices.ContainsFunc(done, func(d statement) bool { return d.at > i && d.claim.finishes(s.claim) }) {
				all = append(all, s)
			}
		}
	}
	return all
}

// finishes reports whether c, as something done, fulfills an announcement. It must cover most of
// its terms and the first, which is the verb.
func (c claim) finishes(announced claim) bool {
	return len(announced.terms) > 0 && slices.Contains(c.terms, announced.terms[0]) && c.covers(announced, much)
}

// uncapped returns text with a lower-case first letter, unless its first word has more capitals.
func uncapped(text string) string {
	word, _, _ := strings.Cut(text, " ")
	r, size := utf8.DecodeRuneInString(text)
	if size == len(word) || strings.ContainsFunc(word[size:], func(r rune) bool { return unicode.IsUpper(r) || unicode.IsDigit(r) }) {
		return text
	}
	return string(unicode.ToLower(r)) + text[size:]
}
