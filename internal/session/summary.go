package session

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/templates"
)

// How much a summary says.
const (
	summaryMost   = 4000 // characters, about 1,000 tokens
	progressMost  = 12   // lines
	doingMost     = 3    // of these
	pendingMost   = 4    // of these
	decisionsMost = 10
	doneLeast     = 3   // lines that stay, however long they are
	decidedLeast  = 3   // likewise
	listMost      = 160 // bytes of an enumeration in one line
	itemsMost     = 100 // of each list of the hot context are looked at, the newest: there is room for a tenth
)

// Summarise works out the summary of a session, tier 3 of the Quaid document:
// objective, progress, key decisions, critical context. messages are all of the
// session's in order of time. It is extractive, and each line names the message
// or the document it comes from. Of too much to say it keeps what is newest and
// matters most: about 500 to 1,000 tokens.
func Summarise(id string, hot schema.HotContext, about schema.SessionMetadata, messages []schema.Message, standing schema.Standing) templates.SessionSummary {
	a := listen(messages)
	s := templates.SessionSummary{Session: id, Objective: a.objective(hot, about)}
	hot.ActiveGoals, hot.PendingActions = lately(hot.ActiveGoals), lately(hot.PendingActions)
	hot.KeyDecisions, about.Completed = lately(hot.KeyDecisions), lately(about.Completed)
	s.Decisions = a.decisions(hot.KeyDecisions, standing)
	a.told = append([]templates.SummaryLine{s.Objective}, s.Decisions...)
	for _, line := range a.told {
		a.said = append(a.said, claimOf(line.Text))
	}
	s.Progress = a.progress(hot, about)
	s.Critical = a.critical(hot, about)
	shorten(&s)
	return s
}

// lately is the end of a list: what there is room to look at.
func lately[T any](list []T) []T { return list[max(0, len(list)-itemsMost):] }

// decisions are the key decisions that hold, with why.
func (a *account) decisions(all []schema.KeyDecision, standing schema.Standing) (lines []templates.SummaryLine) {
	var claims []claim
	for _, d := range standing.WithoutProposals(all) {
		text, c := strings.TrimSpace(d.Decision), claimOf(d.Decision)
		if !standing.Holds(d.ID) || text == "" || slices.ContainsFunc(claims, c.same) {
			continue
		}
		claims = append(claims, c)
		if why := strings.TrimSpace(d.Rationale); why != "" {
			text += " (" + why + ")"
		}
		lines = append(lines, templates.SummaryLine{Text: text, From: a.origin(d.ID, d.Decision)})
	}
	return lines
}

// shorten takes out what there is no room for, of what takes most the oldest:
// what was done, and decisions, which are named still.
func shorten(s *templates.SessionSummary) {
	var earlier []string
	for {
		many := len(s.Decisions) > decisionsMost
		crowded := !many && utf8.RuneCount(s.Markdown()) > summaryMost
		done := slices.IndexFunc(s.Progress, func(l templates.SummaryLine) bool { return !strings.HasPrefix(l.Text, signDone) })
		if done < 0 {
			done = len(s.Progress)
		}
		many = many || crowded && len(s.Decisions) > decidedLeast
		switch {
		case crowded && done > doneLeast && (!many || size(s.Progress) > size(s.Decisions)):
			s.Progress = s.Progress[1:]
			continue
		case many:
			if from := s.Decisions[0].From; from != "" {
				earlier = append(earlier, from)
			}
			s.Decisions = s.Decisions[1:]
			continue
		}
		break
	}
	if len(earlier) > 0 {
		slices.Reverse(earlier)
		s.Critical = append(s.Critical, templates.SummaryLine{Text: "Earlier decisions: " + enumerate(earlier, ", ")})
	}
}

// size is how many bytes lines take at most.
func size(lines []templates.SummaryLine) (sum int) {
	for _, l := range lines {
		sum += len(l.Text) + len(l.From)
	}
	return sum
}

// enumerate joins as many items as a line has room for, and says how many more
// there are.
func enumerate(items []string, by string) string {
	text := ""
	for i, item := range items {
		switch {
		case i == 0:
			text = item
		case len(text)+len(by)+len(item) > listMost:
			return fmt.Sprintf("%s and %d more", text, len(items)-i)
		default:
			text += by + item
		}
	}
	return text
}
