package relevance

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
)

// unitVector returns a vector of length 1 with the given cosine to ahead.
func unitVector(cosine float64) []float32 {
	return []float32{float32(cosine), float32(math.Sqrt(1 - cosine*cosine))}
}

var ahead = []float32{1, 0}

func TestBlend(t *testing.T) {
	shares := []TermShare{{"token", 0.75}, {"cache", 0.25}}
	for _, c := range []struct {
		what   string
		match  Match
		vector []float32
		want   Match
	}{
		{"full text only", Match{0.5, 10, shares}, unitVector(0), Match{0.3, 0.6, shares}},
		{"both", Match{0.5, 10, shares}, unitVector(0.5), Match{0.5, 0.8, []TermShare{{"token", 0.45}, {"cache", 0.15}, {Meaning, 0.4}}}},
		{"embedding only", Match{}, unitVector(0.5), Match{0.2, 0.2, []TermShare{{Meaning, 1}}}},
		{"neither", Match{}, unitVector(0), Match{}},
		{"the opposite direction", Match{0.5, 10, shares}, unitVector(-1), Match{0.3, 0.6, shares}},
		{"the same direction", Match{1, 10, shares}, unitVector(1), Match{1, 1, []TermShare{{"token", 0.45}, {"cache", 0.15}, {Meaning, 0.4}}}},
		{"no vector", Match{0.5, 10, shares}, nil, Match{0.5, 1, shares}},
		{"of another model", Match{0.5, 10, shares}, []float32{1, 0, 0}, Match{0.5, 1, shares}},
		{"without direction", Match{0.5, 10, shares}, []float32{0, 0}, Match{0.5, 1, shares}},
		{"NaN", Match{0.5, 10, shares}, []float32{float32(math.NaN()), 1}, Match{0.5, 1, shares}},
		{"infinity", Match{0.5, 10, shares}, []float32{float32(math.Inf(1)), 1}, Match{0.5, 1, shares}},
	} {
		matches := []Match{c.match, {0, 10, nil}} // the second one has the best rank
		got := Blend(matches, ahead, [][]float32{c.vector, nil})[0]
		round := func(m Match) Match {
			near := func(f float64) float64 { return math.Round(1e5*f) / 1e5 }
			m.Similarity, m.Rank = near(m.Similarity), near(m.Rank)
			var rounded []TermShare
			for _, w := range m.Terms {
				rounded = append(rounded, TermShare{w.Term, near(w.Share)})
			}
			m.Terms = rounded
			return m
		}
		if !reflect.DeepEqual(round(got), round(c.want)) {
			t.Errorf("%s: got %+v, want %+v", c.what, got, c.want)
		}
		if !reflect.DeepEqual(matches[0], c.match) {
			t.Errorf("%s: Blend modified its argument: %+v", c.what, matches[0])
		}
	}
	given := []Match{{0.5, 2, shares}}
	if got := Blend(given, nil, [][]float32{unitVector(1)}); got[0].Similarity != 0.5 {
		t.Errorf("without a prompt: got %+v", got)
	}
	if got := Blend(given, ahead, nil); got[0].Similarity != 0.5 {
		t.Errorf("without vectors: got %+v", got)
	}
}

// The median cosine of many texts has closeness 0.
func TestMedianHasNoCloseness(t *testing.T) {
	for _, usual := range []float64{0, 0.3, 0.8} {
		var texts [][]float32
		for range 20 {
			texts = append(texts, unitVector(usual))
		}
		texts = append(texts, unitVector(usual+(1-usual)/2))
		got := Closeness(ahead, texts)
		if math.Abs(got[0]) > 1e-3 || math.Abs(got[20]-0.5) > 1e-3 {
			t.Errorf("median %v: got %v and %v", usual, got[0], got[20])
		}
	}
}

// Similarities and ranks are ratios, and the shares of the terms add up to 1.
func TestBlendProperties(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	for range 2000 {
		n := random.IntN(20)
		matches, texts := make([]Match, n), make([][]float32, n)
		for i := range matches {
			matches[i] = Match{random.Float64(), 100 * random.Float64(), []TermShare{{"a", 0.5}, {"b", 0.5}}}
			if random.IntN(5) > 0 {
				texts[i] = []float32{float32(random.NormFloat64()), float32(random.NormFloat64())}
			}
		}
		for i, m := range Blend(matches, []float32{float32(random.NormFloat64()), 1}, texts) {
			shares := 0.0
			for _, w := range m.Terms {
				shares += w.Share
			}
			if !(m.Similarity >= 0 && m.Similarity <= 1 && m.Rank >= 0 && m.Rank <= 1 && math.Abs(shares-1) < 1e-9) {
				t.Fatalf("got %+v for %+v", m, matches[i])
			}
		}
	}
}
