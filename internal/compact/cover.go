package compact

import (
	"cmp"
	"container/heap"
	"math"
	"slices"
)

// band says on which side of the thresholds a message scores: within one what it
// tells for what it costs decides. Nobody asked for what is near to the last word
// of a talk: there, all are in one.
func (t *talk) band(m *message) int {
	switch score := m.thousandths(); {
	case t.implied:
		return 0
	case score >= thousandths(t.o.Knobs.KeepThreshold):
		return 2
	case score >= thousandths(t.o.Knobs.RelevanceCutoff):
		return 1
	}
	return 0
}

// fillByScore keeps those of the rest that answer the prompt best, as long as
// there is room; among those of about one score, what tells most that the kept
// text does not say for what it costs. What tools gave stays only where all else
// does.
func (t *talk) fillByScore(room int) int {
	var rest, tools []*message
	for i := range t.messages {
		m := &t.messages[i]
		switch {
		case m.verdict == Kept || m.kind == Summary || i >= t.recent || m.essential != "":
		case m.kind == ToolOutput:
			tools = append(tools, m)
		default:
			rest = append(rest, m)
		}
	}
	c := t.covered()
	if t.favour >= few {
		// Where the user says little, it is what all the rest is about.
		part := room * 3 / 4
		var users []*message
		for _, m := range rest {
			if m.user {
				users = append(users, m)
			}
		}
		room -= part - c.fill(part, users)
		rest = slices.DeleteFunc(rest, func(m *message) bool { return m.verdict == Kept })
	}
	if room = c.fillBands(room, rest, t.band); slices.ContainsFunc(rest, func(m *message) bool { return m.verdict != Kept }) {
		return room
	}
	return c.fillBands(room, tools, t.band)
}

// fillBands keeps messages as long as there is room, those of the highest band
// first.
func (c *cover) fillBands(room int, of []*message, band func(m *message) int) int {
	slices.SortStableFunc(of, func(a, b *message) int { return cmp.Compare(band(b), band(a)) })
	for len(of) > 0 {
		n := 1
		for n < len(of) && band(of[n]) == band(of[0]) {
			n++
		}
		room = c.fill(room, of[:n])
		of = of[n:]
	}
	return room
}

const (
	again = 0.95 // what a word is worth each time that it is said again
	fresh = 0.05 // share of what a message says from which it is no repetition
	pull  = 5    // how many times as much what answers all of a given prompt tells
)

// A cover is what the kept text says.
type cover struct {
	*weighing
	said  map[uint64]int32 // how often each word is
	asked bool             // a prompt was given
}

func (t *talk) covered() *cover {
	c := &cover{weighing: t.weighing, said: map[uint64]int32{}, asked: !t.implied}
	for i := range t.messages {
		if m := &t.messages[i]; m.verdict == Kept {
			c.say(m)
		}
	}
	return c
}

func (c *cover) say(m *message) {
	c.distinct(head(m.Content, longest), func(word uint64) { c.said[word]++ })
}

// density is how much a message tells for what it costs beside what is said.
func (c *cover) density(m *message) float64 {
	all, rest, unsaid := 0.0, 0.0, 0.0
	c.distinct(head(m.Content, longest), func(word uint64) {
		worth, times := c.worth(word), c.said[word]
		all += worth
		rest += worth * math.Pow(again, float64(min(times, 20)))
		if times == 0 {
			unsaid += worth
		}
	})
	if all == 0 {
		return 0
	}
	density := m.density * rest / all * min(1, max(0.1, unsaid/all/fresh))
	if c.asked && m.parts != nil {
		density *= 1 + (pull-1)*m.parts.Similarity
	}
	return density
}

// fill keeps the densest messages as long as there is room.
func (c *cover) fill(room int, of []*message) int {
	h := make(densest, 0, len(of))
	for i, m := range of {
		h = append(h, candidate{m, c.density(m), i})
	}
	heap.Init(&h)
	for looks := 8 * len(of); len(h) > 0; looks-- {
		first := h[0]
		if first.tokens > room {
			heap.Pop(&h)
			continue
		}
		// What was kept meanwhile may say what this one does.
		if now := c.density(first.message); now < first.worth && looks > 0 {
			h[0].worth = now
			heap.Fix(&h, 0)
			if h[0].message != first.message {
				continue
			}
		}
		m := heap.Pop(&h).(candidate).message
		if m.keep("tells much for what it costs"); m.user {
			m.reason = "what the user said"
		}
		room -= m.tokens
		c.say(m)
	}
	return room
}

// A candidate is a message that may be kept.
type candidate struct {
	*message
	worth float64
	at    int
}

// densest is a heap of candidates; of equals the first comes first.
type densest []candidate

func (h densest) Len() int      { return len(h) }
func (h densest) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *densest) Push(x any)   { *h = append(*h, x.(candidate)) }
func (h *densest) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
func (h densest) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(h[j].worth, h[i].worth), cmp.Compare(h[i].at, h[j].at)) < 0
}
