package relevance

import (
	"math"
	"slices"
)

const (
	// meaningShare is how much of a blended similarity embeddings make up.
	meaningShare = 0.4
	// fewTexts is from how many texts on their cosines say what is usual.
	fewTexts = 8
)

// Meaning is the Term that stands for what an embedding contributed.
const Meaning = "(meaning)"

// Blend adds what embeddings know to what full text found: prompt and texts are
// vectors by one model, texts in the order of matches. The similarity
// is
//
//	0.6 × that of full text + 0.4 × closeness
//
// where closeness is the cosine above what is usual among these texts, for models
// differ in how near to each other they put texts that have nothing in common. It
// is 0 for a cosine that is usual or less, and 1 for a cosine of 1. The rank is
// mixed alike. A text without a vector stays as it is, and all do where prompt has
// none.
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
		words, meaning := (1-meaningShare)*within(m.Similarity), meaningShare*closeness[i]
		m.Similarity = within(words + meaning)
		m.Rank = (1-meaningShare)*m.Rank + meaningShare*closeness[i]
		m.Terms = slices.Clone(m.Terms)
		if m.Similarity == 0 {
			continue
		}
		for j := range m.Terms {
			m.Terms[j].Share *= words / m.Similarity
		}
		if meaning > 0 {
			m.Terms = append(m.Terms, Matched{Meaning, meaning / m.Similarity})
		}
	}
	return out
}

// Closeness is how near each text is to prompt, from 0 to 1; see Blend. What
// cannot be compared is no number.
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
	if len(known) >= fewTexts {
		slices.Sort(known)
		usual = max(0, known[len(known)/2])
	}
	for i, c := range all {
		switch {
		case math.IsNaN(c):
		case usual >= 1:
			all[i] = 0
		default:
			all[i] = within((c - usual) / (1 - usual))
		}
	}
	return all
}

// cosine is that of the angle between two vectors; no number where one is missing
// or has no direction, or they are of different models.
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
