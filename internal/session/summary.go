package session

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/templates"
)

// Limits for the length of a summary.
const (
	summaryMost   = 4000 // characters, about 1,000 tokens
	progressMost  = 30   // lines
	progressLeast = 12   // lines that a crowded summary has
	doingMost     = 3    // of these lines
	pendingMost   = 8    // of these lines
	decisionsMost = 60
	doneLeast     = 3   // lines that stay even if they are too long
	decidedLeast  = 3   // likewise
	listMost      = 160 // bytes of an enumeration in one line
	itemsMost     = 100 // newest items of each list of the hot context that are considered; a tenth of them fits
)

// Summarise returns the summary of a session, which is tier 3 of the Quaid document:
// objective, progress, key decisions and critical context and, for a long talk, requests and
// statements. The argument messages holds all messages of the session sorted by time. The
// summary is extractive, and each line names the message or document from which it comes. If
// there is too much, it keeps what is newest and most important: about 500 to 1,000 tokens.
func Summarise(id string, hot schema.HotContext, about schema.SessionMetadata, messages []schema.Message, standing schema.Standing) templates.SessionSummary {
	a := listen(messages)
	s := templates.SessionSummary{Session: id, Objective: a.objective(hot, about)}
	hot.ActiveGoals, hot.PendingActions = lastItems(hot.ActiveGoals), lastItems(hot.PendingActions)
	hot.KeyDecisions, about.Completed = lastItems(hot.KeyDecisions), lastItems(about.Completed)
	s.Decisions = a.decisions(hot.KeyDecisions, standing)
	a.told = append([]templates.SummaryLine{s.Objective}, s.Decisions...)
	for _, line := range a.told {
		a.said = append(a.said, claimOf(line.Text))
	}
	s.Critical = a.critical(hot, about)
	progress := a.progress(hot, about)
	for most := progressMost; most >= progressLeast; most -= 3 {
		if s.Progress = progress(most); utf8.RuneCount(s.Markdown()) <= summaryMost {
			break
		}
	}
	shorten(&s)
	a.discussion(&s)
	return s
}

// lastItems returns the last itemsMost elements of a list.
func lastItems[T any](list []T) []T { return list[max(0, len(list)-itemsMost):] }

// decisions returns lines for the key decisions in force, with their rationale. Of nearly
// equal ones it has the newest. If a decision contradicts an earlier one, the line names the
// earlier one.
func (a *account) decisions(all []schema.KeyDecision, standing schema.Standing) (lines []templates.SummaryLine) {
	var claims []claim
	for _, d := range all {
		_, superseded := standing.SupersededBy(d.ID)
		text, c := strings.TrimSpace(d.Decision), claimOf(d.Decision)
		if superseded || text == "" {
			continue
		}
		before := slices.IndexFunc(claims, func(k claim) bool { return k.same(c) || k.contradicts(c) })
		earlier := ""
		if before >= 0 {
			if claims[before].contradicts(c) {
				earlier, _, _ = strings.Cut(lines[before].Text, "; earlier: ")
			}
			claims, lines = slices.Delete(claims, before, before+1), slices.Delete(lines, before, before+1)
		}
		claims = append(claims, c)
		if why := strings.TrimSpace(d.Rationale); why != "" {
			text += " (" + why + ")"
		}
		if earlier != "" {
			text += "; earlier: " + earlier
		}
		lines = append(lines, templates.SummaryLine{Text: text, From: a.origin(d.ID, d.Decision)})
	}
	return lines
}

// shorten removes lines until the summary is short enough. It removes the oldest lines of the
// longer of two sections: what was done, and decisions, of which the ids stay.
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

// size returns the largest number of bytes that lines can take.
func size(lines []templates.SummaryLine) (sum int) {
	for _, l := range lines {
		sum += len(l.Text) + len(l.From)
	}
	return sum
}

// enumerate joins as many items as fit into a line, and adds the number of the others.
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
