package relevance

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
)

// turned is a vector of length 1 at an angle to the prompt's.
func turned(cosine float64) []float32 {
	return []float32{float32(cosine), float32(math.Sqrt(1 - cosine*cosine))}
}

var ahead = []float32{1, 0}

func TestBlend(t *testing.T) {
	pears := []Matched{{"pear", 0.75}, {"winter", 0.25}}
	for _, c := range []struct {
		what   string
		match  Match
		vector []float32
		want   Match
	}{
		{"words alone", Match{0.5, 10, pears}, turned(0), Match{0.3, 0.6, pears}},
		{"both", Match{0.5, 10, pears}, turned(0.5), Match{0.5, 0.8, []Matched{{"pear", 0.45}, {"winter", 0.15}, {Meaning, 0.4}}}},
		{"meaning alone", Match{}, turned(0.5), Match{0.2, 0.2, []Matched{{Meaning, 1}}}},
		{"neither", Match{}, turned(0), Match{}},
		{"against it", Match{0.5, 10, pears}, turned(-1), Match{0.3, 0.6, pears}},
		{"the same", Match{1, 10, pears}, turned(1), Match{1, 1, []Matched{{"pear", 0.45}, {"winter", 0.15}, {Meaning, 0.4}}}},
		{"no vector", Match{0.5, 10, pears}, nil, Match{0.5, 1, pears}},
		{"of another model", Match{0.5, 10, pears}, []float32{1, 0, 0}, Match{0.5, 1, pears}},
		{"without direction", Match{0.5, 10, pears}, []float32{0, 0}, Match{0.5, 1, pears}},
		{"no numbers", Match{0.5, 10, pears}, []float32{float32(math.NaN()), 1}, Match{0.5, 1, pears}},
		{"endless", Match{0.5, 10, pears}, []float32{float32(math.Inf(1)), 1}, Match{0.5, 1, pears}},
	} {
		matches := []Match{c.match, {0, 10, nil}} // beside the one that is looked at, one of the best rank
		got := Blend(matches, ahead, [][]float32{c.vector, nil})[0]
		round := func(m Match) Match {
			near := func(f float64) float64 { return math.Round(1e5*f) / 1e5 }
			m.Similarity, m.Rank = near(m.Similarity), near(m.Rank)
			var terms []Matched
			for _, w := range m.Terms {
				terms = append(terms, Matched{w.Term, near(w.Share)})
			}
			m.Terms = terms
			return m
		}
		if !reflect.DeepEqual(round(got), round(c.want)) {
			t.Errorf("%s: %+v, want %+v", c.what, got, c.want)
		}
		if !reflect.DeepEqual(matches[0], c.match) {
			t.Errorf("%s: what was given is %+v now", c.what, matches[0])
		}
	}
	given := []Match{{0.5, 2, pears}}
	if got := Blend(given, nil, [][]float32{turned(1)}); got[0].Similarity != 0.5 {
		t.Errorf("without a prompt: %+v", got)
	}
	if got := Blend(given, ahead, nil); got[0].Similarity != 0.5 {
		t.Errorf("without vectors: %+v", got)
	}
}

// Models differ in how near they put what has nothing in common: what is usual
// among many texts says nothing.
func TestWhatIsUsualSaysNothing(t *testing.T) {
	for _, usual := range []float64{0, 0.3, 0.8} {
		var texts [][]float32
		for range 20 {
			texts = append(texts, turned(usual))
		}
		texts = append(texts, turned(usual+(1-usual)/2))
		got := Closeness(ahead, texts)
		if math.Abs(got[0]) > 1e-3 || math.Abs(got[20]-0.5) > 1e-3 {
			t.Errorf("usually %v: %v and %v", usual, got[0], got[20])
		}
	}
}

// Whatever is given, similarities stay within 0 and 1, and so do the shares.
func TestBlendStaysWithinItsBounds(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	for range 2000 {
		n := random.IntN(20)
		matches, texts := make([]Match, n), make([][]float32, n)
		for i := range matches {
			matches[i] = Match{random.Float64(), 100 * random.Float64(), []Matched{{"a", 0.5}, {"b", 0.5}}}
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
				t.Fatalf("%+v of %+v", m, matches[i])
			}
		}
	}
}
