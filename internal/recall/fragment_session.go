package recall

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/schema"
)

// How much a fragment matters, by what its session came to; ratios.
const (
	withDecisions = 0.9
	withGoals     = 0.7
	withNeither   = 0.5
)

// maxEntities is how many entities of a session its fragment names.
const maxEntities = 50

// Worth says whether a session is worth a fragment, and why: it is with at least
// one decision that holds, one completed goal or one note of its own. What it
// carried over from the session that it continues is in that one's fragment.
func Worth(about schema.SessionMetadata, hot schema.HotContext) (worth bool, reason string) {
	own := func(at string) bool { return about.Continues == "" || !before(at, about.Started) }
	decisions := slices.DeleteFunc(holding(hot.KeyDecisions), func(d schema.KeyDecision) bool { return !own(d.Timestamp) })
	notes := slices.DeleteFunc(slices.Clone(hot.Notes), func(n schema.Note) bool { return !own(n.Created) })
	var holds []string
	for _, what := range []struct {
		n         int
		one, many string
	}{
		{len(decisions), "decision that holds", "decisions that hold"},
		{len(completed(about)), "completed goal", "completed goals"},
		{len(notes), "note", "notes"},
	} {
		switch {
		case what.n == 1:
			holds = append(holds, "1 "+what.one)
		case what.n > 1:
			holds = append(holds, fmt.Sprintf("%d %s", what.n, what.many))
		}
	}
	if len(holds) == 0 {
		return false, "it has no decision that holds, no completed goal and no note of its own"
	}
	return true, "it has " + strings.Join(holds, ", ")
}

// before says whether a time is before another one; what is no time is not.
func before(at, other string) bool {
	a, err := schema.ParseTime(at)
	if err != nil {
		return false
	}
	b, err := schema.ParseTime(other)
	return err == nil && a.Before(b)
}

// FromSession is the fragment that a session becomes: what its summary says, its
// decisions that hold, and what else of its hot context outlasts it. title is
// the session's own where it is "". Name, ID and Created are for the caller to
// set.
func FromSession(about schema.SessionMetadata, hot schema.HotContext, summary []byte, title string) Fragment {
	decisions, goals := holding(hot.KeyDecisions), completed(about)
	f := Fragment{
		Title: cmp.Or(oneLine(title), oneLine(about.Title), firstGoal(hot, goals), "Session "+about.SessionID),
		Type:  Reference, Importance: withNeither,
		Tags: about.Tags, Entities: entities(hot.KeyEntities),
		Session: about.SessionID,
	}
	switch {
	case len(decisions) > 0:
		f.Type, f.Importance = Decision, withDecisions
	case len(goals) > 0:
		f.Type, f.Importance = Implementation, withGoals
	}
	f.Body = body(f.Title, about, hot, summary)
	return f.normal()
}

// holding are the decisions of a session that none of them superseded.
func holding(keys []schema.KeyDecision) []schema.KeyDecision {
	all := make([]schema.Decision, len(keys))
	for i, k := range keys {
		all[i] = schema.Decision{ID: k.ID, Timestamp: k.Timestamp, Supersedes: k.Supersedes, Status: k.Status}
	}
	standing := schema.Current(all)
	return slices.DeleteFunc(slices.Clone(keys), func(k schema.KeyDecision) bool { return k.ID != "" && !standing.Holds(k.ID) })
}

// completed are the goals that a session reached.
func completed(about schema.SessionMetadata) []schema.Done {
	return slices.DeleteFunc(slices.Clone(about.Completed), func(d schema.Done) bool { return d.Goal == "" })
}

func firstGoal(hot schema.HotContext, done []schema.Done) string {
	switch {
	case len(hot.ActiveGoals) > 0:
		return oneLine(hot.ActiveGoals[0].Goal)
	case len(done) > 0:
		return oneLine(done[0].Goal)
	}
	return ""
}

// entities are the names of all kinds, in order of the kinds.
func entities(kinds map[string][]string) []string {
	var all []string
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		all = append(all, kinds[kind]...)
	}
	all = each(all)
	return all[:min(len(all), maxEntities)]
}

// body is what the fragment of a session says.
func body(title string, about schema.SessionMetadata, hot schema.HotContext, summary []byte) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n", oneLine(title), origin(about))
	decisions := holding(hot.KeyDecisions)
	if told := sections(string(summary), len(decisions) > 0); told != "" {
		b.WriteString("\n" + told + "\n")
	}
	list(&b, "Decisions", decisions, func(d schema.KeyDecision) string {
		text := d.Decision
		if d.Rationale != "" {
			text += ". Rationale: " + d.Rationale
		}
		return point(text, d.ID, d.Agent, d.Timestamp)
	})
	list(&b, "Completed", completed(about), func(d schema.Done) string {
		return point(d.Goal, d.ID, d.CompletedBy, d.Completed)
	})
	list(&b, "Constraints", hot.ImportantConstraints, func(c schema.Constraint) string {
		return point(c.Constraint, c.ID, c.Agent, c.Created)
	})
	list(&b, "Notes", hot.Notes, func(n schema.Note) string {
		return point(n.Note, n.ID, n.Agent, n.Created)
	})
	list(&b, "Open Questions", hot.OpenQuestions, func(q schema.Question) string {
		return point(q.Question, q.ID, q.AskedBy, q.AskedAt)
	})
	list(&b, "Files", files(about, hot), func(name string) string { return point(name) })
	list(&b, "Entities", slices.Sorted(maps.Keys(hot.KeyEntities)), func(kind string) string {
		return point(kind + ": " + strings.Join(each(hot.KeyEntities[kind]), ", "))
	})
	return b.String()
}

// list writes a heading and a line for each item; nothing where there are none.
func list[T any](b *strings.Builder, heading string, items []T, line func(T) string) {
	if len(items) > 0 {
		b.WriteString("\n## " + heading + "\n")
	}
	for _, item := range items {
		b.WriteString("- " + line(item) + "\n")
	}
}

// point is a text on one line, and what it comes from.
func point(text string, from ...string) string {
	text = oneLine(text)
	if from = each(from); len(from) > 0 {
		text += " (" + strings.Join(from, ", ") + ")"
	}
	return text
}

// origin says which session it was, and leads to its folder from that of the
// fragments of either tree.
func origin(about schema.SessionMetadata) string {
	id := oneLine(about.SessionID)
	line := fmt.Sprintf("From session [%s](../../context/sessions/%s/)", id, id)
	if about.Started != "" {
		line += fmt.Sprintf(", %s to %s", oneLine(about.Started), oneLine(cmp.Or(about.LastActivity, about.Started)))
	}
	if about.MessageCount > 0 {
		line += fmt.Sprintf(", messages: %d", int(about.MessageCount))
	}
	if agents := each(about.Agents); len(agents) > 0 {
		line += ", agents: " + strings.Join(agents, ", ")
	}
	if about.Continues != "" {
		line += ", continues " + oneLine(about.Continues)
	}
	return line + "."
}

// files are those that a session worked on, in order of first touch.
func files(about schema.SessionMetadata, hot schema.HotContext) []string {
	all := slices.Clone(about.PrimaryFiles)
	if at := hot.CurrentFileContext; at != nil {
		all = append(append(all, at.Files...), at.LastEdited)
	}
	return each(all)
}

// sections are those of a summary, without its title, and without its key
// decisions where the fragment lists its own.
func sections(summary string, decided bool) string {
	var b strings.Builder
	left := false
	for line := range strings.Lines(strings.ToValidUTF8(summary, "\ufffd")) {
		switch {
		case strings.HasPrefix(line, "# "):
			left = false
			continue
		case strings.HasPrefix(line, "## "):
			left = decided && strings.TrimSpace(line) == "## Key Decisions"
		}
		if !left {
			b.WriteString(line)
		}
	}
	return strings.TrimSpace(b.String())
}
