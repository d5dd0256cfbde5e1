package session

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"github.com/forgemind/forgemind/templates"
)

const (
	talkLeast     = 20 // least messages of a talk whose requests and statements are listed
	requestsShare = 3  // a third of the room is for requests
)

// discussion adds users' requests, and statements with frequent words, if no other line has
// them and there is room. It adds nothing for a short talk.
func (a *account) discussion(s *templates.SessionSummary) {
	if len(a.messages) < talkLeast {
		return
	}
	for _, line := range slices.Concat(s.Progress, s.Critical) {
		a.said = append(a.said, claimOf(line.Text))
	}
	weights := a.weights()
	room := summaryMost - utf8.RuneCount(s.Markdown())
	var requests, statements []statement
	for i, m := range a.messages {
		if best, ok := a.telling(i, weights); !ok {
			continue
		} else if m.Role == "user" {
			requests = append(requests, best)
		} else {
			statements = append(statements, best)
		}
	}
	s.Requests = a.choose(requests, room/requestsShare)
	for _, line := range s.Requests {
		room -= lineCost(line)
	}
	s.Said = a.choose(statements, room)
}

// telling returns the most informative sentence of a message; false if it has none.
func (a *account) telling(i int, weights map[string]float64) (best statement, ok bool) {
	for _, text := range sentences(head(a.messages[i].Content)) {
		s := stated(text, a.messages[i].ID, i, 0)
		for _, term := range s.claim.terms {
			s.weight += weights[term]
		}
		s.weight /= float64(len(s.claim.terms) + 4) // long sentences get no advantage
		if len(s.claim.terms) >= 3 && s.weight > best.weight {
			best, ok = s, true
		}
	}
	return best, ok
}

// weights returns the weight of each word: the number of messages that have it, 0 for a
// single one.
func (a *account) weights() map[string]float64 {
	weights := map[string]float64{}
	for _, m := range a.messages {
		for _, term := range claimOf(head(m.Content)).terms {
			weights[term]++
		}
	}
	most := float64(len(a.messages))
	for term, n := range weights {
		if n < 2 {
			weights[term] = 0.2
		} else {
			weights[term] = 1 + min(n/most, 0.5)
		}
	}
	return weights
}

// choose returns as many statements as have room, in order of time: of nearly equal ones the
// newest, and none that another line has. Half of them are the newest, the others the most
// informative.
func (a *account) choose(all []statement, room int) (lines []templates.SummaryLine) {
	order := slices.Clone(all)
	slices.Reverse(order)
	newest := order[:min(len(order), 5)]
	rest := order[len(newest):]
	slices.SortStableFunc(rest, func(x, y statement) int { return cmp.Compare(y.weight, x.weight) })
	var kept []statement
	for _, s := range order {
		line := templates.SummaryLine{Text: s.text, From: s.from}
		if cost := lineCost(line); cost > room || slices.ContainsFunc(a.said, func(c claim) bool { return c.same(s.claim) || c.contradicts(s.claim) || c.covers(s.claim, 1) }) {
			continue
		} else if room -= cost; room < 0 {
			break
		}
		kept = append(kept, s)
		a.said = append(a.said, s.claim)
	}
	slices.SortFunc(kept, func(x, y statement) int { return cmp.Compare(x.at, y.at) })
	for _, s := range kept {
		lines = append(lines, templates.SummaryLine{Text: s.text, From: s.from})
	}
	return lines
}

// lineCost returns an upper limit for the characters of a line in the summary.
func lineCost(l templates.SummaryLine) int {
	return min(utf8.RuneCountInString(l.Text), 200) + utf8.RuneCountInString(l.From) + 8
}
