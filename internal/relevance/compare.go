package relevance

import (
	"slices"
	"time"
)

// A Text is a text to compare with a prompt.
type Text struct {
	Content string
	Role    string    // user, assistant, tool, system; "" if unknown
	Session string    // consecutive texts of one session are neighbors
	Time    time.Time // zero if unknown
}

// A Match is the result of comparing a text with a prompt.
type Match struct {
	Similarity float64     // ratio 0–1
	Rank       float64     // higher is better; comparable only within one call
	Terms      []TermShare // the terms' shares of Similarity, the largest first
}

// Compare returns the Match of each text with prompt, in the order of texts. A text
// also gets credit for its neighbors, and in its Rank for its session. The results are
// those of Rank for an Index of the same texts, without the penalty of neighbors.
func Compare(prompt string, texts []Text) []Match {
	terms := QueryTerms(prompt)
	counts := countTerms(terms, texts)
	having := make([]int, len(terms))
	for _, c := range counts {
		having[c.term]++
	}
	q, selected := newQuestion(prompt, terms, having, len(texts))
	all := placeTexts(texts, len(q.terms))
	number := slices.Repeat([]int{-1}, len(terms)) // index in q.terms
	for n, i := range selected {
		number[i] = n
	}
	for _, c := range counts {
		if n := number[c.term]; n >= 0 {
			length := roundLength(len(texts[c.text].Content))
			all[c.text].termScores[n] = float32(q.weights[n] * bm25(min(c.times, maxTimes), length))
		}
	}
	slices.SortFunc(all, compareByPlace)
	q.rank(all)
	matches := make([]Match, len(texts))
	for i, t := range all {
		matches[t.Text] = Match{Similarity: t.Similarity, Rank: t.Score, Terms: q.termShares(all, i)}
	}
	return matches
}

// placeTexts returns texts with their places, and memory for the scores of terms.
func placeTexts(texts []Text, terms int) []rankedText {
	sessions, places := map[string]int{}, map[string]int{}
	all := make([]rankedText, len(texts))
	room := make([]float32, len(texts)*terms)
	for i, t := range texts {
		if _, ok := sessions[t.Session]; !ok {
			sessions[t.Session] = len(sessions)
		}
		all[i] = rankedText{
			Hit: Hit{Text: i}, session: sessions[t.Session], at: places[t.Session], placed: true,
			time: t.Time, length: len(t.Content), termScores: room[:terms],
		}
		places[t.Session]++
		room = room[terms:]
	}
	return all
}
