package relevance

import (
	"math"
	"slices"
)

const (
	// meaningShare is the share of embeddings in a blended similarity.
	meaningShare = 0.4
	// minUsual is the number of texts from which on their median cosine is usable.
	minUsual = 8
)

// Meaning is the Term that stands for the share of an embedding.
const Meaning = "(meaning)"

// Blend combines the results of full text search with embeddings. prompt and texts are
// vectors of one model, texts in the order of matches. The similarity is
//
//	0.6 × similarity of full text + 0.4 × closeness
//
// where closeness (see Closeness) is 0 for a cosine up to the median of these texts
// and 1 for a cosine of 1, because models differ in the cosine of unrelated texts. The
// rank, divided by the best rank, is combined in the same way. A text without a usable
// vector keeps its similarity and its rank.
func Blend(matches []Match, prompt []float32, texts [][]float32) []Match {
	out := slices.Clone(matches)
	closeness := Closeness(prompt, texts)
	best := 0.0
	for _, m := range matches {
		best = max(best, m.Rank)
	}
	for i := range out {
		m := &out[i]
		if best > 0 {
			m.Rank /= best
		}
		if i >= len(closeness) || math.IsNaN(closeness[i]) {
			continue
		}
		words, meaning := (1-meaningShare)*clamp(m.Similarity), meaningShare*closeness[i]
		m.Similarity = clamp(words + meaning)
		m.Rank = (1-meaningShare)*m.Rank + meaningShare*closeness[i]
		m.Terms = slices.Clone(m.Terms)
		if m.Similarity == 0 {
			continue
		}
		for j := range m.Terms {
			m.Terms[j].Share *= words / m.Similarity
		}
		if meaning > 0 {
			m.Terms = append(m.Terms, TermShare{Meaning, meaning / m.Similarity})
		}
	}
	return out
}

// Closeness returns the closeness of each text to prompt, a ratio 0–1: the cosine,
// rescaled so that the median of at least 8 texts, if positive, is 0. It is NaN for
// vectors that cannot be compared.
func Closeness(prompt []float32, texts [][]float32) []float64 {
	all := make([]float64, len(texts))
	var known []float64
	for i, v := range texts {
		all[i] = cosine(prompt, v)
		if !math.IsNaN(all[i]) {
			known = append(known, all[i])
		}
	}
	usual := 0.0
	if len(known) >= minUsual {
		slices.Sort(known)
		usual = max(0, known[len(known)/2])
	}
	for i, c := range all {
		switch {
		case math.IsNaN(c):
		case usual >= 1:
			all[i] = 0
		default:
			all[i] = clamp((c - usual) / (1 - usual))
		}
	}
	return all
}

// cosine returns the cosine of two vectors. It is NaN if one is empty or 0, or if
// their lengths differ.
func cosine(a, b []float32) float64 {
	if len(a) == 0 || len(a) != len(b) {
		return math.NaN()
	}
	dot, one, other := 0.0, 0.0, 0.0
	for i := range a {
		x, y := float64(a[i]), float64(b[i])
		dot, one, other = dot+x*y, one+x*x, other+y*y
	}
	c := dot / math.Sqrt(one*other)
	if math.IsInf(c, 0) {
		return math.NaN()
	}
	return max(-1, min(1, c))
}
