package relevance

import (
	"slices"
	"time"
)

// A Text is one of those that are compared with a prompt.
type Text struct {
	Content string
	Role    string    // user, assistant, tool, system; "" where nobody says
	Session string    // texts of one session that follow each other are neighbours
	Time    time.Time // when it was said; zero where nobody says
}

// A Match is how well a text answers a prompt.
type Match struct {
	Similarity float64   // ratio
	Rank       float64   // higher is better; comparable within one call only
	Terms      []Matched // what the similarity came from, the most first
}

// Compare says of each text, in their order, how well it answers prompt: by what
// it says, with credit from its neighbours, and for the rank from its session. It
// is what Rank says of an Index of the same texts, before anything waits.
func Compare(prompt string, texts []Text) []Match {
	terms := telling(prompt)
	counts := tally(terms, texts)
	having := make([]int, len(terms))
	for _, c := range counts {
		having[c.term]++
	}
	q, taken := newQuestion(prompt, terms, having, len(texts))
	all := standing(texts, len(q.terms))
	number := slices.Repeat([]int{-1}, len(terms)) // among those of the question
	for n, i := range taken {
		number[i] = n
	}
	for _, c := range counts {
		if n := number[c.term]; n >= 0 {
			length := even(len(texts[c.text].Content))
			all[c.text].has[n] = float32(q.weights[n] * own(min(c.times, most), length))
		}
	}
	slices.SortFunc(all, inPlace)
	q.weigh(all)
	matches := make([]Match, len(texts))
	for i, t := range all {
		matches[t.Text] = Match{Similarity: t.Similarity, Rank: t.Score, Terms: q.matched(all, i)}
	}
	return matches
}

// standing gives texts their places, and room for terms.
func standing(texts []Text, terms int) []text {
	sessions, places := map[string]int{}, map[string]int{}
	all := make([]text, len(texts))
	room := make([]float32, len(texts)*terms)
	for i, t := range texts {
		if _, ok := sessions[t.Session]; !ok {
			sessions[t.Session] = len(sessions)
		}
		all[i] = text{
			Hit: Hit{Text: i}, session: sessions[t.Session], at: places[t.Session], placed: true,
			time: t.Time, length: len(t.Content), has: room[:terms],
		}
		places[t.Session]++
		room = room[terms:]
	}
	return all
}
